/** What the workspace does not allow: whoever looks after Parley is told what the key lacks, everybody else that it is not enabled. */
import type { Permission } from "../contract/permissions.ts";
import type { WorkspaceFault } from "../errors.ts";

/** The permissions that the workspace's own words name; else what is known to be needed. Empty: nobody knows. */
export function missingPermission(thrown: WorkspaceFault | null, needed: Permission | null): string {
  const [, named = ""] = /at least one of:\s*([a-z_,\s]+)/i.exec(thrown?.message ?? "") ?? [];
  const names = named
    .split(/[\s,]+/)
    .filter((name) => name !== "")
    .slice(0, 5);
  return names.length > 0 ? names.join(" or ") : (needed ?? "");
}

/** For an operator: what to change, or else what the workspace says. */
export function forOperators(thrown: WorkspaceFault, needed: Permission | null): string {
  const lacks = missingPermission(thrown, needed);
  return lacks === ""
    ? `The workspace does not allow this. It says: “${thrown.message}”.`
    : `This is not enabled: the workspace key lacks the permission ${lacks}.`;
}
