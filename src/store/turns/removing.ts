/** What becomes of turns that are taken back, forgotten or old: which there are, and how they go, with the ratings that hang on them. */
import type { Selectable } from "kysely";
import type { Counts, Remains, Whose } from "../../core/forgetting.ts";
import { readPlaceKey } from "../../core/place.ts";
import { noProgress, type Progress } from "../../core/turns/progress.ts";
import { placeBegins, prefixOf } from "../place-prefix.ts";
import type { StoreDatabase, TurnsTable } from "../schema.ts";

/** More would hold the store for too long; the rest goes at the next sweep. */
const prunedAtOnce = 1_000;

const turnsOf = (db: StoreDatabase, whose: Whose) => {
  if ("person" in whose) return db.selectFrom("turns").where("platform", "=", whose.platform).where("asker", "=", whose.person);
  return db.selectFrom("turns").where(placeBegins(prefixOf(whose.platform, whose.tenant)));
};

/** Keys of those that are not closed. */
export async function openTurnsOf(db: StoreDatabase, whose: Whose): Promise<readonly string[]> {
  const rows = await turnsOf(db, whose).select("key").where("closed_at", "is", null).execute();
  return rows.map((row) => row.key);
}

export async function progressOf(db: StoreDatabase, whose: Whose): Promise<readonly Progress[]> {
  const rows = await turnsOf(db, whose).select("progress").execute();
  return rows.map(({ progress }) => JSON.parse(progress) as Progress);
}

/** In one transaction; a person's ratings of others' turns go too. */
export const deleteTurns = (db: StoreDatabase, whose: Whose, except: string): Promise<Counts> =>
  db.transaction().execute(async (transaction) => {
    const keys = turnsOf(transaction, whose).select("key");
    const onThem = await transaction.deleteFrom("ratings").where("turn_key", "in", keys).returning("turn_key").execute();
    const byThem =
      "person" in whose
        ? await transaction
            .deleteFrom("ratings")
            .where("person", "=", whose.person)
            .where("turn_key", "in", (turns) => turns.selectFrom("turns").select("key").where("platform", "=", whose.platform))
            .returning("turn_key")
            .execute()
        : [];
    const turns = await transaction
      .deleteFrom("turns")
      .where("key", "in", keys)
      .where("key", "!=", except)
      .returning("id")
      .execute();
    return { turns: turns.length, ratings: onThem.length + byThem.length };
  });

const columns = ["key", "place", "asker", "kind", "closed_at", "progress"] as const;
const remainsOf = (row: Pick<Selectable<TurnsTable>, (typeof columns)[number]>): Remains => ({
  key: row.key,
  place: readPlaceKey(row.place),
  person: row.asker,
  kind: row.kind,
  closed: row.closed_at !== null,
  delivery: (JSON.parse(row.progress) as Progress).delivery,
});

/** A turn, and the tries that went on in its messages. */
export async function readRemains(db: StoreDatabase, key: string): Promise<readonly Remains[]> {
  const row = await db
    .selectFrom("turns")
    .select([...columns, "lane"])
    .where("key", "=", key)
    .executeTakeFirst();
  if (row === undefined) return [];
  const tries = await db
    .selectFrom("turns")
    .select(columns)
    .where("lane", "=", row.lane)
    .where("kind", "=", "action")
    .where("key", "!=", key)
    .orderBy("id")
    .execute();
  const isTry = ({ progress }: { progress: string }) => (JSON.parse(progress) as Progress).origin === key;
  return [row, ...tries.filter(isTry)].map(remainsOf);
}

/** Leaves the key and the place of a closed turn. */
export async function stripTurn(db: StoreDatabase, key: string): Promise<void> {
  await db
    .updateTable("turns")
    .set({ asker: "", body: null, progress: JSON.stringify(noProgress) })
    .where("key", "=", key)
    .where("closed_at", "is not", null)
    .execute();
  await db.deleteFrom("ratings").where("turn_key", "=", key).execute();
}

export async function deleteTurn(db: StoreDatabase, key: string): Promise<void> {
  await db.deleteFrom("ratings").where("turn_key", "=", key).execute();
  await db.deleteFrom("turns").where("key", "=", key).execute();
}

/** Deletes those that were closed before `before`, as many as go at once; returns how many. */
export const pruneTurns = (db: StoreDatabase, before: number): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const old = await transaction
      .selectFrom("turns")
      .select("key")
      .where("closed_at", "is not", null)
      .where("closed_at", "<", before)
      .orderBy("closed_at")
      .limit(prunedAtOnce)
      .execute();
    if (old.length === 0) return 0;
    const keys = old.map(({ key }) => key);
    await transaction.deleteFrom("ratings").where("turn_key", "in", keys).execute();
    await transaction.deleteFrom("turns").where("key", "in", keys).execute();
    return old.length;
  });
