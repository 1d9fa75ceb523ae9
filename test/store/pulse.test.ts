/** Whether the store takes writes: a row of its own says so, and what it has refused is believed until there is room for a message. */
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRefusedWrites } from "../../src/database/refused-writes.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { createPulse, pulseMs } from "../../src/store/pulse.ts";
import type { StoreSchema } from "../../src/store/schema.ts";
import { says } from "../core/engine.ts";
import { fakeClock, type FakeClock } from "../fakes/clock.ts";
import { openPostgresStore, openStore, overBoth, type Opened } from "./open.ts";
import { hasPostgres } from "./postgres.ts";

let opened: Opened;
let clock: FakeClock;
afterEach(() => opened.close());
const pulse = () => createPulse({ db: opened.db, clock, refusedWrites: opened.refusedWrites });
const row = () => opened.db.selectFrom("pulse").select(["at", "filler"]).executeTakeFirst();

overBoth((open) => {
  beforeEach(async () => {
    opened = await open();
    clock = fakeClock(1_000_000, opened.busy);
  });

  test("is ready, and writes no oftener than every few seconds, however often it is asked", async () => {
    const state = pulse();
    for (let asked = 0; asked < 5; asked++) expect(await state()).toBeNull();
    const first = { at: clock.now(), filler: "" };
    await clock.advance(pulseMs - 1);
    expect(await state()).toBeNull();
    expect(await row()).toEqual(first);
    await clock.advance(1);
    expect(await state()).toBeNull();
    expect(await row()).toEqual({ at: first.at + pulseMs, filler: "" });
  });
});

describe("a SQLite file", () => {
  const pragma = (text: string) => sql.raw(`pragma ${text}`).execute(opened.db);
  const put = (key: string) => opened.store.put(says(key, "too much ".repeat(10_000)), key, 1);
  beforeEach(async () => {
    opened = await openStore();
    clock = fakeClock(1_000_000, opened.busy);
  });

  test("that is full for a message is not ready, although a short row goes in; it is again once a message would", async () => {
    const state = pulse();
    expect(await state()).toBeNull();
    await pragma("max_page_count = 1");
    await expect(put("a")).rejects.toThrow(/full/);
    // At once, without a write of its own.
    expect(await state()).toMatch(/^the store has refused a write: .*full/);
    await clock.advance(pulseMs);
    expect(await state()).toMatch(/^the store takes nothing in: .*full/);
    await clock.advance(pulseMs);
    expect(await state()).toMatch(/^the store takes nothing in: .*full/);
    await pragma("max_page_count = 1000000");
    await clock.advance(pulseMs);
    expect(await state()).toBeNull();
    // The room is given back.
    await clock.advance(pulseMs);
    expect(await state()).toBeNull();
    expect((await row())?.filler).toBe("");
    await put("a");
    expect(await opened.store.openIn("a", 9)).toEqual(["a"]);
  });

  test("that may not be written to is not ready", async () => {
    const state = pulse();
    await pragma("query_only = 1");
    expect(await state()).toMatch(/^the store takes nothing in: .*readonly/);
    await pragma("query_only = 0");
    await clock.advance(pulseMs);
    expect(await state()).toBeNull();
  });
});

describe.skipIf(!hasPostgres)("a PostgreSQL", () => {
  beforeEach(async () => {
    opened = await openPostgresStore();
    clock = fakeClock(1_000_000, opened.busy);
  });

  test("that is read-only, as a standby is, is not ready, although it can be read", async () => {
    const url = new URL(opened.databaseUrl ?? "");
    url.searchParams.set("options", `${url.searchParams.get("options") ?? ""} -c default_transaction_read_only=on`);
    const refusedWrites = createRefusedWrites();
    const failed = (thrown: unknown): void => refusedWrites.note(thrown);
    const db = await openPostgres<StoreSchema>(url.href, { deadlineMs: 10_000, connections: 1, failed });
    try {
      expect(await db.selectFrom("turns").selectAll().execute()).toEqual([]);
      expect(await createPulse({ db, clock, refusedWrites })()).toMatch(/^the store takes nothing in: .*read-only transaction/);
      expect(refusedWrites.newest()).toBeDefined();
    } finally {
      await db.destroy();
    }
  });
});
