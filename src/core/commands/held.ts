/** The workspace as commands and forms have it: what changes something there is only done by what its asker said yes to. */
import { Fault } from "../../errors.ts";
import type { Account } from "../accounts.ts";
import type { Deed } from "../permissions.ts";
import { onlyReads } from "../tools/reads.ts";
import type { Workspace } from "../workspace.ts";

type Calls = {
  readonly [Group in keyof Workspace]: Workspace[Group] extends object ? ReadonlyArray<keyof Workspace[Group]> : [];
};

/** Calls that change nothing and cost nothing. Whatever is not named here is held back. */
const reads: Omit<Calls, "run"> = {
  conversations: ["messages", "list", "follow"],
  models: ["list"],
  agents: ["all"],
  projects: ["all"],
  prompts: ["all", "list", "lastUsed", "mostUsed", "recentlyAdded", "favorites", "runHistory"],
  files: ["download", "isPublic"],
  images: [],
  jobs: ["models", "read", "list"],
  tools: ["list"],
};

/** What a deed is itself, by the table of permissions without being asked first. */
const ofDeed: Partial<Record<Deed, readonly string[]>> = { send: ["run"], settings: ["conversations.changeModel"] };

const heldBack = (call: string): Fault =>
  new Fault("not_asked", `a command called ${call}, which may change something, without proposing it to its asker`);

/** @param deed what the table has let the asker do; null: nothing at the workspace */
function held(workspace: Workspace, deed: Deed | null): Workspace {
  const open = new Set(Object.entries(reads).flatMap(([group, calls]) => calls.map((call) => `${group}.${call}`)));
  for (const call of (deed === null ? undefined : ofDeed[deed]) ?? []) open.add(call);
  const watched = (target: object, path: string): object =>
    new Proxy(target, {
      get(of, name) {
        const call = `${path}${String(name)}`;
        const member: unknown = Reflect.get(of, name);
        if (typeof member === "object" && member !== null) return watched(member, `${call}.`);
        if (typeof member !== "function") return member;
        return (...args: unknown[]): unknown => {
          const reading = call === "tools.call" && onlyReads(String(args[0]));
          if (!reading && !open.has(call)) return Promise.reject(heldBack(call));
          return (member as (...all: unknown[]) => unknown).apply(of, args);
        };
      },
    });
  return watched(workspace, "") as Workspace;
}

/** The account as a command has it. */
export const heldAccount = (account: Account, deed: Deed | null): Account => ({
  ...account,
  workspace: held(account.workspace, deed),
});
