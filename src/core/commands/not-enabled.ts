/** Answers of commands to what the key may not do. */
import type { Permission } from "../../contract/permissions.ts";
import { WorkspaceFault } from "../../errors.ts";
import { missingPermission } from "../not-enabled.ts";
import { refusal, type Refusal } from "../refusal.ts";
import type { CommandContext } from "./table.ts";

export async function notEnabled(
  what: string,
  needed: Permission | null,
  thrown: WorkspaceFault | null,
  { may }: Pick<CommandContext, "may">,
): Promise<{ readonly refusal: Refusal }> {
  const lacks = missingPermission(thrown, needed);
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
