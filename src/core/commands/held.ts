/** The workspace as commands and forms have it: what changes something there is only done by what its asker said yes to. */
import { Fault } from "../../errors.ts";
import type { Account } from "../accounts.ts";
import type { Deed } from "../permissions.ts";
import { watchedWorkspace } from "../workspace-calls.ts";

/** What a deed is itself, by the table of permissions without being asked first. */
const ofDeed: Partial<Record<Deed, readonly string[]>> = { send: ["run"], settings: ["conversations.changeModel"] };

const heldBack = (call: string): Fault =>
  new Fault("not_asked", `a command called ${call}, which may change something, without proposing it to its asker`);

/**
 * The account as a command has it.
 * @param deed what the table has let the asker do; null: nothing at the workspace
 */
export function heldAccount(account: Account, deed: Deed | null): Account {
  const open = (deed === null ? undefined : ofDeed[deed]) ?? [];
  const workspace = watchedWorkspace(account.workspace, (call) => {
    if (!open.includes(call)) throw heldBack(call);
  });
  return { ...account, workspace };
}
