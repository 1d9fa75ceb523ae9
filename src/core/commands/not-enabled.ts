/** What the key may not do: operators are told what it lacks, everybody else that it is not enabled. */
import type { Permission } from "../../contract/permissions.ts";
import { WorkspaceFault } from "../../errors.ts";
import { refusal, type Refusal } from "../refusal.ts";
import type { CommandContext } from "./table.ts";

/** The permissions that the workspace's own words name; else what is known to be needed. */
function missing(thrown: WorkspaceFault | null, needed: Permission | null): string {
  const [, named = ""] = /at least one of:\s*([a-z_,\s]+)/i.exec(thrown?.message ?? "") ?? [];
  const names = named
    .split(/[\s,]+/)
    .filter((name) => name !== "")
    .slice(0, 5);
  return names.length > 0 ? names.join(" or ") : (needed ?? "");
}

export async function notEnabled(
  what: string,
  needed: Permission | null,
  thrown: WorkspaceFault | null,
  { may }: Pick<CommandContext, "may">,
): Promise<{ readonly refusal: Refusal }> {
  const lacks = missing(thrown, needed);
  if (lacks === "" || !(await may("admin"))) return refusal("not_allowed", `${what}: not enabled for your workspace key.`);
  return refusal("not_allowed", `${what}: not enabled. The workspace key lacks the permission ${lacks}.`);
}

/** What `work` gives, or the word for a key that lacks the permission. Other faults are thrown. */
export async function orNotEnabled<T>(
  what: string,
  needed: Permission,
  context: Pick<CommandContext, "may">,
  work: () => Promise<T>,
): Promise<T | { readonly refusal: Refusal }> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof WorkspaceFault && thrown.kind === "forbidden") return notEnabled(what, needed, thrown, context);
    throw thrown;
  }
}
