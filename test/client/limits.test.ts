/** A workspace that says "too many": whom it said it to waits as long as it asked, and one at a time asks again. */
import { expect, test } from "vitest";
import { createBreaker, type Breaker } from "../../src/client/breaker.ts";
import { retryAfterMs } from "../../src/client/retry-after.ts";
import { WorkspaceFault, type WorkspaceFaultKind } from "../../src/errors.ts";
import { fakeClock, type FakeClock } from "../fakes/clock.ts";
import { clientOf, httpServer } from "./raw-server.ts";

const limited = (retryAfterMs = 0): WorkspaceFault => new WorkspaceFault("rate_limited", "too many", { retryAfterMs });

function world(random = 0) {
  const clock = fakeClock();
  const warnings: object[] = [];
  const breaker = createBreaker(clock, () => random, { info: () => {}, warn: (fields) => void warnings.push(fields) });
  return { clock, breaker, warnings };
}

/** Asks for `account`; `answer` is what comes of it where it is sent. @returns what came, and whether it was sent */
async function ask(breaker: Breaker, account: string, answer: WorkspaceFault | "well" = "well") {
  let sent = false;
  const came = await breaker
    .through(account, () => {
      sent = true;
      return answer === "well" ? Promise.resolve(answer) : Promise.reject(answer);
    })
    .catch((thrown: unknown) => (thrown as WorkspaceFault).kind);
  return { sent, came };
}
const sent = { sent: true, came: "well" };
const kept = { sent: false, came: "rate_limited" satisfies WorkspaceFaultKind };

/** Asks every 100 ms until something is sent. @returns after how many ms */
async function waited(clock: FakeClock, breaker: Breaker, account: string, answer: WorkspaceFault | "well"): Promise<number> {
  for (let ms = 0; ; ms += 100) {
    if ((await ask(breaker, account, answer)).sent) return ms;
    if (ms > 1_000_000) throw new Error("nothing is sent any more");
    await clock.advance(100);
  }
}

test("waits as long as it is asked to, never shorter; without a time, longer and longer", async () => {
  const { clock, breaker } = world();
  await ask(breaker, "a", limited(7_000));
  expect(await ask(breaker, "a")).toEqual(kept);
  expect(await waited(clock, breaker, "a", limited(3_000))).toBe(7_000);
  expect(await waited(clock, breaker, "a", "well")).toBe(3_000);
  expect(await ask(breaker, "a")).toEqual(sent);
  await ask(breaker, "a", limited());
  for (const wait of [500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
    expect(await waited(clock, breaker, "a", limited())).toBe(wait);
});

test("by chance waits longer, so that replicas do not ask together", async () => {
  const { clock, breaker } = world(0.8);
  await ask(breaker, "a", limited(10_000));
  expect(await waited(clock, breaker, "a", "well")).toBe(12_000);
  await ask(breaker, "a", limited());
  expect(await waited(clock, breaker, "a", "well")).toBe(1_300);
});

test("a time that makes no sense is as none, and no time is believed for longer than two minutes, which is told", async () => {
  const { clock, breaker, warnings } = world();
  await ask(breaker, "a", limited(82_721_000));
  expect(await waited(clock, breaker, "a", "well")).toBe(120_000);
  expect(warnings).toEqual([{ askedMs: 82_721_000, heldMs: 120_000 }]);
  const now = Date.UTC(2026, 10, 21, 12);
  const named = (header: string | undefined) => retryAfterMs(header, now);
  expect([named("5"), named(" 0.5 "), named("Sat, 21 Nov 2026 12:00:30 GMT")]).toEqual([5_000, 500, 30_000]);
  for (const none of [
    undefined,
    "",
    "0",
    "-1",
    "NaN",
    "Infinity",
    "1e9",
    "soon",
    "May 2027",
    "Sat, 21 Nov 2026 11:00:00 GMT",
    "x GMT",
  ])
    expect(named(none)).toBe(0);
});

test("of those that were told together, one asks again; who was told late shortens nothing", async () => {
  const { clock, breaker } = world();
  const told = Promise.withResolvers<never>();
  const under = Array.from({ length: 20 }, () => breaker.through("a", () => told.promise).catch(() => {}));
  const late = Promise.withResolvers<never>();
  const slow = breaker.through("a", () => late.promise).catch(() => {});
  const well = Promise.withResolvers<string>();
  const answered = breaker.through("a", () => well.promise);
  told.reject(limited(4_000));
  await Promise.all(under);
  late.reject(limited(1_000));
  await slow;
  // It was sent before the limit was reached.
  well.resolve("well");
  await answered;
  expect(await ask(breaker, "a")).toEqual(kept);
  await clock.advance(4_000);
  const probe = Promise.withResolvers<string>();
  const probing = breaker.through("a", () => probe.promise);
  expect(await ask(breaker, "a")).toEqual(kept);
  probe.resolve("well");
  await probing;
  expect(await ask(breaker, "a")).toEqual(sent);
});

test("one account's limit keeps no other back; where a second is told the same, it is everybody's", async () => {
  const { clock, breaker } = world();
  await ask(breaker, "a", limited(5_000));
  expect(await ask(breaker, "b")).toEqual(sent);
  expect(await ask(breaker, "a")).toEqual(kept);
  // An answer came in between: each has a limit of its own.
  await ask(breaker, "c", limited(6_000));
  expect(await ask(breaker, "b")).toEqual(sent);
  await ask(breaker, "c2", limited(6_000));
  await ask(breaker, "b", limited(9_000));
  expect(await ask(breaker, "d")).toEqual(kept);
  // One probe for all.
  await clock.advance(9_000);
  expect(await ask(breaker, "d", limited(2_000))).toEqual({ sent: true, came: "rate_limited" });
  for (const account of ["a", "b", "c", "d", "e"]) expect(await ask(breaker, account)).toEqual(kept);
  await clock.advance(2_000);
  for (const account of ["a", "b", "c", "d", "e"]) expect(await ask(breaker, account)).toEqual(sent);
});

test("a quota is no rate limit: everybody goes on asking", async () => {
  const { breaker } = world();
  for (let tries = 0; tries < 20; tries++)
    expect((await ask(breaker, "a", new WorkspaceFault("quota", "no", { reason: "credit_count" }))).sent).toBe(true);
});

test("a probe that fails in another way leaves the next to the next", async () => {
  const { clock, breaker } = world();
  await ask(breaker, "a", limited(1_000));
  await clock.advance(1_000);
  expect((await ask(breaker, "a", new WorkspaceFault("lost", "no answer"))).sent).toBe(true);
  expect(await ask(breaker, "a")).toEqual(sent);
});

test("over the wire: the live channel is not dialled while the account may not ask, and its own 429 counts", async () => {
  const { clock, breaker } = world();
  const asked: string[] = [];
  let limits = true;
  const server = await httpServer((request, response) => {
    asked.push(request.url?.includes("/ws") === true ? "dial" : "read");
    response.writeHead(limits ? 429 : 200, { "content-type": "application/json", ...(limits ? { "retry-after": "3" } : {}) });
    response.end(limits ? '{"error":"slow down"}' : "[]");
  });
  const client = clientOf(server, { breaker, clock });
  const kind = (thrown: unknown) => (thrown as WorkspaceFault).kind;
  expect(await client.conversations.follow(1).catch(kind)).toBe("rate_limited");
  expect(await client.models.list().catch(kind)).toBe("rate_limited");
  expect(await client.conversations.follow(1).catch(kind)).toBe("rate_limited");
  expect(asked).toEqual(["dial"]);
  limits = false;
  await clock.advance(3_000);
  // The channel waits for the probe.
  expect(await client.conversations.follow(1).catch(kind)).toBe("rate_limited");
  await client.models.list();
  expect(asked).toEqual(["dial", "read"]);
});
