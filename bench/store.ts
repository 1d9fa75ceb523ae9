/** What the store costs each turn, as it grows: over SQLite, and over PostgreSQL where one answers. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { noProgress } from "../src/core/turns/progress.ts";
import { analyze } from "../src/database/analyze.ts";
import { openStore } from "../src/open-store.ts";
import { createCipher } from "../src/store/cipher.ts";
import type { StoreDatabase } from "../src/store/schema.ts";
import { createTurnStore } from "../src/store/turns.ts";
import { percentile } from "./figures.ts";
import { fillPast, linedUp, lineUp, message, openEvery } from "./store-rows.ts";

const serverUrl = process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";
const { values } = parseArgs({
  options: { turns: { type: "string", default: "10000,1000000" }, lanes: { type: "string", default: "16" } },
});
const sizes = values.turns.split(",").map(Number);
/** Lanes in which turns are under way at once. */
const width = Number(values.lanes);
const perLane = 40;

interface Figures {
  readonly stored: number;
  readonly turnsPerSecond: number;
  readonly claimMs: number;
  readonly scanMs: number;
  readonly addedMs: number;
  readonly addedMs99: number;
}

interface LineFigures {
  /** Claims a second by looks over all lanes, one after the other, until a turn of each lane runs. */
  readonly claimsPerSecond: number;
  /** A look over all lanes then, which finds nothing. */
  readonly lookMs: number;
  /** One that also goes through what waits behind others. */
  readonly thoroughMs: number;
}

async function timed<Result>(work: () => Promise<Result>, into: number[]): Promise<Result> {
  const from = performance.now();
  const result = await work();
  into.push(performance.now() - from);
  return result;
}

/** Each lane brings its turns to their end one after the other: stored, claimed by name, noted twice, renewed, closed. */
async function measure(db: StoreDatabase, stored: number): Promise<Figures> {
  const store = createTurnStore(db, createCipher(randomBytes(32)));
  const claims: number[] = [];
  const added: number[] = [];
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

/** Many lanes with a line in each: all their first turns are claimed, and then looked for more. */
async function measureLine(db: StoreDatabase, patient: StoreDatabase): Promise<LineFigures> {
  const cipher = createCipher(randomBytes(32));
  const store = createTurnStore(db, cipher);
  await lineUp(patient, cipher);
  await analyze(patient);
  const look = (number: number) => store.claim({ owner: `b/line/${number}`, now: Date.now(), leaseUntil: Date.now() + 300_000 });
  const from = performance.now();
  for (let number = 0; number < linedUp.lanes; number++)
    if ((await look(number)) === undefined) throw new Error("a lane's first turn was not found");
  const seconds = (performance.now() - from) / 1_000;
  const looks: number[] = [];
  const thorough: number[] = [];
  for (let tries = 0; tries < 50; tries++) {
    if ((await timed(() => look(linedUp.lanes + tries), looks)) !== undefined) throw new Error("a lane runs two turns");
    await timed(() => store.bringForward(), thorough);
  }
  await patient.deleteFrom("turns").where("lane", "like", "line %").execute();
  return {
    claimsPerSecond: linedUp.lanes / seconds,
    lookMs: percentile(looks, 0.5),
    thoroughMs: percentile(thorough, 0.5),
  };
}

const ms = (value: number, digits: number): string => `${value.toFixed(digits)} ms`;

async function run(name: string, databaseUrl: string | null): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const opened = await openStore({ dataDir: folder, databaseUrl });
  try {
    let there = 0;
    for (const size of sizes) {
      await fillPast(opened.patient, there, size);
      // As after move-store: a store that grows turn by turn is counted by PostgreSQL itself.
      await analyze(opened.patient);
      there = size;
      const turns = await measure(opened.db, size);
      const line = await measureLine(opened.db, opened.patient);
      const cells = [
        name,
        size.toLocaleString("en"),
        turns.turnsPerSecond.toFixed(0),
        ms(turns.claimMs, 1),
        ms(turns.scanMs, 2),
        ms(turns.addedMs, 0),
        ms(turns.addedMs99, 0),
        line.claimsPerSecond.toFixed(0),
        ms(line.lookMs, 2),
        ms(line.thoroughMs, 1),
      ];
      process.stdout.write(`| ${cells.join(" | ")} |\n`);
    }
  } finally {
    await opened.close();
    rmSync(folder, { recursive: true });
  }
}

process.stdout.write(
  `${width} lanes at once; each turn: stored, claimed, noted twice, renewed, closed. Every ${openEvery}th of the stored is open and not due.\n` +
    `The line: ${linedUp.lanes} lanes of ${linedUp.turns} due turns each; looked at while the first of each lane runs.\n` +
    "| Store | Turns stored | Turns a second | Claim of a lane | Look over all lanes | Added to a turn, median | Added, 99% " +
    "| Claims a second from the line | Look past the line | Look through the line |\n" +
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
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
