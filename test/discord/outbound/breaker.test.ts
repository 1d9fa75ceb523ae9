import { describe, expect, test } from "vitest";
import { createBreaker } from "../../../adapters/discord/outbound/breaker.ts";
import { fakeClock } from "../../fakes/clock.ts";
import { open, outcomeOf, saying, signal } from "./open.ts";

describe("refused requests", () => {
  test("end far below the number for which Discord bans, and go on once the time has passed", async () => {
    const clock = fakeClock();
    const breaker = createBreaker(clock);
    let refused = 0;
    for (; refused < 10_000 && breaker.open() === null; refused++) breaker.count(403, new Headers(), true);
    expect(refused).toBeLessThanOrEqual(500);
    expect(breaker.open()).toContain("too many requests");
    await clock.advance(600_001);
    expect(breaker.open()).toBeNull();
  });

  test("are those that Discord counts", () => {
    const breaker = createBreaker(fakeClock());
    for (let answer = 0; answer < 10_000; answer++) {
      breaker.count(429, new Headers({ "x-ratelimit-scope": "shared" }), true);
      for (const status of [200, 204, 400, 404, 500]) breaker.count(status, new Headers(), true);
    }
    expect(breaker.open()).toBeNull();
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
