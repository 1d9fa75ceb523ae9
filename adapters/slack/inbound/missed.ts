/** What was said while Parley was away: read from the history, and taken in as if it came now. The inbox knows what it has. */
import { sleep, type Clock } from "../../../src/clock.ts";
import { insist, type Insisting } from "../../../src/core/insist.ts";
import { reasonOf } from "../../../src/errors.ts";
import type { SlackWeb } from "../outbound/web.ts";
import { objectIn, objectsIn, textIn, timeOf, type Payload } from "../payload.ts";
import type { Intake } from "./intake.ts";
import { isAnswer } from "./people.ts";

export interface MissedOptions {
  readonly web: SlackWeb;
  readonly intake: Pick<Intake, "take">;
  readonly clock: Clock;
  readonly log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
}

/** Nothing older than this is answered late, in ms. */
const longestMs = 6 * 60 * 60_000;
/** Clocks differ, and an event is under way for a while, in ms. What was taken in before is known by its key. */
const overlapMs = 60_000;
/** Messages of one page, and pages of one channel or thread: beyond them it is said that there were more. */
const perPage = 100;
const mostPages = 10;
/** Slack lets history be read 50 times a minute; this leaves room for the rest, in ms. */
const betweenMs = 1_500;
/** Between two tries of one read, in ms. */
const retry = { firstMs: 1_000, longestMs: 60_000 };

/**
 * Takes in what was addressed to Parley since `since`, in ms since 1970, or in the last six hours.
 * What Slack or the store does not give is asked for again until `signal` ends; a channel that Slack refuses is passed over.
 * @returns how many messages were read that Parley had to do with
 */
export async function fetchMissed(options: MissedOptions, since: number, signal: AbortSignal): Promise<number> {
  const { clock, intake } = options;
  const now = clock.now();
  const from = Math.max(since - overlapMs, now - longestMs);
  let found = 0;
  const take = async (channel: string, message: Payload): Promise<void> => {
    if (timeOf(textIn(message, "ts")) <= from) return;
    signal.throwIfAborted();
    const event = { ...message, type: "message", channel };
    if ((await insist(() => intake.take({ event }), insisting(options, signal))) === "stored") found++;
  };
  for (const channel of await channelsOf(options, signal)) {
    // Threads that began before are found by their newest reply, so the history is read from further back.
    const history = await readAll(options, "conversations.history", { channel, oldest: secondsOf(now - longestMs) }, signal);
    for (const message of history.toReversed()) await take(channel, message);
    for (const root of history) {
      if (timeOf(textIn(root, "latest_reply")) <= from) continue;
      const thread = { channel, ts: textIn(root, "ts"), oldest: secondsOf(from) };
      const replies = await readAll(options, "conversations.replies", thread, signal);
      for (const reply of replies) if (reply["ts"] !== root["ts"]) await take(channel, reply);
    }
  }
  return found;
}

const secondsOf = (ms: number): string => String(ms / 1_000);

async function channelsOf(options: MissedOptions, signal: AbortSignal): Promise<string[]> {
  const types = "public_channel,private_channel,im,mpim";
  const channels: string[] = [];
  let cursor = "";
  do {
    const more = cursor === "" ? {} : { cursor };
    const page = await read(options, "users.conversations", { types, exclude_archived: true, limit: 200, ...more }, signal);
    channels.push(...objectsIn(page, "channels").map((channel) => textIn(channel, "id")));
    cursor = textIn(objectIn(page, "response_metadata"), "next_cursor");
  } while (cursor !== "");
  return channels;
}

/** All pages of a channel or a thread. */
async function readAll(options: MissedOptions, method: string, of: object, signal: AbortSignal): Promise<readonly Payload[]> {
  const messages: Payload[] = [];
  let cursor = "";
  for (let pages = 0; pages < mostPages; pages++) {
    const more = cursor === "" ? {} : { cursor };
    const page = await read(options, method, { ...of, limit: perPage, ...more }, signal);
    messages.push(...objectsIn(page, "messages"));
    cursor = textIn(objectIn(page, "response_metadata"), "next_cursor");
    if (cursor === "") return messages;
  }
  options.log.warn({ method, ...of, read: messages.length }, "more was said while Parley was away than it makes up for");
  return messages;
}

/** One page; empty where Slack refuses it. */
async function read(options: MissedOptions, method: string, more: object, signal: AbortSignal): Promise<Payload> {
  await sleep(options.clock, betweenMs, signal);
  const page = async (): Promise<Payload> => {
    try {
      return await options.web.call(method, { ...more }, signal);
    } catch (thrown) {
      if (!isAnswer(thrown)) throw thrown;
      options.log.warn({ method, reason: reasonOf(thrown) }, "Slack does not show what was said while Parley was away");
      return {};
    }
  };
  return insist(page, insisting(options, signal));
}

const insisting = ({ clock, log }: MissedOptions, signal: AbortSignal): Insisting => ({
  ...retry,
  clock,
  signal,
  onFailure: (thrown) =>
    log.warn({ reason: reasonOf(thrown) }, "what was said while Parley was away could not be made up for yet"),
});
