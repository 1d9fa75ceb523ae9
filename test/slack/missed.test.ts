/** What was said while Parley was down is answered at its next start, once. */
import { afterEach, expect, it } from "vitest";
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
  await until(() => opened.log.some((line) => line.includes("messages that were missed")));
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
