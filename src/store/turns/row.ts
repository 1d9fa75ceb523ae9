/** How a turn stands in its row: what is sealed of it, what is read of it, and what a write may touch. */
import type { Selectable, UpdateQueryBuilder, UpdateResult } from "kysely";
import type { Inbound } from "../../core/inbound.ts";
import type { Progress } from "../../core/turns/progress.ts";
import type { Leaves, Outcome, StoredTurn } from "../../core/turns/store.ts";
import type { Cipher } from "../cipher.ts";
import type { StoreDatabase, StoreSchema, TurnsTable } from "../schema.ts";

/** What is read of a turn. */
export const columns = [
  "id",
  "key",
  "lane",
  "fence",
  "body",
  "progress",
  "created_at",
  "closed_at",
  "outcome",
  "stop_at",
  "removal",
] as const;
export type Row = Pick<Selectable<TurnsTable>, (typeof columns)[number]>;

/** Opens a row's text; a fault where its text is gone or the key is another. */
export type ReadRow = (row: Row) => StoredTurn;

export type TurnsUpdate = UpdateQueryBuilder<StoreSchema, "turns", "turns", UpdateResult>;
/** The rows that a fenced write may touch: this turn, as it was claimed, still open. */
export type Fenced = (turn: StoredTurn, on?: StoreDatabase) => TurnsUpdate;

/** The turn of a key, unless it is closed. */
export const open = (db: StoreDatabase, key: string): TurnsUpdate =>
  db.updateTable("turns").where("key", "=", key).where("closed_at", "is", null);
/** Open, and run by nobody. */
export const waiting = (db: StoreDatabase, key: string): TurnsUpdate => open(db, key).where("owner", "is", null);

/** Writes, and says whether there was a row to write to. */
export const changed = async (update: TurnsUpdate): Promise<boolean> =>
  (await update.returning("id").executeTakeFirst()) !== undefined;

/** An inbound as its row holds it; `key` is the turn's. */
export const sealInbound = (cipher: Cipher, key: string, inbound: Inbound): string => cipher.seal(JSON.stringify(inbound), key);

export const readRow =
  (cipher: Cipher): ReadRow =>
  (row) => ({
    id: row.id,
    key: row.key,
    lane: row.lane,
    fence: row.fence,
    inbound: JSON.parse(cipher.open(row.body ?? "", row.key)) as Inbound,
    progress: JSON.parse(row.progress) as Progress,
    createdAt: row.created_at,
    closedAt: row.closed_at,
    outcome: row.outcome as Outcome | null,
    stopRequested: row.stop_at !== null,
    removal: row.removal as Leaves | null,
  });
