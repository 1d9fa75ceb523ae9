/** Walks every map, and deletes what is about somebody. */
import type { Cipher } from "./cipher.ts";
import { holdingOf, mapHoldings, type About, type Holding, type MapName } from "./holdings.ts";
import type { StoreDatabase } from "./schema.ts";
import { entryOwner } from "./sealed-map.ts";
import { isSealed } from "./sealed.ts";

/** Entries that are read at once: between two portions other work goes on. */
const portion = 500;

/** How keyv writes an entry. */
interface Written {
  readonly value: unknown;
}

/** Whom or what entries are to be about, to be deleted. */
export interface Whom {
  readonly place?: (key: string) => boolean;
  readonly person?: (platform: string, id: string) => boolean;
  readonly account?: (id: string) => boolean;
  readonly conversation?: (id: string) => boolean;
  readonly turn?: (key: string) => boolean;
  /** The turn whose entries stay. */
  readonly spare?: string;
}

const isAbout = ({ places = [], people = [], accounts = [], conversation, turn }: About, whom: Whom): boolean =>
  (turn === undefined || turn !== whom.spare) &&
  (places.some((place) => whom.place?.(place)) ||
    people.some(({ platform, person }) => whom.person?.(platform, person)) ||
    accounts.some((account) => whom.account?.(account)) ||
    (conversation !== undefined && whom.conversation?.(conversation) === true) ||
    (turn !== undefined && whom.turn?.(turn) === true));

/** @returns how many entries were deleted or cut */
export async function clearMaps(db: StoreDatabase, cipher: Cipher, whom: Whom): Promise<number> {
  let cleared = 0;
  for (const name of Object.keys(mapHoldings) as MapName[]) cleared += await clearMap(db, cipher, name, holdingOf(name), whom);
  return cleared;
}

/** The entries of a map, sealed ones opened. */
export async function* entriesOf(db: StoreDatabase, cipher: Cipher, name: MapName) {
  let after = "";
  for (;;) {
    const rows = await db
      .selectFrom("key_values")
      .select(["key", "value"])
      .where("namespace", "=", name)
      .where("key", ">", after)
      .orderBy("key")
      .limit(portion)
      .execute();
    for (const { key, value: text } of rows) {
      const written = JSON.parse(text) as Written;
      const value =
        typeof written.value === "string" && isSealed(written.value)
          ? (JSON.parse(cipher.open(written.value, entryOwner(name, key))) as unknown)
          : written.value;
      yield { key, value, text, written };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < portion) return;
    after = last.key;
  }
}

async function clearMap(db: StoreDatabase, cipher: Cipher, name: MapName, holding: Holding, whom: Whom): Promise<number> {
  const gone: string[] = [];
  const kept = new Set<string>();
  const following: { readonly key: string; readonly follows: string }[] = [];
  let cut = 0;
  for await (const { key, value, text, written } of entriesOf(db, cipher, name)) {
    const about = holding.about(key, value);
    if (isAbout(about, whom)) gone.push(key);
    else if (about.follows !== undefined) following.push({ key, follows: about.follows });
    else kept.add(key);
    const left = whom.place === undefined ? undefined : holding.without?.(value, whom.place);
    if (left === undefined || JSON.stringify(left) === JSON.stringify(value)) continue;
    cut++;
    await db
      .updateTable("key_values")
      .set({ value: JSON.stringify({ ...written, value: left }) })
      .where("namespace", "=", name)
      .where("key", "=", key)
      .where("value", "=", text)
      .execute();
  }
  gone.push(...following.filter(({ follows }) => !kept.has(follows)).map(({ key }) => key));
  for (let at = 0; at < gone.length; at += portion) {
    await db
      .deleteFrom("key_values")
      .where("namespace", "=", name)
      .where("key", "in", gone.slice(at, at + portion))
      .execute();
  }
  return gone.length + cut;
}
