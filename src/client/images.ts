/** Pictures. Each call waits for the whole work; whether a lost one was made, and paid for, is not known. */
import type { WorkspaceFile } from "../contract/records.ts";
import { recordIn } from "./answers.ts";
import type { CallOptions, Http } from "./http.ts";
import { readFile } from "./records.ts";

export const imageCalls = (http: Http) => ({
  async generate(prompt: string, options?: CallOptions): Promise<WorkspaceFile> {
    return recordIn(await http.call("POST /image_generation", { body: { prompt }, patient: true, ...options }), readFile);
  },
  /** A new picture made from one of the caller's files, which stays as it is. */
  async edit(prompt: string, fileId: number, options?: CallOptions): Promise<WorkspaceFile> {
    const body = { prompt, file_id: fileId };
    return recordIn(await http.call("POST /image_generation/edit", { body, patient: true, ...options }), readFile);
  },
});
