/** Tables of Parley's own store, and the migrations that make them; plain SQL that SQLite and PostgreSQL share. */
import { sql, type Generated, type Kysely } from "kysely";
import { growingId } from "../database/dialect.ts";
import type { Migration } from "../database/migrate.ts";
import { allowancesMigrations, type AllowancesTable } from "./allowances.ts";
import { dutiesMigrations, type DutiesTable } from "./alone.ts";
import { auditMigrations, type AuditSchema } from "./audit.ts";
import { divisionsMigrations, type DivisionsTable } from "./divisions.ts";
import { pulseMigrations, type PulseTable } from "./pulse.ts";
import { linksMigrations, type LinksTable } from "./links.ts";
import { parkedMigrations, type ParkedTable } from "./parked.ts";

export interface TurnsTable {
  id: Generated<number>;
  /** The inbound's key: unique, so that retries and twins are one turn. */
  key: string;
  lane: string;
  kind: string;
  platform: string;
  /** The place's key; the lane's for conversations. */
  place: string;
  /** Who asked: the platform's id of the person. */
  asker: string;
  /** The sealed inbound; null once the turn is closed and its text is no longer needed. */
  body: string | null;
  /** What has been done so far: ids only, never text. */
  progress: string;
  due_at: number;
  /**
   * 1: it waits behind another turn of its lane, and a look over all lanes passes it over. Null: it may be its lane's first;
   * whether it is, the claim sees for itself.
   */
  behind: number | null;
  owner: string | null;
  lease_until: number | null;
  /** Grows with every claim; a write with an older fence changes nothing. */
  fence: Generated<number>;
  stop_at: number | null;
  /** `key` or `nothing`, when no more of the turn is to stay. */
  removal: string | null;
  outcome: string | null;
  created_at: number;
  closed_at: number | null;
}

/** What people think of answers: one verdict of a person on a turn. */
export interface RatingsTable {
  turn_key: string;
  person: string;
  verdict: string;
  at: number;
}

export interface KeyValuesTable {
  namespace: string;
  key: string;
  value: string;
  expires_at: number | null;
}

export interface StoreSchema extends AuditSchema {
  allowances: AllowancesTable;
  turns: TurnsTable;
  key_values: KeyValuesTable;
  ratings: RatingsTable;
  duties: DutiesTable;
  divisions: DivisionsTable;
  pulse: PulseTable;
  links: LinksTable;
  parked: ParkedTable;
}

export type StoreDatabase = Kysely<StoreSchema>;

export const storeMigrations: readonly Migration[] = [
  {
    name: "store-1-turns",
    async up(db) {
      await db.schema
        .createTable("turns")
        .addColumn("id", ...growingId(db))
        .addColumn("key", "text", (column) => column.notNull().unique())
        .addColumn("lane", "text", (column) => column.notNull())
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("platform", "text", (column) => column.notNull())
        .addColumn("place", "text", (column) => column.notNull())
        .addColumn("asker", "text", (column) => column.notNull())
        .addColumn("body", "text")
        .addColumn("progress", "text", (column) => column.notNull())
        .addColumn("due_at", "bigint", (column) => column.notNull())
        .addColumn("owner", "text")
        .addColumn("lease_until", "bigint")
        .addColumn("fence", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("stop_at", "bigint")
        .addColumn("outcome", "text")
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("closed_at", "bigint")
        .execute();
      // The conditions are written out: a bound parameter never matches a partial index on SQLite.
      const index = (name: string) => db.schema.createIndex(name).on("turns");
      await index("turns_open_lane").columns(["lane", "id"]).where(sql.ref("closed_at"), "is", null).execute();
      await index("turns_one_running").unique().column("lane").where(sql.ref("owner"), "is not", null).execute();
      await index("turns_waiting")
        .columns(["due_at", "id"])
        .where(sql.ref("closed_at"), "is", null)
        .where(sql.ref("owner"), "is", null)
        .execute();
      await index("turns_leased").column("lease_until").where(sql.ref("owner"), "is not", null).execute();
      await index("turns_closed")
        .column("closed_at")
        .where(sql.ref("closed_at"), "is not", null)
        .where(sql.ref("body"), "is not", null)
        .execute();
      await index("turns_lane").columns(["lane", "id"]).execute();
    },
  },
  {
    name: "store-2-key-values",
    async up(db) {
      await db.schema
        .createTable("key_values")
        .addColumn("namespace", "text", (column) => column.notNull())
        .addColumn("key", "text", (column) => column.notNull())
        .addColumn("value", "text", (column) => column.notNull())
        .addColumn("expires_at", "bigint")
        .addPrimaryKeyConstraint("key_values_key", ["namespace", "key"])
        .execute();
    },
  },
  {
    name: "store-3-ratings",
    async up(db) {
      await db.schema
        .createTable("ratings")
        .addColumn("turn_key", "text", (column) => column.notNull())
        .addColumn("person", "text", (column) => column.notNull())
        .addColumn("verdict", "text", (column) => column.notNull())
        .addColumn("at", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("ratings_key", ["turn_key", "person"])
        .execute();
    },
  },
  ...auditMigrations,
  {
    name: "store-4-removal",
    async up(db) {
      await db.schema.alterTable("turns").addColumn("removal", "text").execute();
      await db.schema.createIndex("turns_asker").on("turns").columns(["asker", "platform"]).execute();
      await db.schema
        .createIndex("turns_ended")
        .on("turns")
        .column("closed_at")
        .where(sql.ref("closed_at"), "is not", null)
        .execute();
    },
  },
  ...linksMigrations,
  ...parkedMigrations,
  ...allowancesMigrations,
  ...dutiesMigrations,
  ...divisionsMigrations,
  ...pulseMigrations,
  {
    name: "store-5-behind",
    async up(db) {
      await db.schema.alterTable("turns").addColumn("behind", "integer").execute();
      const index = (name: string) => db.schema.createIndex(name).on("turns").where(sql.ref("closed_at"), "is", null);
      await index("turns_ready")
        .columns(["due_at", "id"])
        .where(sql.ref("owner"), "is", null)
        .where(sql.ref("behind"), "is", null)
        .execute();
      await index("turns_behind").columns(["lane", "id"]).where(sql.ref("behind"), "is not", null).execute();
      await db.schema.dropIndex("turns_waiting").execute();
    },
  },
];
