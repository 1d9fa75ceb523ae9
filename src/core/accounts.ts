/** Accounts at the workspace: the team's shared one, and one for each person who has linked a key. */
import type { Clock } from "../clock.ts";
import { createLists, type WorkspaceLists } from "./directory.ts";
import type { Holder, Link, Links } from "./links.ts";
import type { Workspace } from "./workspace.ts";

/** The id of the account whose key the operator has configured. */
export const sharedId = "shared";

export interface Account {
  /** `shared`, or the link's id; it says nothing of the key. */
  readonly id: string;
  readonly kind: "shared" | "linked";
  readonly workspace: Workspace;
  /** Models, agents and projects as this account sees them. */
  readonly lists: WorkspaceLists;
}

export interface Accounts {
  readonly shared: Account;
  /** The account that a person has linked; undefined without a link, and while its key is not accepted. */
  linked(holder: Holder): Promise<Account | undefined>;
  /** Undefined when the link is gone, or its key is no longer accepted. */
  byId(id: string): Promise<Account | undefined>;
  /** The workspace does not accept this account's key any more: its person has to link again. */
  refused(account: Account): Promise<void>;
}

export interface AccountsOptions {
  /** Acts with the operator's key. */
  readonly shared: Workspace;
  readonly links: Links;
  /** Acts with the given key, over connections that all accounts share. */
  readonly connect: (key: string) => Workspace;
  readonly clock: Clock;
}

/** Linked accounts that are held ready. One beyond them takes the place of the one used longest ago, which costs it its kept lists. */
const mostHeld = 500;

export function createAccounts({ shared, links, connect, clock }: AccountsOptions): Accounts {
  const held = new Map<string, { readonly account: Account; readonly key: string }>();

  const accountOf = (link: Link | undefined): Account | undefined => {
    if (link === undefined || link.brokenAt !== null) return undefined;
    const known = held.get(link.id);
    held.delete(link.id);
    const found = known?.key === link.key ? known : { key: link.key, account: open(link) };
    held.set(link.id, found);
    const oldest = held.size > mostHeld ? held.keys().next().value : undefined;
    if (oldest !== undefined) held.delete(oldest);
    return found.account;
  };
  const open = (link: Link): Account => {
    const workspace = connect(link.key);
    return { id: link.id, kind: "linked", workspace, lists: createLists(workspace, clock) };
  };

  const team: Account = { id: sharedId, kind: "shared", workspace: shared, lists: createLists(shared, clock) };
  return {
    shared: team,
    linked: async (holder) => accountOf(await links.of(holder)),
    byId: async (id) => (id === sharedId ? team : accountOf(await links.byId(id))),
    async refused({ id }) {
      const known = held.get(id);
      held.delete(id);
      if (known !== undefined) await links.markBroken({ id, key: known.key }, clock.now());
    },
  };
}
