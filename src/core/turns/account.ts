/** As whom a turn acts: the table of permissions and the place's conversation decide, once, and a resumed turn keeps to it. */
import { isOperator, placeRules, whereIs, whoIs, type AccessRules, type Asked } from "../access.ts";
import { sharedId, type Account, type Accounts } from "../accounts.ts";
import { holderOf } from "../links.ts";
import { mayInThread, permitOf, type Deed, type Denial, type Permit, type ThreadDeed, type ThreadOwner } from "../permissions.ts";
import type { Refusal, RefusalCode } from "../refusal.ts";
import { accountIdOf, type Threads } from "../threads.ts";
import { permittedAccount } from "./permitted.ts";
import type { TurnAccount } from "./progress.ts";
import type { TurnRun } from "./run.ts";

export interface Choosing {
  readonly accounts: Accounts;
  readonly threads: Threads;
  readonly access: AccessRules;
}

export interface Chosen {
  readonly account: Account;
  readonly as: TurnAccount["as"];
  readonly permit: Permit;
}

/** What the quiet last line says of the account; null where it goes without saying. */
export const onBehalfOf = (chosen: Pick<Chosen, "as"> | null): string | null =>
  chosen === null || chosen.as === "own"
    ? null
    : chosen.as === "team"
      ? "as the team's account"
      : "as the account that began this thread";

/** Who asks where, and what they add. */
export interface Asking extends Asked {
  readonly files?: readonly unknown[];
}

/** An account, or why there is none. */
export type Choice = Chosen | { readonly refusal: Refusal };

const refused = (code: RefusalCode, text: string): { readonly refusal: Refusal } => ({ refusal: { code, text } });

export const needsLink = "That needs your own workspace account. Link it once, and this goes on by itself.";

const denials: Readonly<Record<Denial, (contact: string) => { readonly refusal: Refusal }>> = {
  stranger: (contact) =>
    refused("not_allowed", `Parley does not answer guests and people of other organisations. Ask ${contact}.`),
  guest: (contact) => refused("not_allowed", `Parley does not answer guests and people of other organisations. Ask ${contact}.`),
  external: (contact) =>
    refused("not_allowed", `Parley does not answer in channels that people of other organisations read. Ask ${contact}.`),
  operators_only: (contact) => refused("operators_only", `That is not for everybody here. Ask ${contact}.`),
  link_needed: () => refused("link_needed", needsLink),
};

const threadRefusals = {
  follow_up: refused(
    "others_conversation",
    "This conversation belongs to a colleague's own account, so only they go on with it. Begin a new thread to ask for yourself.",
  ),
  files: refused(
    "others_conversation",
    "This conversation belongs to a colleague's own account, so only they can add files to it. Ask without the file, or begin a new thread.",
  ),
  prompt: refused(
    "others_conversation",
    "The conversation of this thread is not your own, and a prompt begins one of yours. Run it in the channel, and it has a thread of its own.",
  ),
  settings: refused(
    "others_conversation",
    "This conversation belongs to a colleague's own account, so only they can change how it is answered. Begin a new thread to choose for yourself.",
  ),
} as const;

/** The conversation of a place, where another's key began it. */
async function colleagues(
  inbound: Asking,
  mine: Account | undefined,
  { accounts, threads }: Choosing,
): Promise<{ readonly account: Account; readonly owner: ThreadOwner } | undefined> {
  const thread = await threads.get(inbound.place);
  const id = thread === undefined ? sharedId : accountIdOf(thread);
  const account = id === sharedId || id === mine?.id ? undefined : await accounts.byId(id);
  return account === undefined ? undefined : { account, owner: thread?.drawn === true ? "colleague_drawn" : "colleague" };
}

/** True where the place's conversation was begun with the asker's own key. */
const isMine = async (inbound: Asking, mine: Account | undefined, threads: Threads): Promise<boolean> => {
  const thread = mine === undefined ? undefined : await threads.get(inbound.place);
  return thread !== undefined && accountIdOf(thread) === mine?.id;
};

/** A prompt's run becomes the place's conversation: it takes the place of nobody else's. */
async function takesOver(inbound: Asking, mine: Account | undefined, { threads, access }: Choosing): Promise<boolean> {
  if (whereIs(inbound, access) === "direct") return false;
  const thread = await threads.get(inbound.place);
  return thread !== undefined && accountIdOf(thread) !== mine?.id;
}

/** The account for a deed, or why there is none. */
export async function chooseAccount(inbound: Asking, deed: Deed, choosing: Choosing): Promise<Choice> {
  const { accounts, threads, access } = choosing;
  const linked = await accounts.linked(holderOf(inbound));
  const who = whoIs(inbound.author, access, linked !== undefined);
  const permit = permitOf(who, deed, whereIs(inbound, access), placeRules(inbound, access));
  const deny = async (denial: Denial): Promise<Choice> => denials[denial](await access.contact());
  if (typeof permit === "string" && permit !== "link_needed") return deny(permit);

  if (deed === "send" || deed === "settings") {
    const theirs = await colleagues(inbound, linked, choosing);
    if (theirs !== undefined) {
      const may = (what: ThreadDeed): boolean => mayInThread(theirs.owner, what, access.threadFollowUps);
      if (deed === "settings" && !may("settings")) return threadRefusals.settings;
      if (!may("follow_up")) return threadRefusals.follow_up;
      if ((inbound.files ?? []).length > 0 && !may("files")) return threadRefusals.files;
      return { account: theirs.account, as: "thread", permit: { account: "own", audience: "place", confirm: false } };
    }
  }
  if (typeof permit === "string") return deny(permit);
  const mine = linked ?? (isOperator(inbound.author, access) ? accounts.shared : undefined);
  if (deed === "prompt" && (await takesOver(inbound, mine, choosing))) return threadRefusals.prompt;
  const begunByMe = (deed === "send" || deed === "settings") && (await isMine(inbound, linked, threads));
  if (permit.account === "shared" && !begunByMe) return { account: accounts.shared, as: "team", permit };
  return mine === undefined ? deny("link_needed") : { account: mine, as: "own", permit };
}

/** The turn's account: the one it began with, else the one that is chosen for it now. It acts as long as the turn is this owner's. */
export async function accountFor(run: TurnRun, inbound: Asking, deed: Deed, choosing: Choosing): Promise<Choice> {
  const known = run.progress().account;
  if (known === undefined) {
    const choice = await chooseAccount(inbound, deed, choosing);
    if ("refusal" in choice) return choice;
    await run.save({ account: { id: choice.account.id, as: choice.as, permit: choice.permit } });
    return { ...choice, account: permittedAccount(choice.account, run.lease) };
  }
  const account = await choosing.accounts.byId(known.id);
  return account === undefined
    ? refused(
        "link_needed",
        "The account that this was asked with is no longer linked. Link one with /link; what was not sent yet then goes on by itself.",
      )
    : { account: permittedAccount(account, run.lease), as: known.as, permit: known.permit };
}
