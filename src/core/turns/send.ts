/** Sends a turn's words once: the intent is stored before, the conversation as soon as it is known, and a lost answer is looked for. */
import { sleep, type Clock } from "../../clock.ts";
import type { FollowUpBody, StartBody } from "../../contract/bodies.ts";
import type { Conversation, Message } from "../../contract/records.ts";
import { WorkspaceFault } from "../../errors.ts";
import type { Place } from "../place.ts";
import type { Threads } from "../threads.ts";
import { digestOf } from "../words.ts";
import type { Workspace } from "../workspace.ts";
import { passing, uncertain } from "../workspace-faults.ts";
import { lookTwice, skewMs } from "./look-twice.ts";
import type { Intent } from "./progress.ts";
import { firstWaitMs, longestWaitMs, reachMs } from "./reaching.ts";
import type { TurnRun } from "./run.ts";

export interface Sending {
  readonly workspace: Workspace;
  readonly threads: Threads;
  readonly clock: Clock;
  readonly place: Place;
  /** Null: a new conversation. */
  readonly conversationId: number | null;
  readonly newest: number;
  readonly start: StartBody;
  readonly followUp: FollowUpBody;
  readonly projectId: number | undefined;
  readonly signal: AbortSignal;
  /** Tells the asker what keeps the words from the workspace, and that Parley goes on trying. */
  readonly onTrouble: (thrown: WorkspaceFault) => void;
}

/** `unknown`: the words may or may not have arrived, and nothing tells which. */
export type Sent = { readonly conversationId: number; readonly after: number } | "unknown";

/** Lists of conversations that are looked through, of 50 each. */
const searchedPages = 4;

/** Sends the words of a turn, or finds that an earlier try has. Throws `WorkspaceFault` when the workspace refuses. */
export async function send(run: TurnRun, sending: Sending): Promise<Sent> {
  const { sent, intent } = run.progress();
  if (sent !== undefined) return { conversationId: sent.conversationId, after: intent?.after ?? 0 };
  // An intent without its outcome: an earlier owner of this turn may have sent.
  if (intent !== undefined) {
    const found = await find(sending, intent);
    if (found !== "nothing") return finish(run, found, intent.after);
  }
  return trySending(run, sending);
}

async function trySending(run: TurnRun, sending: Sending): Promise<Sent> {
  const { clock, conversationId, newest, signal } = sending;
  const digest = digestOf(sending.followUp.message ?? "");
  const intent: Intent = { at: clock.now(), conversationId, after: conversationId === null ? 0 : newest, digest };
  await run.save({ intent });
  const until = clock.now() + reachMs;
  for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, longestWaitMs)) {
    try {
      return await finish(run, await once(sending), intent.after);
    } catch (thrown) {
      if (uncertain(thrown)) {
        run.log.warn({ err: thrown, turn: run.turn.key }, "the answer to a send was lost; looking for what was sent");
        const found = await find(sending, intent);
        if (found !== "nothing") return finish(run, found, intent.after);
      } else if (!passing(thrown)) throw thrown;
      if (clock.now() + wait > until) throw thrown;
      sending.onTrouble(thrown as WorkspaceFault);
      await sleep(clock, wait * (0.5 + run.random()), signal);
    }
  }
}

async function once({ workspace, conversationId, start, followUp, projectId, signal }: Sending): Promise<number> {
  if (conversationId === null) {
    const accepted = await workspace.conversations.start(start, { signal, ...(projectId === undefined ? {} : { projectId }) });
    return accepted.conversationId;
  }
  await workspace.conversations.followUp(conversationId, followUp, { signal });
  return conversationId;
}

async function finish(run: TurnRun, found: number | "unknown", after: number): Promise<Sent> {
  if (found === "unknown") return found;
  await run.save({ sent: { conversationId: found } });
  return { conversationId: found, after };
}

type Found = number | "unknown" | "nothing";

/** Looks for words whose send has no known outcome. */
function find(sending: Sending, intent: Intent): Promise<Found> {
  const look = (): Promise<Found> =>
    intent.conversationId === null ? findStart(sending, intent) : findFollowUp(sending, intent.conversationId, intent);
  return lookTwice(sending, sending.signal, look, (found) => found !== "nothing");
}

/** The user message of an intent among messages newer than it knew of. */
export const isIntended = (intent: Intent, message: Message): boolean =>
  message.isUser && message.ID > intent.after && digestOf(message.text) === intent.digest;

async function findFollowUp({ workspace, signal }: Sending, conversationId: number, intent: Intent): Promise<Found> {
  const { items } = await workspace.conversations.messages(conversationId, { size: 50, signal });
  return items.some((message) => isIntended(intent, message)) ? conversationId : "nothing";
}

/** A lost start: among conversations newer than the intent and bound to no place, those that begin with the same words. */
async function findStart(sending: Sending, intent: Intent): Promise<Found> {
  const { workspace, threads, signal } = sending;
  const isNew = (conversation: Conversation): boolean => !(Date.parse(conversation.CreatedAt) < intent.at - skewMs);
  const matches: number[] = [];
  for (let page = 1; page <= searchedPages; page++) {
    const { items } = await workspace.conversations.list({ page, size: 50, signal });
    for (const conversation of items.filter(isNew)) {
      if ((await threads.placeOf(conversation.ID)) !== undefined) continue;
      const messages = await workspace.conversations.messages(conversation.ID, { size: 50, signal });
      const first = messages.items.findLast((message) => message.isUser);
      if (first !== undefined && isIntended(intent, first)) matches.push(conversation.ID);
    }
    if (items.length === 0 || !items.some(isNew)) break;
  }
  if (matches.length > 1) return "unknown";
  return matches[0] ?? "nothing";
}
