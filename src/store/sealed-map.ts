/** A map of secrets: its values are sealed before they are stored. */
import type { Cipher } from "./cipher.ts";

export interface SealedMap<Value> {
  get(key: string): Promise<Value | undefined>;
  /** @param ttlMs how long the entry is kept */
  set(key: string, value: Value, ttlMs: number): Promise<void>;
}

/** What an entry belongs to, as the cipher binds it. */
export const entryOwner = (name: string, key: string): string => `${name}:${key}`;

/**
 * @param map keyv meets it
 * @param name of the map, so that no entry opens in another
 */
export function createSealedMap<Value>(
  map: { get(key: string): Promise<string | undefined>; set(key: string, value: string, ttlMs: number): Promise<unknown> },
  cipher: Cipher,
  name: string,
): SealedMap<Value> {
  return {
    async get(key) {
      const sealed = await map.get(key);
      return sealed === undefined ? undefined : (JSON.parse(cipher.open(sealed, entryOwner(name, key))) as Value);
    },
    async set(key, value, ttlMs) {
      await map.set(key, cipher.seal(JSON.stringify(value), entryOwner(name, key)), ttlMs);
    },
  };
}
