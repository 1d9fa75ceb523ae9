/** A workspace that fails is asked by one probe at a time, and by everybody again once it works. */
import { expect, test } from "vitest";
import { createBreaker, tolerated } from "../../src/client/breaker.ts";
import { systemClock } from "../../src/clock.ts";
import { WorkspaceFault } from "../../src/errors.ts";
import { fakeClock } from "../fakes/clock.ts";
import { clientOf, httpServer } from "./raw-server.ts";

test("a workspace that fails gets one probe at a time, later and later; all requests once it works", async () => {
  const clock = fakeClock();
  let asked = 0;
  let works = false;
  const server = await httpServer((_, response) => {
    asked++;
    response.statusCode = works ? 200 : 500;
    response.setHeader("content-type", "application/json");
    response.end(works ? "[]" : '{"error":"broken"}');
  });
  const told: (string | boolean)[] = [];
  const keep = (_fields: object, text: string): void => void told.push(text);
  const breaker = createBreaker(
    clock,
    () => 0.5,
    { info: keep, warn: keep },
    (failing) => void told.push(failing),
  );
  const client = clientOf(server, { breaker });
  const ask = () =>
    client.models.list().then(
      () => "answered",
      (thrown: unknown) => (thrown as WorkspaceFault).kind,
    );
  const failing = [expect.stringContaining("asked by one probe at a time"), true];
  for (let tries = 0; tries < tolerated; tries++) {
    expect(told).toEqual([]);
    expect(await ask()).toBe("unavailable");
  }
  expect(told).toEqual(failing);
  expect(asked).toBe(tolerated);
  // A hundred that ask meanwhile cost the workspace nothing.
  expect(new Set(await Promise.all(Array.from({ length: 100 }, ask)))).toEqual(new Set(["unreachable"]));
  expect(asked).toBe(tolerated);
  for (const wait of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const before = asked;
    await clock.advance(wait - 1);
    await Promise.all(Array.from({ length: 20 }, ask));
    expect(asked).toBe(before);
    await clock.advance(1);
    const kinds = await Promise.all(Array.from({ length: 20 }, ask));
    expect(kinds.filter((kind) => kind === "unavailable")).toHaveLength(1);
    expect(asked).toBe(before + 1);
  }
  // Told once, however long it lasts.
  expect(told).toEqual(failing);
  works = true;
  await clock.advance(30_000);
  expect(await ask()).toBe("answered");
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set(["answered"]));
  expect(told).toEqual([...failing, expect.stringContaining("answers again"), false]);
});

/** What is answered in a burst. */
interface Bad {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}
const page = "<html>sorry</html>";
const slow = '{"error":"slow down"}';

test.each<[string, readonly [Bad, Bad, Bad]]>([
  ["of failures", [503, 500, 502].map((status) => ({ status, body: page })) as unknown as [Bad, Bad, Bad]],
  ["of 429 that name no time", [429, 429, 429].map((status) => ({ status, body: slow })) as unknown as [Bad, Bad, Bad]],
  [
    "of 429 with a Retry-After, in seconds and as a date",
    [
      { status: 429, body: slow, headers: { "retry-after": "5" } },
      { status: 429, body: page, headers: { "retry-after": new Date(fakeClock().now() + 70_000).toUTCString() } },
      { status: 429, body: slow, headers: { "retry-after": "2" } },
    ],
  ],
  [
    "of 429 with a senseless Retry-After",
    ["-1", "NaN", "soon"].map((time) => ({ status: 429, body: slow, headers: { "retry-after": time } })) as unknown as [
      Bad,
      Bad,
      Bad,
    ],
  ],
  [
    "of all of them",
    [
      { status: 429, body: slow },
      { status: 500, body: page },
      { status: 429, body: page, headers: { "retry-after": "20" } },
    ],
  ],
])("300 askers through three bursts %s cost the workspace at most a fifth more requests than without any", async (_, bad) => {
  const clock = fakeClock();
  const from = clock.now();
  const bursts = [
    { from: 5, to: 25, ...bad[0] },
    { from: 60, to: 70, ...bad[1] },
    { from: 90, to: 110, ...bad[2] },
  ];
  let asked = 0;
  const server = await httpServer((_, response) => {
    asked++;
    const second = (clock.now() - from) / 1_000;
    const burst = bursts.find((one) => second >= one.from && second < one.to);
    const type = burst === undefined || burst.body === slow ? "application/json" : "text/html";
    response.writeHead(burst?.status ?? 200, { "content-type": type, ...burst?.headers });
    response.end(burst?.body ?? "[]");
  });
  const client = clientOf(server, {
    breaker: createBreaker(clock, () => 0.5),
    // Dates by the test's time; the pauses of a read that is tried again by real time.
    clock: { now: () => clock.now(), after: (ms, then) => systemClock.after(ms, then) },
  });
  const askers = 300;
  let begun = 0;
  let waiting = 0;
  // A few come each second, and each asks every second until it has its answer.
  for (let second = 0; second < 240 && (begun < askers || waiting > 0); second++) {
    const coming = Math.min(3, askers - begun);
    begun += coming;
    const answers = await Promise.all(
      Array.from({ length: waiting + coming }, () =>
        client.models.list().then(
          () => true,
          () => false,
        ),
      ),
    );
    waiting = answers.filter((answered) => !answered).length;
    await clock.advance(1_000);
  }
  expect({ begun, waiting }).toEqual({ begun: askers, waiting: 0 });
  expect(asked).toBeGreaterThan(askers);
  expect(asked).toBeLessThanOrEqual(askers * 1.2);
});

test("its own no to a request, or a request that was given up, is no failure of the workspace", async () => {
  const breaker = createBreaker(fakeClock(), () => 0.5);
  const fails = (thrown: unknown) =>
    breaker.through("a", () => Promise.reject(thrown as Error)).catch((reason: unknown) => reason);
  for (const kind of ["quota", "not_found", "rejected", "unauthorized"] as const) {
    for (let tries = 0; tries < 2 * tolerated; tries++) await fails(new WorkspaceFault(kind, "no"));
  }
  for (let tries = 0; tries < 2 * tolerated; tries++) await fails(new Error("given up"));
  expect(await breaker.through("a", () => Promise.resolve("asked"))).toBe("asked");
  for (let tries = 1; tries < tolerated; tries++) await fails(new WorkspaceFault("lost", "no answer"));
  await breaker.through("a", () => Promise.resolve("asked"));
  for (let tries = 1; tries < tolerated; tries++) await fails(new WorkspaceFault("lost", "no answer"));
  expect(await breaker.through("a", () => Promise.resolve("asked"))).toBe("asked");
});
