import { describe, expect, test } from "vitest";
import { createBreaker, type Breaker } from "../../../adapters/discord/outbound/breaker.ts";
import { createDirect } from "../../../adapters/discord/outbound/direct.ts";
import type { DiscordRest } from "../../../adapters/discord/outbound/rest.ts";
import { Fault, WriteFault } from "../../../src/errors.ts";
import { fakeClock, type FakeClock } from "../../fakes/clock.ts";
import { open, outcomeOf, saying, signal } from "./open.ts";

describe("refused requests", () => {
  const shared = { "x-ratelimit-scope": "shared" };
  /** What became of a post to a channel that Discord answers so. */
  const post = (breaker: Breaker, channel: number, status: number, headers: Record<string, string> = {}): Promise<string> => {
    const url = `https://discord.com/api/v10/channels/${channel}/messages`;
    return outcomeOf(breaker.send("POST", url, true, () => Promise.resolve(new Response(null, { status, headers }))));
  };
  /** As a Discord that counts what it refuses; a post in each channel every ten seconds, for a little less than ten minutes. */
  async function storm(breaker: Breaker, clock: FakeClock, channels: readonly number[], statusOf: (round: number) => number) {
    const outcomes = new Set<string>();
    let answered = 0;
    for (let round = 0; round < 59; round++) {
      for (const channel of channels) {
        const url = `https://discord.com/api/v10/channels/${channel}/messages`;
        const refuse = (): Promise<Response> => {
          answered++;
          return Promise.resolve(new Response(null, { status: statusOf(round + channel) }));
        };
        // Without the bot's token: a refused one stops everything by itself.
        const outcome = await outcomeOf(breaker.send("POST", url, false, refuse));
        outcomes.add(outcome);
      }
      await clock.advance(10_000);
    }
    return { answered, outcomes };
  }
  const thirty = Array.from({ length: 30 }, (_, channel) => channel);

  test.for([
    ["401", () => 401],
    ["403", () => 403],
    ["429", () => 429],
    ["all of them", (at: number) => [401, 403, 429][at % 3] ?? 403],
  ] as const)("of %s for ever are at most 100 in ten minutes, in 30 channels", async ([, statusOf]) => {
    const clock = fakeClock();
    const breaker = createBreaker(clock);
    expect((await storm(breaker, clock, thirty, statusOf)).answered).toBe(100);
    expect(breaker.health()).toContain("too many requests");
    expect((await storm(breaker, clock, thirty, statusOf)).answered).toBeLessThanOrEqual(100);
    await clock.advance(600_001);
    expect(breaker.health()).toBeNull();
  });

  test("of one channel are a try a minute, keep no other back, and end with the first that is taken", async () => {
    const clock = fakeClock();
    const breaker = createBreaker(clock);
    const { answered, outcomes } = await storm(breaker, clock, [1], () => 403);
    // Five in the first 40 s, and then one in each minute.
    expect(answered).toBe(5 + 9);
    expect(outcomes).toEqual(new Set(["done", "gone"]));
    expect([breaker.health(), await post(breaker, 2, 201)]).toEqual([null, "done"]);
    expect(await post(breaker, 1, 201)).toBe("gone");
    await clock.advance(60_000);
    for (let message = 0; message < 3; message++) expect(await post(breaker, 1, 201)).toBe("done");
  });

  test("of a hundred leave what Discord takes as it was, and keep back what is new for as long as they count", async () => {
    const clock = fakeClock();
    const breaker = createBreaker(clock);
    await post(breaker, 100, 201);
    await storm(breaker, clock, thirty, () => 403);
    expect(await post(breaker, 101, 201)).toBe("refused");
    await clock.advance(600_001);
    expect(await post(breaker, 101, 201)).toBe("done");
    expect((await storm(breaker, clock, [...thirty, 101], (at) => (at >= 101 ? 201 : 403))).answered).toBe(100 + 59);
  });

  test("are those that Discord counts: none of other answers, and of no limit that is shared", async () => {
    const breaker = createBreaker(fakeClock());
    for (let channel = 0; channel < 200; channel++) {
      for (const status of [200, 201, 400, 404, 500]) await post(breaker, channel, status);
      await post(breaker, channel, 429, shared);
    }
    expect(breaker.health()).toBeNull();
  });

  test("on their way count as refused until they are answered", async () => {
    const breaker = createBreaker(fakeClock());
    const answer = Promise.withResolvers<Response>();
    const url = (channel: number): string => `https://discord.com/api/v10/channels/${channel}/messages`;
    const sent = Array.from({ length: 100 }, (_, channel) => breaker.send("POST", url(channel), true, () => answer.promise));
    expect(await post(breaker, 100, 201)).toBe("refused");
    answer.resolve(new Response(null, { status: 200 }));
    await Promise.all(sent);
    expect(await post(breaker, 100, 201)).toBe("done");
  });

  test("of people who take no direct messages are at most 50 in ten minutes", async () => {
    const clock = fakeClock();
    let asked = 0;
    const call: DiscordRest["call"] = ({ route }) => {
      if (route === "/users/@me/channels") return Promise.resolve({ id: "1" });
      asked++;
      const cause = new Fault("discord_50007", "Cannot send messages to this user");
      return Promise.reject(new WriteFault("gone", "the person takes no direct messages", { cause }));
    };
    const direct = createDirect({ call }, clock);
    const place = { platform: "discord", tenant: "1", channel: "2", thread: null };
    const strangers = async (): Promise<void> => {
      for (let index = 0; index < 200; index++)
        expect(await outcomeOf(direct(place, { id: `${index}`, name: "Ana" }, saying("for you"), signal()))).toBe("gone");
    };
    await strangers();
    expect(asked).toBe(50);
    await clock.advance(600_001);
    await strangers();
    expect(asked).toBe(100);
  });

  test("a token that Discord does not accept stops requests at once, and is tried again after a minute", async () => {
    const clock = fakeClock();
    const { outbound, rest, discord, place } = await open({ clock, token: "wrong" });
    expect(rest.health()).toBeNull();
    for (let write = 0; write < 5; write++) {
      expect(await outcomeOf(outbound.post(place, saying("x"), `turn-${write}/0`, signal()))).toBe("refused");
    }
    expect(discord.refusedRequests).toBe(1);
    expect(rest.health()).toContain("DISCORD_BOT_TOKEN");
    await clock.advance(60_001);
    expect(rest.health()).toBeNull();
    await outcomeOf(outbound.post(place, saying("x"), "turn-a/0", signal()));
    expect(discord.refusedRequests).toBe(2);
  });

  test("a limit is named with its time, and only a shared one is not counted", async () => {
    const { outbound, discord, place } = await open();
    discord.order(
      "POST /channels/:channel/messages",
      { rate_limited: "user", waitMs: 2_000 },
      { rate_limited: "shared", waitMs: 50 },
    );
    await expect(outbound.post(place, saying("x"), "turn-1/0", signal())).rejects.toMatchObject({
      outcome: "rate_limited",
      budgetKey: outbound.limits.budgets("post", place)[0]?.key,
      retryAfterMs: expect.toSatisfy((ms: number) => ms >= 2_000 && ms < 4_000) as number,
    });
    expect(await outcomeOf(outbound.post({ ...place, thread: null }, saying("x"), "turn-1/0", signal()))).toBe("rate_limited");
    expect(discord.commits.filter(({ status }) => status === 429)).toHaveLength(2);
  });

  test("a limit on all requests closes them all", async () => {
    const { outbound, discord, place } = await open();
    discord.order("POST /channels/:channel/messages", { rate_limited: "global", waitMs: 1_000 });
    await expect(outbound.post(place, saying("x"), "turn-1/0", signal())).rejects.toMatchObject({
      outcome: "rate_limited",
      budgetKey: outbound.limits.budgets("post", place).at(-1)?.key,
    });
  });
});
