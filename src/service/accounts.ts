/** Users and their quota, as the command line manages them beside a running server. */
import { parseMoney, formatMoney } from "../contract/money.ts";
import { quotaReasons, type QuotaReason } from "../contract/errors.ts";
import type { DecimalString } from "../contract/records.ts";
import { Fault } from "../errors.ts";
import { timestamp, type ServiceContext } from "./context.ts";
import { checkedPermissions } from "./keys.ts";
import type { UserRow } from "./schema.ts";

export type AccountContext = Pick<ServiceContext, "db" | "clock">;

const ownerName = "owner";

/** The account of the one who runs the workspace; made when there is none. */
export async function ensureOwner(ctx: AccountContext): Promise<UserRow> {
  const row = {
    name: ownerName,
    role: "owner" as const,
    credits_used: "0",
    active: 1,
    region_blocked: 0,
    created_at: timestamp(ctx),
  };
  await ctx.db
    .insertInto("users")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return userNamed(ctx, ownerName);
}

/**
 * Makes a member of the workspace.
 * @param permissions what the member's keys may hold at most; without it all
 */
export async function createUser(ctx: AccountContext, name: string, permissions?: readonly string[]): Promise<UserRow> {
  if (name.trim() === "") throw new Fault("user_name", "expected a name for the user, got none");
  const stored = permissions === undefined ? null : JSON.stringify(checkedPermissions(permissions));
  const row = { name, role: "member" as const, permissions: stored, credits_used: "0", active: 1, region_blocked: 0 };
  await ctx.db
    .insertInto("users")
    .values({ ...row, created_at: timestamp(ctx) })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return userNamed(ctx, name);
}

/** The user called `name`. Throws a Fault `user_unknown`. */
export async function userNamed({ db }: Pick<ServiceContext, "db">, name: string): Promise<UserRow> {
  const row = await db.selectFrom("users").selectAll().where("name", "=", name).executeTakeFirst();
  if (row === undefined) throw new Fault("user_unknown", `expected the name of a user of the workspace, got ${name}`);
  return row;
}

export interface Quota {
  /** Credits that may be used in all; null: no limit. */
  readonly limit: DecimalString | null;
  readonly used: DecimalString;
  /** Refuses all paid work with this reason; null: only the credits count. */
  readonly reason: QuotaReason | null;
  readonly active: boolean;
  readonly regionBlocked: boolean;
}

const quotaOf = (user: UserRow): Quota => ({
  limit: user.credit_limit,
  used: user.credits_used,
  reason: user.quota_reason as QuotaReason | null,
  active: user.active === 1,
  regionBlocked: user.region_blocked === 1,
});

export const readQuota = async (ctx: Pick<ServiceContext, "db">, userName: string): Promise<Quota> =>
  quotaOf(await userNamed(ctx, userName));

function amount(value: DecimalString): DecimalString {
  const parsed = parseMoney(value);
  if (parsed === undefined || parsed.isNegative()) {
    throw new Fault("quota_amount", `expected credits as a decimal number from 0, such as 12.5, got ${value}`);
  }
  return formatMoney(parsed);
}

/** Changes what `change` names, and gives the quota as it is then. It counts from the next request on. */
export async function setQuota(ctx: Pick<ServiceContext, "db">, userName: string, change: Partial<Quota>): Promise<Quota> {
  const { id } = await userNamed(ctx, userName);
  if (change.reason !== undefined && change.reason !== null && !quotaReasons.includes(change.reason)) {
    throw new Fault("quota_reason", `expected one of ${quotaReasons.join(", ")}, got ${String(change.reason)}`);
  }
  const row = {
    ...(change.limit === undefined ? {} : { credit_limit: change.limit === null ? null : amount(change.limit) }),
    ...(change.used === undefined ? {} : { credits_used: amount(change.used) }),
    ...(change.reason === undefined ? {} : { quota_reason: change.reason }),
    ...(change.active === undefined ? {} : { active: Number(change.active) }),
    ...(change.regionBlocked === undefined ? {} : { region_blocked: Number(change.regionBlocked) }),
  };
  if (Object.keys(row).length > 0) await ctx.db.updateTable("users").set(row).where("id", "=", id).execute();
  return readQuota(ctx, userName);
}
