/** Who is calling: the key is looked up by its hash on every request, so that a revoked key or a changed right counts at once. */
import { errorTexts } from "../contract/errors.ts";
import { permissions, type Permission } from "../contract/permissions.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { HttpError } from "./http-error.ts";
import { hashKey } from "./keys.ts";

const list = (stored: string): readonly Permission[] => JSON.parse(stored) as Permission[];

/**
 * The caller that an `Authorization` header names.
 * Throws HttpError 401 without a known key, 403 for an inactive account or an unsupported region.
 */
export async function authenticate(ctx: Pick<ServiceContext, "db">, header: string | null): Promise<Caller> {
  const key = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  if (key === undefined) throw new HttpError(401, errorTexts.unauthorized);
  const row = await ctx.db
    .selectFrom("api_keys")
    .innerJoin("users", "users.id", "api_keys.user_id")
    .select(["api_keys.id as keyId", "api_keys.permissions as keyPermissions"])
    .select(["users.id", "users.name", "users.permissions", "users.active", "users.region_blocked"])
    .where("api_keys.hash", "=", hashKey(key))
    .where("api_keys.revoked_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) throw new HttpError(401, errorTexts.invalidKey);
  if (row.active === 0) throw new HttpError(403, errorTexts.inactiveAccount);
  if (row.region_blocked === 1) throw new HttpError(403, errorTexts.region);
  const owners = new Set(row.permissions === null ? permissions : list(row.permissions));
  return {
    userId: row.id,
    userName: row.name,
    keyId: row.keyId,
    permissions: new Set(list(row.keyPermissions).filter((permission) => owners.has(permission))),
  };
}
