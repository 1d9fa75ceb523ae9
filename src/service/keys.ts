/** API keys: their form, the hash under which they are stored, and what they may hold. */
import { createHash } from "node:crypto";
import { errorTexts } from "../contract/errors.ts";
import { isPermission, staffPermissions, type Permission } from "../contract/permissions.ts";
import { Fault } from "../errors.ts";
import type { Random } from "./context.ts";

const prefix = "PARLEY-API-";
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const randomPart = 64;

export const isKey = (value: string): boolean => /^PARLEY-API-[A-Za-z0-9]{64}$/.test(value);

/** What is stored of a key. A fast hash is enough: 64 random characters cannot be guessed. */
export const hashKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/** A new key. */
export function generateKey(random: Random): string {
  let made = "";
  while (made.length < randomPart) {
    for (const byte of random(new Uint8Array(randomPart))) {
      // 248 is the largest multiple of 62 below 256: larger bytes would make the first letters likelier.
      if (byte < 248 && made.length < randomPart) made += alphabet[byte % alphabet.length];
    }
  }
  return prefix + made;
}

/** The permissions that `names` name. Throws a Fault `permission_restricted` for a staff-only one, `permission_unknown` for any other. */
export function checkedPermissions(names: readonly string[]): Permission[] {
  const staff: readonly string[] = staffPermissions;
  return [...new Set(names)].map((name) => {
    if (staff.includes(name)) throw new Fault("permission_restricted", errorTexts.staffPermission);
    if (!isPermission(name)) throw new Fault("permission_unknown", `expected a permission of an API key, got ${name}`);
    return name;
  });
}
