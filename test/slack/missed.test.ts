/** What was said while Parley was away is answered when it is back, once. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { html, rateLimited, reset, serverError } from "../fakes/slack/faults.ts";
import { mention } from "../fakes/slack/people.ts";
import { memoryMap, openAdapter, until, type Adapter } from "./adapter.ts";

let opened: Adapter;
afterEach(() => opened.close());

const minute = 60_000;
const seenKey = "slack:T0ACME:seen:";

/** Parley was there until `ago`, and takes part in the thread of `root`. */
async function open(ago: number | null, before: (adapter: Adapter) => Promise<string>): Promise<void> {
  const seen = memoryMap<number>();
  const participation = memoryMap<true>();
  const immediate = {
    now: () => Date.now(),
    after: (_ms: number, then: () => void) => {
      const timer = setTimeout(then, 0);
      return () => clearTimeout(timer);
    },
  };
  if (ago !== null) await seen.set(seenKey, Date.now() - ago);
  opened = await openAdapter("socket", {
    started: false,
    adapter: {
      seen,
      participation,
      catchUp: true,
      clock: { ...immediate, after: (ms, then) => (ms === 1_500 ? immediate.after(ms, then) : () => {}) },
    },
  });
  const root = await before(opened);
  await participation.set(`slack:T0ACME:C0GENERAL:${root}`, true);
  await opened.adapter.platform.start(opened.inbox, new AbortController().signal);
}

const texts = (): unknown[] => opened.inbox.received.map((inbound) => (inbound.kind === "message" ? inbound.runs : inbound.kind));

it("answers missed mentions, follow-ups and direct messages, and nothing that was not for it", async () => {
  await open(10 * minute, async ({ slack }) => {
    const ann = slack.person("U0ANN");
    const { ts } = await ann.says("C0GENERAL", `${mention} missed`, { silently: true });
    await ann.says("C0GENERAL", "lunch?", { silently: true });
    await ann.says("C0GENERAL", "and this?", { thread: ts, silently: true });
    await ann.says("D0ANN", "are you there?", { silently: true });
    await slack.person("U0ROBOT").says("C0GENERAL", `${mention} beep`, { silently: true });
    return ts;
  });
  await until(() => opened.inbox.received.length === 3);
  expect(texts()).toEqual(
    expect.arrayContaining([[{ typed: "missed" }], [{ typed: "and this?" }], [{ typed: "are you there?" }]]),
  );
  await until(() => opened.log.some((line) => line.includes("looked through the messages")));
  expect(opened.inbox.received).toHaveLength(3);
});

it("answers nothing that is older than its last time there, and nothing at its first start", async () => {
  for (const ago of [-2 * minute, null]) {
    await open(
      ago,
      async ({ slack }) => (await slack.person("U0ANN").says("C0GENERAL", `${mention} long ago`, { silently: true })).ts,
    );
    await until(() =>
      ago === null
        ? opened.adapter.platform.health() === null
        : opened.slack.calls.filter(({ method }) => method === "conversations.history").length === 7,
    );
    expect(opened.inbox.received).toEqual([]);
    if (ago !== null) await opened.close();
  }
});

/** A clock that runs so many times as fast, and that a test can have leap, as for a process that is paused. */
const speed = 20;
function quickClock() {
  const began = Date.now();
  let leaps = 0;
  return {
    now: () => began + (Date.now() - began) * speed + leaps,
    after: (ms: number, then: () => void) => {
      const timer = setTimeout(then, ms / speed);
      return () => clearTimeout(timer);
    },
    leap: (ms: number) => void (leaps += ms),
  };
}

describe("what is missed", () => {
  const clock = quickClock();
  let seen: ReturnType<typeof memoryMap<number>>;
  beforeEach(() => (seen = memoryMap<number>()));
  const start = async (): Promise<void> => {
    opened = await openAdapter("socket", {
      started: false,
      slack: { now: clock.now },
      adapter: { seen, participation: memoryMap<true>(), catchUp: true, clock },
    });
  };
  const begin = (): Promise<void> => opened.adapter.platform.start(opened.inbox, new AbortController().signal);
  const asks = (text: string, more = {}) =>
    opened.slack.person("U0ANN").says("C0GENERAL", `${mention} ${text}`, { silently: true, ...more });

  it("is read again where Slack does not give it, and never passed over", async () => {
    await seen.set(seenKey, clock.now() - minute);
    await start();
    await asks("missed");
    const { faults } = opened.slack;
    faults.add("users.conversations", serverError(), reset);
    faults.add("conversations.history", serverError(), html, rateLimited("1"));
    const before = await seen.get(seenKey);
    await begin();
    await until(() => opened.slack.calls.filter(({ method }) => method === "conversations.history").length > 1);
    // Whoever starts after this process's end begins where it did.
    expect(await seen.get(seenKey)).toBe(before);
    await until(() => opened.inbox.received.length === 1);
    expect(texts()).toEqual([[{ typed: "missed" }]]);
    await expect.poll(() => seen.get(seenKey)).not.toBe(before);
  });

  it("while the process was paused is made up for when it goes on", async () => {
    await start();
    await begin();
    await expect.poll(() => seen.get(seenKey)).toBeDefined();
    const { ts } = await asks("while it was paused");
    clock.leap(2 * minute);
    await until(() => opened.inbox.received.length === 1);
    expect(opened.inbox.received[0]).toMatchObject({ kind: "message", message: ts });
  });

  it("is found behind hundreds of other messages, of the channel and of a thread", async () => {
    await seen.set(seenKey, clock.now() - minute);
    await start();
    const { ts } = await asks("one");
    for (let index = 0; index < 250; index++) {
      await opened.slack.person("U0BEN").says("C0GENERAL", "lunch?", { silently: true });
      await opened.slack.person("U0BEN").says("C0GENERAL", "no", { silently: true, thread: ts });
    }
    await asks("two", { thread: ts });
    await begin();
    await until(() => opened.inbox.received.length >= 2 + 250);
    expect(texts().filter((text) => JSON.stringify(text).match(/one|two/))).toEqual([[{ typed: "one" }], [{ typed: "two" }]]);
  });
});
