/** The tools that write recordings down, as a workspace has them: each job is done at once. */
import type { FakeTool } from "./workspace.ts";

/** @param answer of a finished job, beside its id */
export function transcribeTools(answer: Readonly<Record<string, unknown>> = { status: "done", text: "heard it" }): FakeTool[] {
  let jobs = 700;
  const id = { type: "integer" };
  const toolOf = (name: string, field: string, run: FakeTool["answer"]): FakeTool => ({
    name,
    description: "",
    inputSchema: { type: "object", properties: { [field]: id }, required: [field] },
    answer: run,
  });
  return [
    toolOf("transcribe", "file_id", () => ({ ID: ++jobs, status: "queued" })),
    toolOf("get_transcription_status", "id", (args) => ({ ID: args["id"], ...answer })),
  ];
}
