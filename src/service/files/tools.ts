/** Tools of files. */
import { z } from "zod";
import { listed, paging, spanOf, tool, type Tools } from "../tools/tool.ts";
import { uploadersFile } from "./read.ts";
import { fileRecord, filesOf } from "./store.ts";

export const fileTools = {
  list_files: tool({
    description: "Lists the files that you uploaded, oldest first.",
    input: z.strictObject(paging),
    async run({ ctx, caller }, span) {
      const { rows, total } = await filesOf(ctx, caller.userId, spanOf(span));
      const records = rows.map((row) => fileRecord(ctx, row));
      return listed(records, total);
    },
  }),

  get_file: tool({
    description: "Reads the record of a file that you uploaded; its path is where the bytes are.",
    input: z.strictObject({ id: z.int().nonnegative().describe("ID of the file") }),
    run: async ({ ctx, caller }, { id }) => fileRecord(ctx, await uploadersFile(ctx, caller, String(id))),
  }),
} satisfies Tools;
