/** A machine whose clock is wrong is told of before replicas take from each other what they hold. */
import { describe, expect, onTestFinished, test } from "vitest";
import { doctor } from "../../src/cli/doctor.ts";
import { readConfig } from "../../src/config.ts";
import { clockAhead, clockLookMs, clockMayBeOff, databaseTime, watchClock, wrongClock } from "../../src/store/clock-watch.ts";
import { fakeClock } from "../fakes/clock.ts";
import { openPostgresStore } from "./open.ts";
import { hasPostgres } from "./postgres.ts";

const hour = 3_600_000;

describe("a clock", () => {
  test.for([
    ["ahead", 2_000, 2_000],
    ["behind", -2_000, -2_000],
    ["right", 0, 0],
  ] as const)("that is %s is found to be so", async ([, off, found]) => {
    const clock = fakeClock();
    expect(await clockAhead(clock, () => Promise.resolve(clock.now() - off))).toBe(found);
  });

  test("is not called wrong for an answer that takes long, by more than it must be", async () => {
    const clock = fakeClock();
    /** The database reads its clock in the middle of the time that it takes. */
    const slow = (off: number) => async (): Promise<number> => {
      await clock.advance(4_000);
      const there = clock.now() - off;
      await clock.advance(4_000);
      return there;
    };
    expect(await clockAhead(clock, slow(0))).toBe(0);
    expect(await clockAhead(clock, slow(3_999))).toBe(0);
    expect(await clockAhead(clock, slow(5_000))).toBe(1_000);
    expect(await clockAhead(clock, slow(-5_000))).toBe(-1_000);
  });

  test("is wrong beyond the bound, either way, and told which", () => {
    for (const fine of [0, clockMayBeOff, -clockMayBeOff]) expect(wrongClock(fine)).toBeNull();
    expect(wrongClock(clockMayBeOff + 1)).toMatch(/^this machine's clock is 1\.5 s ahead of the database's/);
    expect(wrongClock(-65_000)).toMatch(/^this machine's clock is 65\.0 s behind the database's.*NTP/);
  });
});

describe("the watch over the clock", () => {
  test("says once that it is wrong and once that it is right again, tells each look, and goes on where the database is away", async () => {
    const clock = fakeClock();
    const said: string[] = [];
    const told: number[] = [];
    const keep = (_fields: object, text: string): void => void said.push(text);
    let off: number | null = 0;
    const ask = (): Promise<number> => (off === null ? Promise.reject(new Error("timeout")) : Promise.resolve(clock.now() - off));
    const end = watchClock({ ask, clock, log: { info: keep, warn: keep }, told: (ms) => void told.push(ms) });
    const look = async (next: number | null): Promise<void> => {
      off = next;
      await clock.advance(clockLookMs);
    };
    await clock.advance(0);
    await look(9_000);
    await look(9_000);
    await look(null);
    await look(8_000);
    await look(100);
    await look(100);
    expect(told).toEqual([0, 9_000, 9_000, 8_000, 100, 100]);
    expect(said).toEqual([
      expect.stringContaining("9.0 s ahead of the database's"),
      "the database could not be asked for its time",
      "this machine's clock is as the database's again",
    ]);
    end();
    expect(clock.pending).toBe(0);
  });
});

describe.skipIf(!hasPostgres)("against PostgreSQL", () => {
  test("an hour too many is found, and doctor says so; a right clock is as the database's", async () => {
    const opened = await openPostgresStore();
    onTestFinished(() => opened.close());
    const late = fakeClock(Date.now() + hour);
    const ahead = await clockAhead(late, () => databaseTime(opened.db));
    // What the test itself takes is not an hour's half.
    expect(ahead).toBeGreaterThan(hour / 2);
    expect(ahead).toBeLessThanOrEqual(hour);

    const config = readConfig({
      DATABASE_URL: opened.databaseUrl ?? "",
      WORKSPACE_BASE_URL: "http://127.0.0.1:1/api/v1",
      WORKSPACE_API_KEY: "k",
      PARLEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    });
    const lines: string[] = [];
    await doctor(config, { line: (text) => void lines.push(text) }, late);
    expect(lines.find((line) => line.includes("clock"))).toMatch(/^FIX {2}clock: this machine's clock is \d+\.\d s ahead/);
    lines.length = 0;
    await doctor(config, { line: (text) => void lines.push(text) });
    expect(lines).toContain("ok   clock: as the database's");
    lines.length = 0;
    const readOnly = new URL(opened.databaseUrl ?? "");
    readOnly.searchParams.set("options", "-c default_transaction_read_only=on");
    await doctor({ ...config, databaseUrl: readOnly.href }, { line: (text) => void lines.push(text) });
    expect(lines.join("\n")).toMatch(/^FIX {2}store: PostgreSQL at \S+ is read-only, as a standby is/m);
  });
});
