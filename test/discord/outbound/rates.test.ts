import { describe, expect, test } from "vitest";
import { createRates } from "../../../adapters/discord/outbound/rates.ts";
import { createPacer } from "../../../src/core/relay/pacer.ts";
import type { Place } from "../../../src/core/place.ts";
import { fakeClock } from "../../fakes/clock.ts";

const api = "http://127.0.0.1:1/api/v10";
const inChannel = (channel: string): Place => ({ platform: "discord", tenant: "1", channel, thread: null });
const told = (limit: number, remaining: number, resetAfter: number, bucket = "b"): Headers =>
  new Headers({
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset-after": resetAfter.toFixed(3),
    "x-ratelimit-bucket": bucket,
  });
const messages = (channel: string): string => `${api}/channels/${channel}/messages`;

describe("rates", () => {
  test("are cautious until Discord has told them, and then its own, in every channel", () => {
    const rates = createRates(fakeClock());
    const before = rates.budgets("edit", inChannel("11"))[0];
    expect(before).toMatchObject({ count: 1, windowMs: 1_055 });
    rates.observe("PATCH", `${messages("11")}/99`, told(5, 4, 5), 0);
    expect(before).toMatchObject({ count: 5, windowMs: 5_055, burst: 1 });
    expect(rates.budgets("edit", inChannel("12"))[0]).toMatchObject({ count: 5, windowMs: 5_055, burst: 1 });
    rates.observe("POST", messages("11"), told(10, 9, 4, "c"), 0);
    expect(rates.budgets("post", inChannel("12"))[0]).toMatchObject({ count: 10, windowMs: 4_055, burst: 10 });
  });

  test("are for each bucket and channel: routes of one bucket share them", () => {
    const rates = createRates(fakeClock());
    const key = (method: "post" | "edit", channel: string): string => rates.budgets(method, inChannel(channel))[0]?.key ?? "";
    rates.observe("POST", messages("11"), told(5, 4, 5, "a"), 0);
    rates.observe("PATCH", `${messages("11")}/99`, told(5, 4, 5, "b"), 0);
    expect(new Set([key("post", "11"), key("edit", "11"), key("post", "12"), key("edit", "12")]).size).toBe(4);
    rates.observe("POST", messages("21"), told(5, 3, 5, "shared"), 0);
    rates.observe("PATCH", `${messages("21")}/99`, told(5, 2, 5, "shared"), 0);
    expect(key("post", "21")).toBe(key("edit", "21"));
  });

  test("count the way to Discord and back", () => {
    const rates = createRates(fakeClock());
    rates.observe("PATCH", `${messages("11")}/99`, told(5, 4, 5), 200);
    expect(rates.budgets("edit", inChannel("11"))[0]).toMatchObject({ windowMs: 5_255 });
    rates.observe("PATCH", `${messages("11")}/99`, told(5, 3, 4), 300);
    expect(rates.budgets("edit", inChannel("11"))[0]).toMatchObject({ windowMs: 5_275 });
  });

  test("a thread has its own", () => {
    const rates = createRates(fakeClock());
    const channel = inChannel("11");
    expect(rates.budgets("post", { ...channel, thread: "12" })[0]?.key).not.toBe(rates.budgets("post", channel)[0]?.key);
  });

  test("a window is learned from its first answer, and a used-up one is closed until it ends", () => {
    const clock = fakeClock();
    const rates = createRates(clock);
    const bucket = rates.budgets("edit", inChannel("11"))[0];
    rates.observe("PATCH", `${messages("11")}/99`, told(5, 1, 2.5), 0);
    expect(bucket).toMatchObject({ windowMs: 2_555 });
    rates.observe("PATCH", `${messages("11")}/99`, told(5, 4, 5), 0);
    rates.observe("PATCH", `${messages("11")}/99`, told(5, 0, 1.2), 0);
    expect(bucket).toMatchObject({ count: 5, windowMs: 5_055 });
    expect((bucket?.closedUntil ?? 0) - clock.now()).toBeGreaterThanOrEqual(1_200);
  });

  test("answers without rates, or with nonsense, change nothing", () => {
    const rates = createRates(fakeClock());
    rates.observe("PATCH", `${messages("11")}/99`, new Headers(), 0);
    rates.observe("PATCH", `${messages("11")}/99`, told(Number.NaN, -1, 5), 0);
    rates.observe("GET", `${api}/users/@me`, told(0, 0, 0), 0);
    expect(rates.budgets("edit", inChannel("11"))[0]).toMatchObject({ count: 1, windowMs: 1_055 });
  });

  test("a refused request's budget is named as the write's own is", () => {
    const rates = createRates(fakeClock());
    const [own, all] = rates.budgets("post", inChannel("11"));
    expect(rates.keyOf("POST", messages("11"), false)).toBe(own?.key);
    expect(rates.keyOf("POST", messages("11"), true)).toBe(all?.key);
  });

  test("those of many channels are forgotten once they are no longer used", async () => {
    const clock = fakeClock();
    const rates = createRates(clock);
    const first = rates.budgets("post", inChannel("1"))[0];
    for (let channel = 2; channel < 600; channel++) rates.budgets("post", inChannel(String(channel)));
    await clock.advance(3_600_000);
    for (let channel = 600; channel < 2_000; channel++) rates.budgets("post", inChannel(String(channel)));
    expect(rates.budgets("post", inChannel("1"))[0]).not.toBe(first);
  });
});

describe("a pacer that follows them", () => {
  test("uses a whole window of posts at once, and spreads edits over theirs", async () => {
    const clock = fakeClock();
    const rates = createRates(clock);
    const pacer = createPacer({ clock, log: { warn: () => {} } });
    rates.observe("POST", messages("11"), told(5, 4, 5, "a"), 0);
    rates.observe("PATCH", `${messages("11")}/99`, told(5, 4, 5, "b"), 0);
    const start = clock.now();
    const granted = { post: [] as number[], edit: [] as number[] };
    for (const method of ["post", "edit"] as const) {
      for (let write = 0; write < 12; write++) {
        pacer.wish({
          budgets: rates.budgets(method, inChannel("11")),
          urgency: "more",
          since: start,
          grant: () => granted[method].push(clock.now() - start) > 0,
        });
      }
    }
    await clock.advance(15_000);
    expect(granted.post).toEqual([0, 0, 0, 0, 0, 5_055, 5_055, 5_055, 5_055, 5_055, 10_110, 10_110]);
    expect(granted.edit).toEqual(Array.from({ length: 12 }, (_, second) => second * 1_011));
  });

  test("waits where Discord says that nothing is left, without taking it for a refusal", async () => {
    const clock = fakeClock();
    const rates = createRates(clock);
    const pacer = createPacer({ clock, log: { warn: () => {} } });
    rates.observe("POST", messages("11"), told(5, 0, 3, "a"), 0);
    const start = clock.now();
    const granted: number[] = [];
    for (let write = 0; write < 6; write++) {
      pacer.wish({
        budgets: rates.budgets("post", inChannel("11")),
        urgency: "more",
        since: start,
        grant: () => granted.push(clock.now() - start) > 0,
      });
    }
    await clock.advance(10_000);
    expect(granted).toEqual([3_055, 3_055, 3_055, 3_055, 3_055, 6_110]);
  });
});
