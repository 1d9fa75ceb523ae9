/** What waits until its asker has linked an account: sealed, as it holds what people wrote. */
import type { Inbound } from "../core/inbound.ts";
import { placeKey } from "../core/place.ts";
import type { Parked } from "../core/parked.ts";
import type { Migration } from "../database/migrate.ts";
import type { Cipher } from "./cipher.ts";
import type { StoreDatabase } from "./schema.ts";

export interface ParkedTable {
  /** The inbound's. */
  key: string;
  platform: string;
  tenant: string;
  person: string;
  /** The key of the place in which it was asked; its tenant may be another than the person's. */
  place: string;
  /** The sealed inbound. */
  body: string;
  expires_at: number;
}

export const parkedMigrations: readonly Migration[] = [
  {
    name: "parked-1",
    async up(db) {
      await db.schema
        .createTable("parked")
        .addColumn("key", "text", (column) => column.primaryKey())
        .addColumn("platform", "text", (column) => column.notNull())
        .addColumn("tenant", "text", (column) => column.notNull())
        .addColumn("person", "text", (column) => column.notNull())
        .addColumn("place", "text", (column) => column.notNull())
        .addColumn("body", "text", (column) => column.notNull())
        .addColumn("expires_at", "bigint", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("parked_holder").on("parked").columns(["platform", "tenant", "person"]).execute();
    },
  },
];

/** More than this in one look are left to the next, a minute later. */
const mostAtOnce = 100;

/** What a sealed inbound belongs to, as the cipher binds it. */
export const parkedOwner = (key: string): string => `parked:${key}`;

export function createParked(db: StoreDatabase, cipher: Cipher): Parked {
  const read = ({ key, body }: { key: string; body: string }): Inbound =>
    JSON.parse(cipher.open(body, parkedOwner(key))) as Inbound;
  const sealed = (inbound: Inbound): string => cipher.seal(JSON.stringify(inbound), parkedOwner(inbound.key));
  const rows = () => db.selectFrom("parked").select(["key", "body"]);
  return {
    async put({ platform, tenant, person }, inbound, until) {
      await db
        .insertInto("parked")
        .values({
          key: inbound.key,
          platform,
          tenant,
          person,
          place: placeKey(inbound.place),
          body: sealed(inbound),
          expires_at: until,
        })
        .onConflict((conflict) => conflict.column("key").doNothing())
        .execute();
    },
    async of({ platform, tenant, person }) {
      const found = await rows()
        .where("platform", "=", platform)
        .where("tenant", "=", tenant)
        .where("person", "=", person)
        .orderBy("expires_at")
        .execute();
      return found.map(read);
    },
    async find(key) {
      const row = await rows().where("key", "=", key).executeTakeFirst();
      return row === undefined ? undefined : read(row);
    },
    async change(inbound) {
      await db
        .updateTable("parked")
        .set({ body: sealed(inbound) })
        .where("key", "=", inbound.key)
        .execute();
    },
    async remove(key) {
      await db.deleteFrom("parked").where("key", "=", key).execute();
    },
    async expired(now) {
      return (await rows().where("expires_at", "<=", now).orderBy("expires_at").limit(mostAtOnce).execute()).map(read);
    },
  };
}
