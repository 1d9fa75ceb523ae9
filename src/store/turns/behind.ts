/**
 * Which turns a look over all lanes passes over: those behind another of their lane. Without, each look would go through
 * everything that waits behind running turns. The mark only saves work: no turn runs, or waits for ever, because of it.
 */
import { sql } from "kysely";
import type { StoreDatabase } from "../schema.ts";
import type { TurnsUpdate } from "./row.ts";

/** The first open turn of a lane. */
export const openOf = (db: StoreDatabase, lane: string) =>
  db
    .selectFrom("turns as o")
    .where("o.closed_at", "is", null)
    .where("o.lane", "=", lane)
    .orderBy("o.lane")
    .orderBy("o.id")
    .limit(1);

const forward = async (db: StoreDatabase, lane: string): Promise<void> => {
  await db
    .updateTable("turns")
    .set({ behind: null })
    .where("id", "=", openOf(db, lane).select("o.id"))
    .where("behind", "is not", null)
    .execute();
};

/** Closes the one turn that `update` names, and has its lane's next one looked at, both or neither. False: there was none. */
export const endOne = (db: StoreDatabase, update: (on: StoreDatabase) => TurnsUpdate): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const ended = await update(transaction).returning("lane").executeTakeFirst();
    if (ended !== undefined) await forward(transaction, ended.lane);
    return ended !== undefined;
  });

/** Of every lane whose first turn is marked, lane by lane: processes that do this at once never wait for each other in a ring. */
export async function bringForward(db: StoreDatabase): Promise<void> {
  const { rows } = await sql<{ lane: string }>`
    select b.lane from (
      select lane, min(id) as id from turns where closed_at is null and behind is not null group by lane
    ) as b
    where b.id = (select o.id from turns as o where o.closed_at is null and o.lane = b.lane order by o.lane, o.id limit 1)`.execute(
    db,
  );
  for (const { lane } of rows) await forward(db, lane);
}
