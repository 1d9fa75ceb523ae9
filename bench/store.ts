/** What the store costs each turn, as it grows: over SQLite, and over PostgreSQL where one answers. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import type { InboundMessage } from "../src/core/inbound.ts";
import { noProgress } from "../src/core/turns/progress.ts";
import { analyze } from "../src/database/analyze.ts";
import { openStore } from "../src/open-store.ts";
import { createCipher } from "../src/store/cipher.ts";
import type { StoreDatabase } from "../src/store/schema.ts";
import { createTurnStore } from "../src/store/turns.ts";
import { percentile } from "./figures.ts";

const serverUrl = process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";
const { values } = parseArgs({
  options: { turns: { type: "string", default: "10000,1000000" }, lanes: { type: "string", default: "16" } },
});
const sizes = values.turns.split(",").map(Number);
/** Lanes in which turns are under way at once. */
const width = Number(values.lanes);
const perLane = 40;
/** Of the turns that are stored before: every hundredth is open, as after a night with no server. */
const openEvery = 100;

const place = (lane: string) => ({ platform: "bench", tenant: "t", channel: lane, thread: "1" });
const message = (lane: string, at: number): InboundMessage => ({
  kind: "message",
  key: `${lane}:${at}`,
  place: place(lane),
  author: { id: "u", name: "Ann" },
  at,
  message: String(at),
  runs: [{ typed: "how many are there?" }],
  files: [],
});

/** Turns of the past, closed but for a few, which wait and are not due yet. */
async function fill(db: StoreDatabase, first: number, count: number): Promise<void> {
  const now = Date.now();
  for (let from = first; from < count; from += 2_000) {
    const rows = Array.from({ length: Math.min(2_000, count - from) }, (_, offset) => {
      const at = from + offset;
      const open = at % openEvery === 0;
      const lane = `old ${at % 50_000}`;
      return {
        key: `old:${at}`,
        lane,
        kind: "message",
        platform: "bench",
        place: lane,
        asker: "u",
        body: null,
        progress: JSON.stringify(noProgress),
        due_at: open ? now + 86_400_000 : now - at,
        created_at: now - at,
        outcome: open ? null : "answered",
        closed_at: open ? null : now - at,
      };
    });
    // SQLite takes 32,766 values in a statement.
    await db.transaction().execute(async (transaction) => {
      for (let part = 0; part < rows.length; part += 500)
        await transaction
          .insertInto("turns")
          .values(rows.slice(part, part + 500))
          .execute();
    });
  }
}

interface Figures {
  readonly stored: number;
  readonly turnsPerSecond: number;
  readonly claimMs: number;
  readonly scanMs: number;
  readonly addedMs: number;
  readonly addedMs99: number;
}

/** Each lane brings its turns to their end one after the other: stored, claimed by name, noted twice, renewed, closed. */
async function measure(db: StoreDatabase, stored: number): Promise<Figures> {
  const store = createTurnStore(db, createCipher(randomBytes(32)));
  const claims: number[] = [];
  const added: number[] = [];
  const timed = async <Result>(work: () => Promise<Result>, into: number[]): Promise<Result> => {
    const from = performance.now();
    const result = await work();
    into.push(performance.now() - from);
    return result;
  };
  const lane = async (name: string, turns: number): Promise<void> => {
    for (let at = 0; at < turns; at++) {
      const from = performance.now();
      const now = Date.now();
      await store.put(message(name, at), name, now);
      const turn = await timed(
        () => store.claim({ owner: `b/${name}/${at}`, now, leaseUntil: now + 30_000, lane: name }),
        claims,
      );
      if (turn === undefined) throw new Error("a turn could not be claimed");
      await store.saveProgress(turn, { ...noProgress, answer: 1 });
      await store.saveProgress(turn, { ...noProgress, answer: 2 });
      await store.renew(turn, now + 60_000);
      if (!(await store.close(turn, Date.now(), "answered", false))) throw new Error("a turn could not be closed");
      added.push(performance.now() - from);
    }
  };
  await lane(`warm ${stored}`, 20);
  claims.length = added.length = 0;
  const from = performance.now();
  await Promise.all(Array.from({ length: width }, (_, index) => lane(`lane ${stored} ${index}`, perLane)));
  const seconds = (performance.now() - from) / 1_000;
  const scans: number[] = [];
  for (let tries = 0; tries < 50; tries++)
    await timed(() => store.claim({ owner: "b/scan", now: Date.now(), leaseUntil: Date.now() + 30_000 }), scans);
  return {
    stored,
    turnsPerSecond: (width * perLane) / seconds,
    claimMs: percentile(claims, 0.5),
    scanMs: percentile(scans, 0.5),
    addedMs: percentile(added, 0.5),
    addedMs99: percentile(added, 0.99),
  };
}

async function run(name: string, databaseUrl: string | null): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const opened = await openStore({ dataDir: folder, databaseUrl });
  try {
    let there = 0;
    for (const size of sizes) {
      await fill(opened.patient, there, size);
      // As after move-store: a store that grows turn by turn is counted by PostgreSQL itself.
      await analyze(opened.patient);
      there = size;
      const { turnsPerSecond, claimMs, scanMs, addedMs, addedMs99 } = await measure(opened.db, size);
      const row = [turnsPerSecond.toFixed(0), claimMs.toFixed(2), scanMs.toFixed(2), addedMs.toFixed(1), addedMs99.toFixed(1)];
      process.stdout.write(`| ${name} | ${size.toLocaleString("en")} | ${row.join(" | ")} |\n`);
    }
  } finally {
    await opened.close();
    rmSync(folder, { recursive: true });
  }
}

process.stdout.write(
  `${width} lanes at once; each turn: stored, claimed, noted twice, renewed, closed. Every ${openEvery}th of the stored is open and not due.\n` +
    "| store | turns stored | turns a second | claim of a lane, ms | look over all lanes, ms | added to a turn, ms | at most, of 99% |\n|---|---:|---:|---:|---:|---:|---:|\n",
);
await run("SQLite", null);
const schema = `bench_${randomBytes(6).toString("hex")}`;
const url = new URL(serverUrl);
const admin = await (await import("../src/database/postgres.ts")).openPostgres(serverUrl, { deadlineMs: 60_000, connections: 1 });
try {
  await sql`create schema ${sql.id(schema)}`.execute(admin);
  url.searchParams.set("options", `-c search_path=${schema}`);
  await run("PostgreSQL", url.href);
} finally {
  await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(admin);
  await admin.destroy();
}
