/** keyv's storage over the same database as the turns: one object for each namespace. */
import { Hookified } from "hookified";
import {
  Keyv,
  keyvStorageCapability,
  type KeyvEntry,
  type KeyvStorageAdapter,
  type KeyvStorageCapability,
  type KeyvStorageEntry,
  type KeyvValue,
} from "keyv";
import type { Clock } from "../clock.ts";
import type { MapName } from "./holdings.ts";
import type { StoreDatabase } from "./schema.ts";

/**
 * A failed read or write throws: it must never look like "not found".
 * Expired entries are not found, and are deleted by `clearExpired`.
 */
class KeyValueStorage extends Hookified implements KeyvStorageAdapter {
  namespace?: string | undefined;
  readonly #db: StoreDatabase;
  readonly #clock: Clock;
  readonly #name: string;

  constructor(db: StoreDatabase, clock: Clock, name: string) {
    super();
    this.#db = db;
    this.#clock = clock;
    this.#name = name;
  }

  get capabilities(): KeyvStorageCapability {
    return keyvStorageCapability(this);
  }

  async #live(keys: readonly string[]): Promise<Map<string, string>> {
    if (keys.length === 0) return new Map();
    const rows = await this.#db
      .selectFrom("key_values")
      .select(["key", "value"])
      .where("namespace", "=", this.#name)
      .where("key", "in", keys)
      .where((expression) =>
        expression.or([expression("expires_at", "is", null), expression("expires_at", ">", this.#clock.now())]),
      )
      .execute();
    return new Map(rows.map((row) => [row.key, row.value]));
  }

  async get<T>(key: string) {
    return (await this.#live([key])).get(key) as (T & string) | undefined;
  }

  async getMany<T>(keys: string[]) {
    const found = await this.#live(keys);
    return keys.map((key) => found.get(key) as (T & string) | undefined);
  }

  async set(key: string, value: unknown, expires?: number) {
    await this.setMany([{ key, value, ...(expires === undefined ? {} : { expires }) }]);
    return true;
  }

  async setMany<T>(entries: KeyvStorageEntry<T>[]) {
    if (entries.length > 0) {
      await this.#db
        .insertInto("key_values")
        .values(
          entries.map((entry) => ({
            namespace: this.#name,
            key: entry.key,
            value: String(entry.value),
            expires_at: entry.expires ?? null,
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(["namespace", "key"]).doUpdateSet((expression) => ({
            value: expression.ref("excluded.value"),
            expires_at: expression.ref("excluded.expires_at"),
          })),
        )
        .execute();
    }
    return entries.map(() => true);
  }

  async has(key: string) {
    return (await this.#live([key])).has(key);
  }

  async hasMany(keys: string[]) {
    const found = await this.#live(keys);
    return keys.map((key) => found.has(key));
  }

  async delete(key: string) {
    return (await this.deleteMany([key])).includes(true);
  }

  async deleteMany(keys: string[]) {
    if (keys.length === 0) return [];
    const rows = await this.#db
      .deleteFrom("key_values")
      .where("namespace", "=", this.#name)
      .where("key", "in", keys)
      .returning("key")
      .execute();
    const gone = new Set(rows.map((row) => row.key));
    return keys.map((key) => gone.has(key));
  }

  async clear() {
    await this.#db.deleteFrom("key_values").where("namespace", "=", this.#name).execute();
  }
}

/**
 * keyv counts a time to live from the machine's time, and looks at the machine's time again when it reads.
 * Here the given clock counts alone, so that what has ended and what is deleted are never of two minds.
 */
class ClockedMap<Value> extends Keyv<Value> {
  readonly #clock: Clock;

  constructor(db: StoreDatabase, clock: Clock, name: MapName) {
    super({ store: new KeyValueStorage(db, clock, name), checkExpired: false });
    this.#clock = clock;
  }

  /** @param ttlMs how long the entry is kept; without it, until it is deleted */
  override set<Entry = Value>(key: string, value: Entry, ttlMs?: number): Promise<boolean> {
    return this.setRaw<Entry>(key, this.#lasting(value, ttlMs));
  }

  override setMany<Entry = Value>(entries: KeyvEntry<Entry>[]): Promise<boolean[]> {
    return this.setManyRaw<Entry>(entries.map(({ key, value, ttl }) => ({ key, value: this.#lasting(value, ttl) })));
  }

  #lasting<Entry>(value: Entry, ttlMs: number | undefined): KeyvValue<Entry> {
    return ttlMs === undefined ? { value } : { value, expires: this.#clock.now() + ttlMs };
  }
}

/**
 * A keyv map, one of those that `holdings.ts` has a rule for, named `namespace` in the database. keyv throws a failed read or write
 * as long as nobody listens to its `error` event, so nobody may: a failure would turn into "not found".
 */
export const createMap = <Value>(db: StoreDatabase, clock: Clock, namespace: MapName): Keyv<Value> =>
  new ClockedMap<Value>(db, clock, namespace);

/** Deletes what has expired; returns how many entries. */
export async function clearExpired(db: StoreDatabase, now: number): Promise<number> {
  const rows = await db.deleteFrom("key_values").where("expires_at", "<=", now).returning("key").execute();
  return rows.length;
}
