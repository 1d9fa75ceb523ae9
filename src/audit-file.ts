/** The audit log's copy as a file of JSON lines, for what collects logs. */
import { appendFile } from "node:fs/promises";
import { appendFileSync } from "node:fs";
import { Fault, reasonOf } from "./errors.ts";
import type { Log } from "./log.ts";

/**
 * Appends lines to the file at `path`, one after another; it is opened anew for each, so it may be moved away while Parley runs.
 * A line that cannot be written is logged as an error and left out here: the store has it.
 * Throws a Fault `audit_file` when the file cannot be written at the start.
 */
export function openAuditFile(path: string, log: Log): (line: string) => Promise<void> {
  try {
    appendFileSync(path, "", { mode: 0o600 });
  } catch (cause) {
    throw new Fault("audit_file", `expected a file that can be written at ${path} (AUDIT_FILE), got: ${reasonOf(cause)}`, {
      cause,
    });
  }
  let last = Promise.resolve();
  return (line) =>
    (last = last.then(async () => {
      try {
        await appendFile(path, `${line}\n`, { mode: 0o600 });
      } catch (thrown) {
        log.error({ err: thrown, path }, "a line of the audit log could not be written to its file; the store has it");
      }
    }));
}
