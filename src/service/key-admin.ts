/** API keys as the command line manages them beside a running server; no REST route does. */
import { permissions, type Permission } from "../contract/permissions.ts";
import { Fault } from "../errors.ts";
import { ensureOwner, userNamed } from "./accounts.ts";
import { timestamp, type ServiceContext } from "./context.ts";
import { checkedPermissions, generateKey, hashKey, isKey } from "./keys.ts";

export type KeyContext = Pick<ServiceContext, "db" | "clock" | "random">;

/** What may be told of a key after it was made. */
export interface KeyInfo {
  readonly id: number;
  readonly name: string;
  readonly user: string;
  /** The key's last four characters. */
  readonly hint: string;
  readonly permissions: readonly Permission[];
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

async function register(ctx: KeyContext, userId: number, name: string, key: string, held: readonly Permission[]): Promise<void> {
  const row = { user_id: userId, name, hash: hashKey(key), hint: key.slice(-4), permissions: JSON.stringify(held) };
  await ctx.db
    .insertInto("api_keys")
    .values({ ...row, created_at: timestamp(ctx) })
    .execute();
}

/**
 * Makes a key and gives it, the only time that it can be seen.
 * @param options.user name of the account that the key acts as; without it the owner
 */
export async function createKey(
  ctx: KeyContext,
  options: { name: string; permissions: readonly string[]; user?: string },
): Promise<string> {
  if (options.name.trim() === "") throw new Fault("key_name", "expected a name for the key, got none");
  const held = checkedPermissions(options.permissions);
  const user = options.user === undefined ? await ensureOwner(ctx) : await userNamed(ctx, options.user);
  const key = generateKey(ctx.random);
  await register(ctx, user.id, options.name, key, held);
  return key;
}

/** Every key that was ever made, oldest first. */
export async function listKeys({ db }: Pick<ServiceContext, "db">): Promise<KeyInfo[]> {
  const rows = await db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .select(["api_keys.id", "api_keys.name", "users.name as user", "hint", "api_keys.permissions"])
    .select(["api_keys.created_at as createdAt", "revoked_at as revokedAt"])
    .orderBy("api_keys.id")
    .execute();
  return rows.map((row) => ({ ...row, permissions: JSON.parse(row.permissions) as Permission[] }));
}

/** Ends a key for ever; false when there is no such live key. */
export async function revokeKey(ctx: Pick<ServiceContext, "db" | "clock">, id: number): Promise<boolean> {
  const result = await ctx.db
    .updateTable("api_keys")
    .set({ revoked_at: timestamp(ctx) })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Replaces what a key may do, without changing the key; false when there is no such live key. */
export async function setKeyPermissions(ctx: Pick<ServiceContext, "db">, id: number, names: readonly string[]): Promise<boolean> {
  const result = await ctx.db
    .updateTable("api_keys")
    .set({ permissions: JSON.stringify(checkedPermissions(names)) })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Sees to it that Parley itself can act as the owner, with every permission, and gives the key to act with.
 * @param given the key that the operator chose; without it a new one is made, which the caller must keep
 */
export async function ensureOwnerKey(ctx: KeyContext, given?: string): Promise<string> {
  if (given !== undefined && !isKey(given)) {
    throw new Fault("key_form", "expected the owner's key as PARLEY-API- and 64 letters or digits");
  }
  const owner = await ensureOwner(ctx);
  const key = given ?? generateKey(ctx.random);
  const known = await ctx.db.selectFrom("api_keys").select("revoked_at").where("hash", "=", hashKey(key)).executeTakeFirst();
  if (known === undefined) await register(ctx, owner.id, "Parley", key, permissions);
  else if (known.revoked_at !== null) {
    throw new Fault("key_revoked", "the owner's key was revoked: choose another, or remove it and let Parley make one");
  }
  return key;
}
