/** The durable table of turns, in SQL that SQLite and PostgreSQL share. */
import type { TurnStore } from "../core/turns/store.ts";
import type { Cipher } from "./cipher.ts";
import type { StoreDatabase } from "./schema.ts";
import { createAsking } from "./turns/asking.ts";
import { createClaiming } from "./turns/claiming.ts";
import { createOwning } from "./turns/owning.ts";
import { createReading } from "./turns/reading.ts";
import { readRow, type Fenced } from "./turns/row.ts";
import { createSigning } from "./turns/signing.ts";

export function createTurnStore(db: StoreDatabase, cipher: Cipher): TurnStore {
  const read = readRow(cipher);
  const mine: Fenced = (turn, on = db) =>
    on
      .updateTable("turns")
      .where("id", "=", turn.id)
      .where("fence", "=", turn.fence)
      .where("owner", "is not", null)
      .where("closed_at", "is", null);

  return {
    ...createAsking(db, cipher),
    ...createClaiming(db, read, mine),
    ...createOwning(db, mine),
    ...createSigning(db),
    ...createReading(db, read),
  };
}
