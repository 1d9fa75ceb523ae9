/** Turns that delete: a message that was taken back, a person who wants to be forgotten, a tenant that Parley was removed from. */
import { sleep, type Clock } from "../../clock.ts";
import { Fault, WorkspaceFault, WriteFault } from "../../errors.ts";
import type { Accounts } from "../accounts.ts";
import type { Audit } from "../audit.ts";
import { isCommandButton, type ButtonBook } from "../command-buttons.ts";
import { forget as forgetCommand } from "../commands/forget.ts";
import { emptyDocument, paragraph } from "../document.ts";
import type { Begun, Counts, Forgetting, Remains, Whose } from "../forgetting.ts";
import type { Inbound, InboundDelete } from "../inbound.ts";
import { leaseTimes } from "./lease.ts";
import type { TurnRun } from "./run.ts";
import type { Ending } from "./settle.ts";
import type { Leaves, StoredTurn, TurnStore } from "./store.ts";

export interface Forget {
  readonly forgetting: Forgetting;
  readonly accounts: Accounts;
  readonly store: TurnStore;
  readonly audit: Audit;
  readonly clock: Clock;
  /** Ends a turn of this process at once, and takes away what it shows. */
  readonly remove: (key: string, leaves: Leaves) => void;
  /** Takes away the sign of a turn that waited. */
  readonly takeAway: (run: TurnRun, waiting: StoredTurn) => Promise<void>;
}

/**
 * Whoever runs a turn that is to go finds out at the next renewal of its lease, and has a write's time to end; ms.
 * Then what it may still have stored is deleted too.
 */
const noticedMs = leaseTimes.renew + leaseTimes.write;
const lookMs = 500;

/** Ends turns that wait or run. @returns those that waited, which nobody else ends */
async function endAll(
  run: TurnRun,
  keys: readonly string[],
  leaves: Leaves,
  { store, clock, remove, takeAway }: Forget,
): Promise<Set<string>> {
  const waited = new Set<string>();
  for (const key of keys.filter((one) => one !== run.turn.key)) {
    // Read before, as a cancelled turn's text is gone.
    const waiting = await store.find(key);
    if (await store.cancelWaiting(key, clock.now())) {
      if (waiting !== undefined) await takeAway(run, waiting);
      waited.add(key);
    } else {
      remove(key, leaves);
      await store.requestRemoval(key, clock.now(), leaves);
    }
  }
  return waited;
}

/** Waits until `over` says so, or until whoever had to find something out has. */
async function waitUntil(over: () => Promise<boolean>, run: TurnRun, clock: Clock): Promise<void> {
  for (const until = clock.now() + noticedMs; clock.now() < until;) {
    if (await over()) return;
    await sleep(clock, lookMs, run.lease.over);
  }
}

/** Deletes what was posted for a turn; what is gone already is well. */
async function deletePosted({ platform, lease }: TurnRun, { delivery }: Remains): Promise<void> {
  const posted = [...delivery.messages, ...(delivery.attached === null ? [] : [delivery.attached])];
  for (const one of posted.toReversed()) {
    try {
      await platform.remove(one, lease.permit());
    } catch (thrown) {
      if (!(thrown instanceof WriteFault && thrown.outcome === "gone")) throw thrown;
    }
  }
}

/** A message was deleted: its turn ends, its answer goes, and of both only the key stays, so that a repeat of it is known. */
export async function takeBack(run: TurnRun, { target, direct }: InboundDelete, forget: Forget): Promise<Ending> {
  const { forgetting, audit, clock } = forget;
  const open = (await forgetting.remains(target)).filter(({ closed }) => !closed);
  const keys = open.map(({ key }) => key);
  const waited = await endAll(run, keys, "key", forget);
  await waitUntil(async () => (await forgetting.remains(target)).every(({ closed }) => closed), run, clock);
  for (const turn of await forgetting.remains(target)) {
    await deletePosted(run, turn);
    if (turn.closed) await forgetting.strip(turn.key);
  }
  for (const { key, place, person, kind } of open.filter((turn) => waited.has(turn.key))) {
    const entry = { person, place, direct: direct === true, kind, account: null, outcome: "cancelled" };
    await audit.record({ ...entry, turn: key, correlation: null });
  }
  return { outcome: "done", keepText: false, leaves: "key" };
}

/** Parley was removed from a tenant. */
export async function purgeTenant(run: TurnRun, { place }: Inbound, forget: Forget): Promise<Ending> {
  const { platform, tenant } = place;
  const { forgetting, clock } = forget;
  // Nothing waits for anybody's turn to end: where Parley was removed, nothing more can be shown.
  const counts = await forgetting.tenant(platform, tenant, run.turn.key);
  await sleep(clock, noticedMs, run.lease.over);
  const late = await forgetting.tenant(platform, tenant, run.turn.key);
  await forget.audit.record({
    person: null,
    place: { platform, tenant, channel: "", thread: null },
    direct: false,
    kind: "purge",
    account: null,
    outcome: "done",
    turn: run.turn.key,
    correlation: null,
    counts: Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count + (late[name] ?? 0)])),
  });
  return { outcome: "done", keepText: false, leaves: "nothing" };
}

/** Whoever is refused anything else may still be forgotten. */
export async function asksToBeForgotten(inbound: Inbound, buttons: Pick<ButtonBook, "pressed">): Promise<boolean> {
  if (inbound.kind === "command") return inbound.name.toLowerCase() === forgetCommand.name;
  const pressed = inbound.kind === "action" && isCommandButton(inbound.action) ? await buttons.pressed(inbound) : undefined;
  return pressed?.name === forgetCommand.name;
}

/** Forgets whoever asks, and deletes the conversations that they have begun with a key of their own, where they want `all` gone. */
export async function forgetAsker(run: TurnRun, inbound: Inbound, forget: Forget, what: "asker" | "all"): Promise<Ending> {
  const { place, author, direct } = inbound;
  const { forgetting, clock } = forget;
  const begun = what === "all" ? await forgetting.begun(place.platform, author.id) : [];

  const whose: Whose = { platform: place.platform, person: author.id };
  await endAll(run, await forgetting.openTurns(whose), "nothing", forget);
  const isMine = (key: string): boolean => key === run.turn.key;
  await waitUntil(async () => (await forgetting.openTurns(whose)).every(isMine), run, clock);
  const removed = what === "all" ? await removeConversations(run, begun, forget) : {};
  const forgotten = await forgetting.person(place.platform, author.id, direct === true ? place : null, run.turn.key);
  const counts = { ...forgotten.counts, ...removed };
  await run.whisper({ place, author }, { ...emptyDocument, blocks: forgottenText(counts).map(paragraph) });
  return { outcome: "done", keepText: false, leaves: "nothing", forgotten: { ...forgotten, counts } };
}

const many = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;

function forgottenText(counts: Counts): readonly string[] {
  const { turns = 0, ratings = 0, entries = 0, links = 0, conversations, failed = 0 } = counts;
  const account = links > 0 ? ", your linked account" : "";
  return [
    `Done. Parley has deleted what it held of you: ${many(turns, "message")} with what belonged to them, ${many(ratings, "rating")}${account}, ` +
      `and ${many(entries, "entry", "entries")} of settings and threads. Answers that were forming for you were stopped.`,
    ...(conversations === undefined
      ? []
      : [`${many(conversations, "conversation")} in the workspace ${conversations === 1 ? "was" : "were"} deleted.`]),
    ...(failed === 0 ? [] : [`${many(failed, "conversation")} could not be deleted, and can be in the workspace itself.`]),
    `What was posted here${conversations === undefined ? ", and what the workspace has of it," : ""} stays where it is.`,
  ];
}

/** All of them together take no longer, in ms; what is not deleted by then is counted as failed. */
const removingMs = 25_000;
const removedAtOnce = 4;

/** Deletes conversations at the workspace, each with the key that began it. */
async function removeConversations(run: TurnRun, begun: readonly Begun[], { accounts, clock }: Forget): Promise<Counts> {
  const late = new AbortController();
  const cancel = clock.after(removingMs, () => late.abort(new Fault("late", "deleting took too long")));
  const signal = AbortSignal.any([run.lease.over, late.signal]);
  const left = [...begun];
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      try {
        const account = await accounts.byId(next.account);
        if (account === undefined) throw new Fault("no_account", "the account is no longer linked, or its key not accepted");
        await account.workspace.conversations.remove(next.conversationId, { signal });
      } catch (thrown) {
        run.lease.over.throwIfAborted();
        // Gone already is what was wanted.
        if (thrown instanceof WorkspaceFault && thrown.kind === "not_found") continue;
        failed++;
        run.log.warn({ err: thrown, turn: run.turn.key }, "a conversation could not be deleted at the workspace");
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: removedAtOnce }, work));
  } finally {
    cancel();
  }
  return { conversations: begun.length - failed, failed };
}
