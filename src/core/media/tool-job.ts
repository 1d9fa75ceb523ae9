/** A job as a tool of the workspace tells of it: no tool's answer is documented, so it is read tolerantly. */
import type { MediaJob } from "../../contract/media.ts";
import type { WorkspaceFile } from "../../contract/records.ts";
import { WorkspaceFault } from "../../errors.ts";

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/** The first of the fields that there is, of the kind that `read` takes. */
function first<T>(fields: Fields, keys: readonly string[], read: (value: unknown) => T | undefined): T | undefined {
  for (const key of keys) {
    const value = read(fields[key]);
    if (value !== undefined) return value;
  }
  return undefined;
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const amount = (value: unknown): string | undefined =>
  typeof value === "number" ? String(value) : typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? value : undefined;
const number = (value: unknown): number | undefined => {
  const read = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof read === "number" && Number.isSafeInteger(read) && read > 0 ? read : undefined;
};

const ended: Readonly<Record<string, string>> = {
  done: "done",
  completed: "done",
  complete: "done",
  succeeded: "done",
  success: "done",
  finished: "done",
  error: "error",
  failed: "error",
  failure: "error",
  cancelled: "error",
  canceled: "error",
};

const wrappers = ["job", "data", "result", "generation", "tts_generation", "transcription"];

/** Where the job is: the answer itself, or what it wraps. */
function jobIn(answer: unknown): Fields | undefined {
  if (!isObject(answer)) return undefined;
  if (first(answer, ["ID", "id", "job_id"], number) !== undefined) return answer;
  const inner = wrappers.map((key) => answer[key]).find(isObject);
  return inner ?? answer;
}

const when = "1970-01-01T00:00:00Z";

/** A result: its record, or its address alone. */
function fileIn(value: unknown): WorkspaceFile | undefined {
  const record: Fields | undefined = typeof value === "string" ? { path: value } : isObject(value) ? value : undefined;
  const path = record && first(record, ["path", "url", "public_path", "download_url"], text);
  if (record === undefined || path === undefined) return undefined;
  const name = first(record, ["name", "file_name", "filename"], text) ?? path.split(/[?#]/)[0]?.split("/").at(-1);
  return {
    ID: first(record, ["ID", "id", "file_id"], number) ?? 0,
    CreatedAt: when,
    UpdatedAt: when,
    DeletedAt: null,
    name: name === undefined || name === "" ? "file" : name,
    path,
    preview_path: "",
    public_path: "",
    user_id: 0,
    workspace_id: null,
    project_id: null,
    fileType: "code_interpreter_output",
    partial: false,
  };
}

/**
 * The job that an answer tells of.
 * @param known its id, where the answer need not repeat it
 * Throws WorkspaceFault `malformed` for an answer that names no job.
 */
export function readToolJob(answer: unknown, known?: number): MediaJob {
  const fields = jobIn(answer);
  const ID = (fields && first(fields, ["ID", "id", "job_id"], number)) ?? known;
  if (fields === undefined || ID === undefined)
    throw new WorkspaceFault("malformed", "expected a tool's answer to name the job by a numeric id", { status: 200 });
  const file = first(fields, ["output_file_data", "output_file", "output", "file", "audio_file", "audio_url", "url"], fileIn);
  const words = first(fields, ["text", "transcript", "transcription_text"], text);
  const said = first(fields, ["status", "state"], text)?.toLowerCase();
  const status = said === undefined ? (file === undefined && words === undefined ? "processing" : "done") : (ended[said] ?? said);
  return {
    ID,
    CreatedAt: first(fields, ["CreatedAt", "created_at"], text) ?? when,
    UpdatedAt: first(fields, ["UpdatedAt", "updated_at"], text) ?? when,
    DeletedAt: null,
    slug: first(fields, ["slug"], text) ?? "",
    status,
    credit_cost: first(fields, ["credit_cost", "credits_used", "cost"], amount) ?? "0",
    error: first(fields, ["error", "error_text", "error_message", "message"], text) ?? null,
    output_file_data: file ?? null,
    text: words ?? null,
    segments: fields["segments"] ?? null,
  };
}
