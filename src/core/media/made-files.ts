/** The files that a model made in an answer. */
import type { Message } from "../../contract/records.ts";
import type { FileRecord } from "./fetch.ts";

type Named = { readonly ID?: number; readonly name?: string; readonly path?: string };

/** What is not said is not there: a record of an answer is read tolerantly. */
const recordOf = (value: unknown): Named | undefined => {
  if (typeof value !== "object" || value === null) return undefined;
  const { ID, name, path } = value as Readonly<Record<string, unknown>>;
  return {
    ...(typeof ID === "number" ? { ID } : {}),
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof path === "string" ? { path } : {}),
  };
};

/** @param sent the ids of files that the asker sent along, which an answer may name too */
export function madeFiles(
  { attachments, parts }: Pick<Message, "attachments" | "parts">,
  sent: ReadonlySet<number>,
): FileRecord[] {
  const pictures = parts.map((part) => recordOf(part.image_generation_part?.file));
  const named = [...attachments.filter(({ type }) => type === "file").map(recordOf), ...pictures];
  const found = new Map<number | string, FileRecord>();
  for (const file of named) {
    const key = file?.ID ?? file?.path;
    if (file === undefined || key === undefined || key === "" || found.has(key)) continue;
    if (file.ID !== undefined && sent.has(file.ID)) continue;
    const path = file.path ?? "";
    const name = file.name ?? path.split(/[/?#]/).findLast((part) => part.includes(".")) ?? "file";
    found.set(key, { name: name === "" ? "file" : name, path });
  }
  return [...found.values()];
}
