/** What is kept, and for how long. */
import { resolve } from "node:path";
import type { Reader, VariableInfo } from "./reader.ts";

export interface KeepingConfig {
  /** A file that the audit log's lines are appended to as well; null: the store alone has them. */
  readonly auditFile: string | null;
  /** How long the audit log's entries are kept. */
  readonly auditDays: number;
  /** How long ids of messages, who asked, and what people thought of the answer are kept. */
  readonly retentionDays: number;
}

export const keepingVariables: readonly VariableInfo[] = [
  { name: "AUDIT_FILE", fallback: "none", help: "file that the lines of the audit log are appended to as well" },
  { name: "AUDIT_DAYS", fallback: "365", help: "days that entries of the audit log are kept in the store" },
  { name: "RETENTION_DAYS", fallback: "90", help: "days that ids of messages, who wrote them and ratings are kept" },
];

export function readKeeping({ text, count }: Reader): KeepingConfig {
  const auditFile = text("AUDIT_FILE");
  return {
    auditFile: auditFile === null ? null : resolve(auditFile),
    auditDays: count("AUDIT_DAYS", 1, 365, "days"),
    retentionDays: count("RETENTION_DAYS", 1, 90, "days"),
  };
}
