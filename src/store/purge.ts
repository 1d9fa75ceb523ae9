/** Deletes what is kept of one tenant, once Parley was removed from it. */
import { sql } from "kysely";
import type { StoreDatabase } from "./schema.ts";

/**
 * Turns with their text, and everything the maps have under the tenant's places or about its conversations.
 * @param except the key of the turn that asks for it, which still has to be closed
 */
export async function purgeTenant(db: StoreDatabase, platform: string, tenant: string, except: string): Promise<void> {
  // Keys of places begin with platform and tenant; ";" is the character behind ":".
  const from = `${platform}:${tenant}:`;
  const to = `${platform}:${tenant};`;
  await db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom("ratings")
      .where("turn_key", "in", (turns) =>
        turns.selectFrom("turns").select("key").where("place", ">=", from).where("place", "<", to),
      )
      .execute();
    await transaction.deleteFrom("turns").where("place", ">=", from).where("place", "<", to).where("key", "!=", except).execute();
    await transaction.deleteFrom("key_values").where("key", ">=", from).where("key", "<", to).execute();
    // A conversation's entry has the place as its value, as JSON.
    await transaction
      .deleteFrom("key_values")
      .where("namespace", "=", "conversations")
      .where(sql<boolean>`value like ${`%"${from.replace(/[%_!]/g, "!$&")}%`} escape '!'`)
      .execute();
  });
}
