/** Counters of turns and credits. */
import { Decimal } from "decimal.js";
import type { Counter, CounterStore } from "../core/allowances.ts";
import type { Migration } from "../database/migrate.ts";
import type { StoreDatabase } from "./schema.ts";

export interface AllowancesTable {
  platform: string;
  tenant: string;
  subject: string;
  period: string;
  starts_at: number;
  turns: number;
  /** Millionths of a credit, rounded up, as neither database adds decimals exactly. */
  millionths: number;
}

export const allowancesMigrations: readonly Migration[] = [
  {
    name: "allowances-1",
    async up(db) {
      await db.schema
        .createTable("allowances")
        .addColumn("platform", "text", (column) => column.notNull())
        .addColumn("tenant", "text", (column) => column.notNull())
        .addColumn("subject", "text", (column) => column.notNull())
        .addColumn("period", "text", (column) => column.notNull())
        .addColumn("starts_at", "bigint", (column) => column.notNull())
        .addColumn("turns", "bigint", (column) => column.notNull())
        .addColumn("millionths", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("allowances_key", ["platform", "tenant", "subject", "period", "starts_at"])
        .execute();
      await db.schema.createIndex("allowances_starts").on("allowances").column("starts_at").execute();
    },
  },
];

const perCredit = 1_000_000;

export interface Counters extends CounterStore {
  /** Deletes counters of periods that began before; returns how many. */
  prune(before: number): Promise<number>;
  /** The counters of a period, those with most first. */
  top(period: Counter["period"], startsAt: number, limit: number): Promise<readonly Counted[]>;
}

export interface Counted {
  readonly platform: string;
  readonly subject: string;
  readonly turns: number;
  readonly credits: Decimal;
}

export function createCounters(db: StoreDatabase): Counters {
  const add = async (counter: Counter, turns: number, millionths: number): Promise<number> => {
    const { startsAt, ...key } = counter;
    const row = await db
      .insertInto("allowances")
      .values({ ...key, starts_at: startsAt, turns, millionths })
      .onConflict((conflict) =>
        conflict.columns(["platform", "tenant", "subject", "period", "starts_at"]).doUpdateSet((row) => ({
          turns: row("allowances.turns", "+", turns),
          millionths: row("allowances.millionths", "+", millionths),
        })),
      )
      .returning("turns")
      .executeTakeFirstOrThrow();
    return row.turns;
  };
  return {
    addTurn: (counter) => add(counter, 1, 0),
    async addCredits(counter, credits) {
      await add(counter, 0, credits.times(perCredit).toDecimalPlaces(0, Decimal.ROUND_UP).toNumber());
    },
    async credits({ platform, tenant, subject, period, startsAt }) {
      const row = await db
        .selectFrom("allowances")
        .select("millionths")
        .where("platform", "=", platform)
        .where("tenant", "=", tenant)
        .where("subject", "=", subject)
        .where("period", "=", period)
        .where("starts_at", "=", startsAt)
        .executeTakeFirst();
      return new Decimal(row?.millionths ?? 0).div(perCredit);
    },
    async prune(before) {
      const rows = await db.deleteFrom("allowances").where("starts_at", "<", before).returning("subject").execute();
      return rows.length;
    },
    async top(period, startsAt, limit) {
      const rows = await db
        .selectFrom("allowances")
        .select(["platform", "subject", "turns", "millionths"])
        .where("period", "=", period)
        .where("starts_at", "=", startsAt)
        .orderBy("millionths", "desc")
        .orderBy("turns", "desc")
        .limit(limit)
        .execute();
      return rows.map(({ millionths, ...row }) => ({ ...row, credits: new Decimal(millionths).div(perCredit) }));
    },
  };
}
