/** People's own workspace keys, sealed: each opens only as the key of the person who linked it. */
import { randomUUID } from "node:crypto";
import type { Holder, Link, Links } from "../core/links.ts";
import type { Migration } from "../database/migrate.ts";
import type { Cipher } from "./cipher.ts";
import type { StoreDatabase } from "./schema.ts";

export interface LinksTable {
  id: string;
  platform: string;
  tenant: string;
  person: string;
  /** The sealed key. */
  key: string;
  linked_at: number;
  /** When the workspace did not accept the key any more. */
  broken_at: number | null;
}

export const linksMigrations: readonly Migration[] = [
  {
    name: "links-1",
    async up(db) {
      await db.schema
        .createTable("links")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("platform", "text", (column) => column.notNull())
        .addColumn("tenant", "text", (column) => column.notNull())
        .addColumn("person", "text", (column) => column.notNull())
        .addColumn("key", "text", (column) => column.notNull())
        .addColumn("linked_at", "bigint", (column) => column.notNull())
        .addColumn("broken_at", "bigint")
        .addUniqueConstraint("links_holder", ["platform", "tenant", "person"])
        .execute();
    },
  },
];

/** What a sealed key belongs to, as the cipher binds it: JSON, so that no two people share it whatever their ids are. */
export const linkOwner = ({ platform, tenant, person }: Holder): string => `link:${JSON.stringify([platform, tenant, person])}`;

export function createLinks(db: StoreDatabase, cipher: Cipher): Links {
  const read = (row: LinksTable | undefined): Link | undefined =>
    row === undefined
      ? undefined
      : {
          id: row.id,
          platform: row.platform,
          tenant: row.tenant,
          person: row.person,
          key: cipher.open(row.key, linkOwner(row)),
          linkedAt: row.linked_at,
          brokenAt: row.broken_at,
        };
  const rowOf = ({ platform, tenant, person }: Holder) =>
    db
      .selectFrom("links")
      .selectAll()
      .where("platform", "=", platform)
      .where("tenant", "=", tenant)
      .where("person", "=", person)
      .executeTakeFirst();

  const links: Links = {
    of: async (holder) => read(await rowOf(holder)),
    byId: async (id) => read(await db.selectFrom("links").selectAll().where("id", "=", id).executeTakeFirst()),
    async put({ platform, tenant, person }, key, now) {
      const holder: Holder = { platform, tenant, person };
      const sealed = cipher.seal(key, linkOwner(holder));
      const row = await db
        .insertInto("links")
        .values({ id: randomUUID(), ...holder, key: sealed, linked_at: now, broken_at: null })
        .onConflict((conflict) =>
          conflict.columns(["platform", "tenant", "person"]).doUpdateSet({ key: sealed, linked_at: now, broken_at: null }),
        )
        .returning("id")
        .executeTakeFirstOrThrow();
      return { ...holder, id: row.id, key, linkedAt: now, brokenAt: null };
    },
    async remove({ platform, tenant, person }) {
      const row = await db
        .deleteFrom("links")
        .where("platform", "=", platform)
        .where("tenant", "=", tenant)
        .where("person", "=", person)
        .returning("id")
        .executeTakeFirst();
      return row !== undefined;
    },
    async markBroken({ id, key }, now) {
      if ((await links.byId(id))?.key !== key) return;
      await db.updateTable("links").set({ broken_at: now }).where("id", "=", id).where("broken_at", "is", null).execute();
    },
  };
  return links;
}
