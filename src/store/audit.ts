/** The audit log's table. */
import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Clock } from "../clock.ts";
import type { Audit, AuditEntry } from "../core/audit.ts";
import type { Migration } from "../database/migrate.ts";
import type { StoreDatabase } from "./schema.ts";

export interface AuditTable {
  id: string;
  at: number;
  platform: string;
  tenant: string;
  /** Null once its person is forgotten, where it was a direct message. */
  channel: string | null;
  thread: string | null;
  /** 1 or 0. */
  direct: number;
  person: string | null;
  kind: string;
  account: string | null;
  outcome: string;
  turn: string | null;
  correlation: string | null;
  /** JSON: names and numbers. */
  counts: string | null;
}

export interface AuditSchema {
  audit: AuditTable;
}

export const auditMigrations: readonly Migration[] = [
  {
    name: "audit-1",
    async up(db) {
      await db.schema
        .createTable("audit")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("at", "bigint", (column) => column.notNull())
        .addColumn("platform", "text", (column) => column.notNull())
        .addColumn("tenant", "text", (column) => column.notNull())
        .addColumn("channel", "text")
        .addColumn("thread", "text")
        .addColumn("direct", "integer", (column) => column.notNull())
        .addColumn("person", "text")
        .addColumn("kind", "text", (column) => column.notNull())
        .addColumn("account", "text")
        .addColumn("outcome", "text", (column) => column.notNull())
        .addColumn("turn", "text")
        .addColumn("correlation", "text")
        .addColumn("counts", "text")
        .addUniqueConstraint("audit_turn", ["turn", "kind"])
        .execute();
      await db.schema.createIndex("audit_at").on("audit").columns(["at", "id"]).execute();
      await db.schema.createIndex("audit_person").on("audit").columns(["person", "platform"]).execute();
    },
  },
];

/** One line of the audit log, as it is printed and appended to the file. */
export interface AuditLine extends Omit<AuditEntry, "place" | "direct"> {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly platform: string;
  readonly tenant: string;
  readonly channel: string | null;
  readonly thread: string | null;
}

export interface AuditQuery {
  /** From this time on, in ms since 1970. */
  readonly since?: number;
  readonly person?: string;
  readonly tenant?: string;
  readonly outcome?: string;
}

export interface AuditLog extends Audit {
  /** Oldest first; read in portions, so that a long log is never held whole. */
  read(query: AuditQuery): AsyncIterable<AuditLine>;
  /** Deletes what is older; returns how many entries. */
  prune(before: number): Promise<number>;
}

const portion = 500;

const lineOf = (row: Selectable<AuditTable>): AuditLine => {
  const { id, at, platform, tenant, channel, thread, person, kind, account, outcome, turn, correlation, counts } = row;
  return {
    at: new Date(at).toISOString(),
    id,
    platform,
    tenant,
    channel,
    thread,
    person,
    kind,
    account,
    outcome,
    turn,
    correlation,
    ...(counts === null ? {} : { counts: JSON.parse(counts) as Record<string, number> }),
  };
};

/** @param echo is given each line once it is kept, as text without its line end */
export function createAudit(
  db: StoreDatabase,
  clock: Clock,
  echo: (line: string) => Promise<void> = () => Promise.resolve(),
): AuditLog {
  return {
    async record({ place, direct, counts, ...entry }) {
      const row: AuditTable = {
        id: randomUUID(),
        at: clock.now(),
        platform: place.platform,
        tenant: place.tenant,
        channel: place.channel === "" ? null : place.channel,
        thread: place.thread,
        direct: direct ? 1 : 0,
        ...entry,
        counts: counts === undefined ? null : JSON.stringify(counts),
      };
      const { id: _id, ...change } = row;
      await db
        .insertInto("audit")
        .values(row)
        .onConflict((conflict) => conflict.columns(["turn", "kind"]).doUpdateSet(change))
        .execute();
      await echo(JSON.stringify(lineOf(row)));
    },

    async *read({ since = 0, person, tenant, outcome }) {
      let after = { at: since, id: "" };
      for (;;) {
        const rows = await db
          .selectFrom("audit")
          .selectAll()
          .where((row) => row.or([row("at", ">", after.at), row.and([row("at", "=", after.at), row("id", ">", after.id)])]))
          .$if(person !== undefined, (query) => query.where("person", "=", person ?? ""))
          .$if(tenant !== undefined, (query) => query.where("tenant", "=", tenant ?? ""))
          .$if(outcome !== undefined, (query) => query.where("outcome", "=", outcome ?? ""))
          .orderBy("at")
          .orderBy("id")
          .limit(portion)
          .execute();
        yield* rows.map(lineOf);
        const last = rows.at(-1);
        if (last === undefined || rows.length < portion) return;
        after = { at: last.at, id: last.id };
      }
    },

    async prune(before) {
      const rows = await db.deleteFrom("audit").where("at", "<", before).returning("id").execute();
      return rows.length;
    },
  };
}
