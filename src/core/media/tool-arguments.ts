/** What a tool of the workspace wants to be called with, read from its own schema: the interface documents none of them. */
import type { WorkspaceTool } from "../../contract/records.ts";

/** What a value is for. */
export type Meaning = "text" | "voice" | "file" | "job";

/** The names that an argument of each meaning may have, the likeliest first. */
const names: Readonly<Record<Meaning, readonly string[]>> = {
  text: ["text", "input", "prompt", "content", "script", "message"],
  voice: ["voice", "voice_id", "voice_name", "speaker"],
  file: ["file_id", "audio_file_id", "media_file_id", "source_file_id", "input_file_id", "file", "file_ids", "audio_id", "id"],
  job: ["id", "job_id", "generation_id", "tts_generation_id", "transcription_id", "task_id"],
};

/** One argument, as far as its schema says. */
export interface Argument {
  readonly name: string;
  readonly type: string | undefined;
  /** The values that it may have; empty: any. */
  readonly choices: readonly string[];
}

type Schema = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Schema => typeof value === "object" && value !== null && !Array.isArray(value);

const propertiesOf = ({ inputSchema }: WorkspaceTool): Schema => {
  const { properties } = inputSchema;
  return isObject(properties) ? properties : {};
};

const typeOf = (schema: unknown): string | undefined => {
  if (!isObject(schema)) return undefined;
  const { type, anyOf } = schema;
  const all = Array.isArray(type) ? type : [type, ...(Array.isArray(anyOf) ? anyOf.map(typeOf) : [])];
  return all.find((one): one is string => typeof one === "string" && one !== "null");
};

/** The tool's argument of that meaning; undefined where it has none by any of the names. */
export function argumentFor(tool: WorkspaceTool, meaning: Meaning): Argument | undefined {
  const properties = Object.entries(propertiesOf(tool));
  for (const name of names[meaning]) {
    const found = properties.find(([own]) => own.toLowerCase() === name);
    if (found === undefined) continue;
    const [own, schema] = found;
    const choices =
      isObject(schema) && Array.isArray(schema["enum"]) ? schema["enum"].filter((one) => typeof one === "string") : [];
    return { name: own, type: typeOf(schema), choices };
  }
  return undefined;
}

/** Arguments that the tool insists on, beside those that are given. */
export function missingArguments(tool: WorkspaceTool, given: readonly string[]): readonly string[] {
  const { required } = tool.inputSchema;
  const properties = propertiesOf(tool);
  const wanted = Array.isArray(required) ? required.filter((one): one is string => typeof one === "string") : [];
  return wanted.filter((name) => {
    const schema = properties[name];
    return !given.includes(name) && !(isObject(schema) && schema["default"] !== undefined);
  });
}

/** A number as the argument's type wants it. */
export function idAs({ type }: Argument, id: number): unknown {
  if (type === "string") return String(id);
  return type === "array" ? [id] : id;
}
