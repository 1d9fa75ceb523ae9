import { describe, expect, it } from "vitest";
import { WriteFault } from "../../../src/errors.ts";
import { LeaseLost } from "../../../src/core/next-owner.ts";
import { openRelay, type Stray } from "../../../src/core/relay/relay.ts";
import { done, place, reply, setUp, shownText } from "./set-up.ts";

describe("relay", () => {
  it("shows a first sign, the first words and the last state, in one message", async () => {
    const { clock, platform, relay, journal, measured } = setUp();
    relay.show(reply("", { status: "Thinking…" }));
    await clock.advance(150);
    relay.show(reply("Hello"));
    await clock.advance(150);
    relay.show(done("Hello, *world*", { footer: "model" }));
    await clock.advance(150);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(platform.log.map(({ method }) => method)).toEqual(["post", "edit", "edit"]);
    expect(platform.messages).toHaveLength(1);
    expect(platform.messages[0]?.document).toMatchObject({ state: "done", status: null, footer: "model" });
    expect(shownText(platform)).toEqual(["Hello, world"]);
    expect(journal).toEqual([{ messages: [{ place, id: "m1" }], attached: null }]);
    expect(measured["firstWords"]).toEqual([250]);
    expect(clock.pending).toBe(0);
  });

  it("has one write in flight, with the newest text when it starts", async () => {
    const { clock, platform, relay, measured } = setUp();
    for (let words = 1; words <= 100; words++) {
      relay.show(reply("word ".repeat(words)));
      await clock.advance(10);
    }
    relay.show(done("word ".repeat(100)));
    await clock.advance(300);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(platform.log.length).toBeGreaterThan(8);
    expect(platform.log.length).toBeLessThan(14);
    expect(platform.log.length + (measured["editSaved"]?.length ?? 0)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...(measured["staleness"] ?? []))).toBeLessThanOrEqual(220);
  });

  it("writes nothing when nothing changes", async () => {
    const { clock, platform, relay } = setUp();
    for (let turn = 0; turn < 5; turn++) {
      relay.show(reply("The same"));
      await clock.advance(200);
    }
    expect(platform.log).toHaveLength(1);
  });

  it("finds a post whose answer was lost, and posts again what was never carried out", async () => {
    for (const order of ["answer_lost", "request_lost"] as const) {
      const { clock, platform, relay } = setUp();
      platform.order("post", order);
      relay.show(done("Once"));
      await clock.advance(5_000);
      expect(await relay.settled()).toEqual({ kind: "delivered" });
      expect(platform.messages).toHaveLength(1);
      expect(shownText(platform)).toEqual(["Once"]);
    }
  });

  it("shows the newest text after an edit of unknown outcome", async () => {
    const { clock, platform, relay } = setUp();
    relay.show(reply("One"));
    await clock.advance(200);
    platform.order("edit", "request_lost");
    relay.show(reply("One two"));
    await clock.advance(150);
    relay.show(done("One two three"));
    await clock.advance(2_000);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(shownText(platform)).toEqual(["One two three"]);
  });

  it("tries a refused last write until it is accepted", async () => {
    const { clock, platform, relay } = setUp();
    platform.order("post", ...Array.from({ length: 6 }, () => new WriteFault("refused", "come back later")));
    relay.show(done("In the end"));
    await clock.advance(60_000);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(shownText(platform)).toEqual(["In the end"]);
    expect(clock.pending).toBe(0);
  });

  it("gives up on a platform that refuses everything for a quarter of an hour", async () => {
    const { clock, platform, relay } = setUp();
    platform.order("post", ...Array.from({ length: 200 }, () => new WriteFault("refused", "never")));
    relay.show(done("Lost"));
    const settled = relay.settled();
    await clock.advance(1_000_000);
    expect(await settled).toEqual({ kind: "failed", reason: "never" });
    expect(clock.pending).toBe(0);
  });

  it.each([
    [82_721_000, 300_000, "shown 5 minutes late, as too much was being posted here"],
    [45_000, 45_000, "GPT · shown 45 seconds late, as too much was being posted here"],
    [5_000, 5_000, null],
    [-1, 1_000, null],
    [Number.NaN, 1_000, null],
  ])("keeps a pause of %d ms for %d ms, measured at once, and says so where it was long", async (asked, held, footer) => {
    const { clock, platform, measured, relay } = setUp();
    const mine = footer?.startsWith("GPT") === true ? "GPT" : null;
    relay.show(reply("One"));
    await clock.advance(200);
    platform.order("edit", new WriteFault("rate_limited", "too many", { retryAfterMs: asked }));
    relay.show(done("One two", { footer: mine }));
    await clock.advance(held - 1);
    expect(measured["heldBack"]).toEqual([held]);
    expect(shownText(platform)).toEqual(["One"]);
    await clock.advance(2_000);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(shownText(platform)).toEqual(["One two"]);
    expect(platform.messages[0]?.document.footer ?? null).toBe(footer);
  });

  it("ends clearly when its message is gone", async () => {
    const { clock, platform, relay } = setUp();
    relay.show(reply("Here"));
    await clock.advance(200);
    platform.removeByOthers("m1");
    relay.show(done("Here and there"));
    await clock.advance(500);
    expect(await relay.settled()).toMatchObject({ kind: "gone" });
    expect(platform.messages).toHaveLength(0);
  });

  it("writes nothing once the turn is lost", async () => {
    let ours = true;
    const { clock, platform, relay } = setUp({
      guard: {
        acknowledged: () => {},
        lost: () => false,
        permit: () => {
          if (!ours) throw new Error("another process has the turn");
          return new AbortController().signal;
        },
      },
    });
    relay.show(reply("Mine"));
    await clock.advance(200);
    ours = false;
    relay.show(done("Mine still"));
    await clock.advance(500);
    expect(await relay.settled()).toEqual({ kind: "lost", reason: "another process has the turn" });
    expect(shownText(platform)).toEqual(["Mine"]);
  });

  it("ends a write at its deadline and then looks whether it was carried out", async () => {
    const deadlines: AbortController[] = [];
    const { clock, platform, relay } = setUp({
      guard: {
        acknowledged: () => {},
        lost: () => false,
        permit: () => {
          const deadline = new AbortController();
          deadlines.push(deadline);
          return deadline.signal;
        },
      },
    });
    platform.order("post", "silence");
    relay.show(done("Slow"));
    await clock.advance(1_000);
    deadlines[0]?.abort(new Error("deadline"));
    await clock.advance(2_000);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(shownText(platform)).toEqual(["Slow"]);
  });

  it("goes on in the same message after a restart", async () => {
    const { clock, platform, relay, options } = setUp();
    platform.order("post", "answer_lost");
    relay.show(reply("Half an ans"));
    await clock.advance(50);
    void relay.close();
    expect(await relay.settled()).toMatchObject({ kind: "closed" });
    const successor = openRelay({ ...options, resumed: true });
    successor.show(done("Half an answer, and its end"));
    await clock.advance(1_000);
    expect(await successor.settled()).toEqual({ kind: "delivered" });
    expect(platform.messages).toHaveLength(1);
    expect(shownText(platform)).toEqual(["Half an answer, and its end"]);
  });

  it("removes its messages when there is nothing to show after all", async () => {
    const { clock, platform, relay, journal } = setUp();
    relay.show(reply("", { status: "Thinking…" }));
    await clock.advance(200);
    relay.show(done(""));
    await clock.advance(500);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(platform.messages).toHaveLength(0);
    expect(journal.at(-1)).toEqual({ messages: [], attached: null });
  });

  it("waits out a rate limit and then shows the newest text", async () => {
    const { clock, platform, relay } = setUp();
    relay.show(reply("One"));
    await clock.advance(200);
    platform.order("edit", new WriteFault("rate_limited", "too many", { retryAfterMs: 3_000 }));
    relay.show(reply("One two"));
    await clock.advance(500);
    relay.show(done("One two three"));
    await clock.advance(2_000);
    expect(shownText(platform)).toEqual(["One"]);
    await clock.advance(1_500);
    expect(await relay.settled()).toEqual({ kind: "delivered" });
    expect(shownText(platform)).toEqual(["One two three"]);
  });

  it("tells of posts that nobody may know, once the turn is lost, and of no others", async () => {
    let lost = false;
    const strays: Stray[] = [];
    const { clock, platform, relay, options } = setUp({
      guard: { permit: () => new AbortController().signal, acknowledged: () => {}, lost: () => lost },
      onStray: (stray) => void strays.push(stray),
    });
    const closed = async (again = false): Promise<void> => {
      const one = again ? openRelay({ ...options, key: "other" }) : relay;
      one.show(reply("Text"));
      await clock.advance(50);
      lost = true;
      const closing = one.close();
      await clock.advance(200);
      await closing;
      lost = false;
    };
    platform.order("post", new WriteFault("refused", "not here"));
    await closed();
    expect(strays).toEqual([]);
    platform.order("post", "request_lost");
    await closed(true);
    expect(strays).toEqual([{ place, name: "other/0", slot: 0, posted: undefined }]);
    const journal = (): Promise<void> => Promise.reject(new LeaseLost("another process has the turn"));
    openRelay({ ...options, key: "third", journal }).show(reply("Text"));
    await clock.advance(500);
    expect(strays.slice(1)).toEqual([{ place, name: "third/0", slot: 0, posted: { place, id: "m1" } }]);
  });

  it("tells of a journal that cannot be written", async () => {
    const { clock, relay } = setUp({ journal: () => Promise.reject(new Error("disk full")) });
    relay.show(done("Text"));
    await clock.advance(500);
    expect(await relay.settled()).toEqual({ kind: "failed", reason: "disk full" });
  });
});
