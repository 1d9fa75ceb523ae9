/** Two Parleys on one PostgreSQL: every message answered once, in its order, in one message, whichever of them has it. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { openFakeDiscord, type FakeDiscord } from "../fakes/discord/discord.ts";
import { mention } from "../fakes/slack/people.ts";
import { openFakeSlack, type FakeSlack } from "../fakes/slack/slack.ts";
import { fasterSlack } from "../soak/paces.ts";
import { shownOf } from "../slack/world.ts";
import { hasPostgres } from "../store/postgres.ts";
import { openHeldModel, type HeldModel } from "./held-model.ts";
import type { Parley } from "./parley.ts";
import { startReplicas, type Replicas, type ReplicasOptions } from "./replicas.ts";

/** Turns that are live when a replica is told to stop. */
const live = 100;
/** How long an owner is frozen at least, in ms. */
const frozenMs = 60_000;

let replicas: Replicas | undefined;
let slack: FakeSlack | undefined;
let discord: FakeDiscord | undefined;
let held: HeldModel | undefined;
afterEach(async () => {
  await replicas?.close();
  await slack?.close();
  await discord?.close();
  await held?.close();
  replicas = slack = discord = held = undefined;
});

const withSlack = async (options: ReplicasOptions = {}): Promise<{ replicas: Replicas; slack: FakeSlack }> => {
  // An event that a stopped replica is given comes again, to the next socket.
  const fake = (slack = await openFakeSlack({ ackMs: 3_000, tries: 20 }));
  const { bot, app } = fake.tokens;
  const env = { SLACK_BOT_TOKEN: bot, SLACK_API_URL: fake.apiUrl, SLACK_APP_TOKEN: app };
  const started = (replicas = await startReplicas(2, env, options));
  await expect.poll(() => readiness(started, "slack")).toEqual(["ready", "ready"]);
  return { replicas: started, slack: fake };
};
const readiness = ({ all }: Replicas, platform: string): Promise<(string | undefined)[]> =>
  Promise.all(
    all.map(async ({ url }) => {
      const { checks } = (await (await fetch(`${url}/readyz`)).json()) as { checks: Record<string, string> };
      return checks[platform];
    }),
  );
const shown = (thread: string): string[] => slack?.answers("C0GENERAL", thread).map((message) => shownOf(message)) ?? [];
const isWhole = (text: string): boolean => !text.includes("Stop") && text.includes(" s");
/** The lines of the log that hold all of `words`. */
const said = (log: string, ...words: string[]): number =>
  log.split("\n").filter((line) => words.every((word) => line.includes(word))).length;

/** What each of them tells of a gauge. */
const gaugeOf = (all: readonly Parley[], name: string): Promise<number[]> =>
  Promise.all(
    all.map(async ({ url }) =>
      Number(new RegExp(`^${name} (\\d+)$`, "m").exec(await (await fetch(`${url}/metrics`)).text())?.[1]),
    ),
  );

/** Which of them runs a turn. */
async function ownerOf({ all }: Replicas): Promise<number> {
  const running = await gaugeOf(all, "parley_turns_here");
  expect(running.toSorted((a, b) => a - b)).toEqual([0, 1]);
  return running.indexOf(1);
}

describe.skipIf(!hasPostgres)("two replicas", () => {
  test("answer what either of them hears: each message once, with no sign left behind", async () => {
    const world = await withSlack();
    const threads = await Promise.all(
      Array.from({ length: 4 }, () => world.slack.person("U0ANN").says("C0GENERAL", `${mention} question 0`)),
    );
    for (let number = 1; number < 4; number++) {
      await Promise.all(
        threads.map(({ ts }) => world.slack.person("U0ANN").says("C0GENERAL", `${mention} question ${number}`, { thread: ts })),
      );
    }
    await expect
      .poll(() => threads.map(({ ts }) => shown(ts).filter(isWhole).length), { timeout: 120_000 })
      .toEqual([4, 4, 4, 4]);
    for (const { ts } of threads)
      expect(shown(ts).map((text) => /question \d/.exec(text)?.[0])).toEqual([0, 1, 2, 3].map((n) => `question ${n}`));
    const ended = () => world.replicas.all.map((parley) => said(parley.log(), "a turn has ended"));
    await expect.poll(() => ended().reduce((sum, turns) => sum + turns)).toBe(16);
    const [one = 0, two = 0] = ended();

    // Each of them goes on with what the other began.
    for (const [index, { ts }] of threads.slice(0, 2).entries()) {
      const other = world.replicas.all[1 - index]?.pid() ?? 0;
      process.kill(other, "SIGSTOP");
      try {
        await world.slack.person("U0ANN").says("C0GENERAL", `${mention} question 4`, { thread: ts });
        await expect.poll(() => shown(ts).filter(isWhole).length).toBe(5);
      } finally {
        process.kill(other, "SIGCONT");
      }
      await expect.poll(ended).toEqual(index === 0 ? [one + 1, two] : [one + 1, two + 1]);
    }
  });

  test("hand over: one that is told to stop gives up its answers within 25 s, and the other goes on in the same messages", async () => {
    const model = (held = await openHeldModel());
    // At Slack's own rates a hundred answers would take minutes.
    const world = await withSlack({ patches: fasterSlack, workspace: model.env });
    const [first, second] = world.replicas.all as [Parley, Parley];
    const asked: { readonly ts: string }[] = [];
    const showing = (words: string): number =>
      asked.filter(({ ts }) => shown(ts).filter((text) => text.includes(words)).length === 1).length;
    while (asked.length < live) {
      const few = Array.from({ length: 10 }, (_, index) =>
        world.slack.person("U0ANN").says("C0GENERAL", `${mention} question ${asked.length + index}`),
      );
      asked.push(...(await Promise.all(few)));
      await expect.poll(() => showing(model.beginning)).toBe(asked.length);
    }
    const [here = 0, there = 0] = await gaugeOf([first, second], "parley_turns_here");
    expect(here).toBeGreaterThan(0);
    expect(here + there).toBe(live);
    expect(await first.stop()).toBe(0);
    expect(said(first.log(), "stopping took too long")).toBe(0);
    expect(said(first.log(), "left to its next owner")).toBe(here);
    await expect.poll(() => gaugeOf([second], "parley_turns_here")).toEqual([live]);
    model.finish();
    await expect.poll(() => showing(model.end), { timeout: 180_000 }).toBe(live);
    expect(asked.map(({ ts }) => shown(ts).length)).toEqual(asked.map(() => 1));
  });

  test("an owner that froze for longer than its lease changes nothing when it wakes; the other has gone on in its message", async () => {
    const world = await withSlack();
    const { ts } = await world.slack.person("U0ANN").says("C0GENERAL", `${mention} write 200 words`);
    await expect.poll(() => shown(ts).some((text) => text.includes("offline model"))).toBe(true);
    const owner = world.replicas.all[await ownerOf(world.replicas)];
    process.kill(owner?.pid() ?? 0, "SIGSTOP");
    try {
      // Twice its lease, and until the other has answered.
      const frozen = sleep(frozenMs);
      await expect.poll(() => shown(ts).filter(isWhole).length, { timeout: 150_000, interval: 500 }).toBe(1);
      await frozen;
    } finally {
      process.kill(owner?.pid() ?? 0, "SIGCONT");
    }
    const answers = world.slack.answers("C0GENERAL", ts);
    await expect.poll(() => said(owner?.log() ?? "", "left to its next owner")).toBe(1);
    expect(world.slack.answers("C0GENERAL", ts)).toEqual(answers);
    expect(shown(ts)).toHaveLength(1);
  });

  test("take Discord's gateway over from one another, with what was said meanwhile", async () => {
    const fake = (discord = await openFakeDiscord());
    const world = (replicas = await startReplicas(2, { DISCORD_BOT_TOKEN: fake.token, DISCORD_API_URL: fake.apiUrl }));
    const guild = fake.guild("Team");
    const general = fake.text(guild, "general");
    const ann = fake.person("Ann", [{ guild }]);
    await expect.poll(() => readiness(world, "discord")).toEqual(["ready", "ready"]);
    const answers = (thread: string) =>
      fake.messages(thread).filter(({ author, content }) => author.id === fake.bot.id && /^-# .*\d s/m.test(content)).length;
    const before = ann.says(general, `${fake.mention} hello`);
    await expect.poll(() => answers(before.id)).toBe(1);
    const holds = await gaugeOf(world.all, "parley_discord_gateway");
    expect(holds.toSorted((a, b) => a - b)).toEqual([0, 1]);
    const holder = world.all[holds.indexOf(1)];
    const next = world.all.filter((parley) => parley !== holder);
    const taken = (): number[] => [holder, ...next].map((parley) => said(parley?.log() ?? "", "has Discord's gateway now"));
    expect(taken()).toEqual([1, 0]);
    await holder?.kill();
    const missed = ann.says(general, `${fake.mention} are you there?`);
    await expect.poll(() => answers(missed.id)).toBe(1);
    expect(fake.messages(missed.id).filter(({ author }) => author.id === fake.bot.id)).toHaveLength(1);
    expect(answers(before.id)).toBe(1);
    expect(taken()).toEqual([1, 1]);
    expect(await gaugeOf(next, "parley_discord_gateway")).toEqual([1]);
  });
});
