/** What the store holds before it is measured: turns of the past, and turns that wait in line. */
import type { Insertable } from "kysely";
import type { InboundMessage } from "../src/core/inbound.ts";
import { noProgress } from "../src/core/turns/progress.ts";
import type { Cipher } from "../src/store/cipher.ts";
import type { StoreDatabase, TurnsTable } from "../src/store/schema.ts";
import { sealInbound } from "../src/store/turns/row.ts";

/** Of the turns of the past: every hundredth is open, as after a night with no server, and not due yet. */
export const openEvery = 100;
/** Lanes with a line of their own, and due turns in each. */
export const linedUp = { lanes: 500, turns: 20 };

const place = (lane: string) => ({ platform: "bench", tenant: "t", channel: lane, thread: "1" });
export const message = (lane: string, at: number): InboundMessage => ({
  kind: "message",
  key: `${lane}:${at}`,
  place: place(lane),
  author: { id: "u", name: "Ann" },
  at,
  message: String(at),
  runs: [{ typed: "how many are there?" }],
  files: [],
});

type Row = Insertable<TurnsTable>;
const row = (lane: string, more: Pick<Row, "key" | "due_at" | "created_at"> & Partial<Row>): Row => ({
  lane,
  kind: "message",
  platform: "bench",
  place: lane,
  asker: "u",
  body: null,
  progress: JSON.stringify(noProgress),
  ...more,
});

async function insert(db: StoreDatabase, first: number, count: number, rowAt: (at: number) => Row): Promise<void> {
  for (let from = first; from < count; from += 2_000) {
    const rows = Array.from({ length: Math.min(2_000, count - from) }, (_, offset) => rowAt(from + offset));
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

/** Turns of the past, from the `first` to the `count`th. */
export function fillPast(db: StoreDatabase, first: number, count: number): Promise<void> {
  const now = Date.now();
  return insert(db, first, count, (at) => {
    const times = { key: `old:${at}`, created_at: now - at };
    return at % openEvery === 0
      ? row(`old ${at % 50_000}`, { ...times, due_at: now + 86_400_000 })
      : row(`old ${at % 50_000}`, { ...times, due_at: now - at, outcome: "answered", closed_at: now - at });
  });
}

/** Due turns in many lanes, as `put` stores them: the first of each lane is ready, the others wait behind it. */
export function lineUp(db: StoreDatabase, cipher: Cipher): Promise<void> {
  const now = Date.now();
  return insert(db, 0, linedUp.lanes * linedUp.turns, (at) => {
    const lane = `line ${at % linedUp.lanes}`;
    const inbound = message(lane, at);
    return row(lane, {
      key: inbound.key,
      body: sealInbound(cipher, inbound.key, inbound),
      due_at: now - 20_000 + at,
      created_at: now,
      behind: at < linedUp.lanes ? null : 1,
    });
  });
}
