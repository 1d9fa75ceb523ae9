/** What was said while Parley was down: read from the history, and taken in as if it came now. The inbox knows what it has. */
import { sleep, type Clock } from "../../../src/clock.ts";
import type { KeyValueMap } from "../../../src/core/maps.ts";
import { placeKey } from "../../../src/core/place.ts";
import { objectIn, objectsIn, textIn, timeOf, type Payload } from "../payload.ts";
import type { SlackWeb } from "../outbound/web.ts";
import { placeOf, type Identity } from "./address.ts";
import type { Intake } from "./intake.ts";
import { isAnswer } from "./people.ts";

export interface MissedOptions {
  readonly web: SlackWeb;
  readonly self: Identity;
  readonly intake: Intake;
  readonly seen: KeyValueMap<number>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Nothing older than this is answered late, in ms. */
const longestMs = 6 * 60 * 60_000;
/** Messages of one channel, and replies of one thread. */
const perChannel = 100;
/** Threads of one channel that are looked into. */
const threadsPerChannel = 20;
/** Slack lets history be read 50 times a minute; this leaves room for the rest, in ms. */
const betweenMs = 1_500;
/** How often the time is noted, in ms: a crash is made up for from that time on. */
const noteMs = 60_000;

/** Under the workspace's places, so that it goes with them. */
const seenKey = ({ team }: Identity): string => placeKey(placeOf(team, "seen", null));

/**
 * Takes in what is addressed to Parley since it was last there; the first start has nothing to make up for.
 * Notes from then on, until `signal`, that Parley is there.
 * @returns how many messages were taken in
 */
export async function fetchMissed(options: MissedOptions): Promise<number> {
  const { self, seen, clock, signal } = options;
  const last = await seen.get(seenKey(self));
  const now = clock.now();
  try {
    return last === undefined ? 0 : await readChannels(options, Math.max(last - noteMs, now - longestMs));
  } finally {
    if (!signal.aborted) await note(options);
  }
}

async function note(options: MissedOptions): Promise<void> {
  const { seen, self, clock, signal } = options;
  await seen.set(seenKey(self), clock.now());
  const cancel = clock.after(noteMs, () => {
    signal.removeEventListener("abort", cancel);
    // A missed note only makes the next start look further back.
    note(options).catch(() => {});
  });
  signal.addEventListener("abort", cancel, { once: true });
}

async function readChannels(options: MissedOptions, since: number): Promise<number> {
  const { web, clock, signal } = options;
  let stored = 0;
  let cursor = "";
  do {
    const answer: Payload = await web.call(
      "users.conversations",
      {
        types: "public_channel,private_channel,im,mpim",
        exclude_archived: true,
        limit: 200,
        ...(cursor === "" ? {} : { cursor }),
      },
      signal,
    );
    for (const channel of objectsIn(answer, "channels")) {
      stored += await readChannel(options, textIn(channel, "id"), since);
      await sleep(clock, betweenMs, signal);
    }
    cursor = textIn(objectIn(answer, "response_metadata"), "next_cursor");
  } while (cursor !== "");
  return stored;
}

async function readChannel(options: MissedOptions, channel: string, since: number): Promise<number> {
  const { web, clock, signal } = options;
  const read = async (method: string, more: object): Promise<readonly Payload[]> => {
    try {
      return objectsIn(await web.call(method, { channel, limit: perChannel, ...more }, signal), "messages");
    } catch (thrown) {
      if (isAnswer(thrown)) return [];
      throw thrown;
    }
  };
  // Threads that began before are found by their newest reply, so the history is read from further back.
  const history = await read("conversations.history", { oldest: String((clock.now() - longestMs) / 1000) });
  let stored = 0;
  for (const message of history.toReversed()) stored += await take(options, channel, message, since);
  const threads = history.filter((message) => timeOf(textIn(message, "latest_reply")) > since).slice(0, threadsPerChannel);
  for (const root of threads) {
    await sleep(clock, betweenMs, signal);
    const replies = await read("conversations.replies", { ts: textIn(root, "ts"), oldest: String(since / 1000) });
    for (const reply of replies) if (reply["ts"] !== root["ts"]) stored += await take(options, channel, reply, since);
  }
  return stored;
}

async function take({ intake, signal }: MissedOptions, channel: string, message: Payload, since: number): Promise<number> {
  signal.throwIfAborted();
  if (timeOf(textIn(message, "ts")) <= since) return 0;
  return (await intake.take({ event: { ...message, type: "message", channel } })) === "stored" ? 1 : 0;
}
