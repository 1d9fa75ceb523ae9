/** API keys: their form, and the hash under which they are stored. */
import { createHash } from "node:crypto";
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
