/** Seals everything in the store anew, with the present key. */
import type { Cipher } from "./cipher.ts";
import { linkOwner } from "./links.ts";
import { parkedOwner } from "./parked.ts";
import type { StoreDatabase } from "./schema.ts";
import { entryOwner } from "./sealed-map.ts";
import { isSealed, keyIdOf } from "./sealed.ts";

export interface Resealed {
  /** Rows that were sealed anew. */
  readonly changed: number;
  /** Rows that the present key had sealed already. */
  readonly unchanged: number;
  /** Rows that none of the keys opens: left as they are. */
  readonly unreadable: number;
}

/** Rows that are read and written at once. */
const portion = 200;

/** One row's sealed text, and how to put another in its place. */
interface Sealed {
  readonly text: string;
  readonly owner: string;
  /** Nothing is written when the row was changed meanwhile: whoever did that sealed with the present key. */
  readonly replace: (text: string) => Promise<unknown>;
}

type Portion = { readonly sealed: readonly Sealed[]; readonly next: string | null };
/** A table's rows behind `after`, in portions. */
type Column = (db: StoreDatabase, after: string) => Promise<Portion>;

const portionOf = <Row>(rows: readonly Row[], key: (row: Row) => string, sealed: (row: Row) => Sealed | null): Portion => {
  const last = rows.at(-1);
  return {
    sealed: rows.map(sealed).filter((one) => one !== null),
    next: last === undefined || rows.length < portion ? null : key(last),
  };
};

/** Every column that holds sealed text; a test looks through the whole store for what is left over. */
const columns: readonly Column[] = [
  async (db, after) => {
    const rows = await db
      .selectFrom("turns")
      .select(["key", "body"])
      .where("body", "is not", null)
      .where("key", ">", after)
      .orderBy("key")
      .limit(portion)
      .execute();
    return portionOf(
      rows,
      ({ key }) => key,
      ({ key, body }) => ({
        text: body ?? "",
        owner: key,
        replace: (text) => db.updateTable("turns").set({ body: text }).where("key", "=", key).where("body", "=", body).execute(),
      }),
    );
  },
  async (db, after) => {
    const [name = "", from = ""] = after === "" ? [] : (JSON.parse(after) as string[]);
    const rows = await db
      .selectFrom("key_values")
      .select(["namespace", "key", "value"])
      .where((row) => row.or([row("namespace", ">", name), row.and([row("namespace", "=", name), row("key", ">", from)])]))
      .orderBy("namespace")
      .orderBy("key")
      .limit(portion)
      .execute();
    return portionOf(
      rows,
      ({ namespace, key }) => JSON.stringify([namespace, key]),
      ({ namespace, key, value }) => {
        const written = JSON.parse(value) as { readonly value: unknown };
        if (typeof written.value !== "string" || !isSealed(written.value)) return null;
        return {
          text: written.value,
          owner: entryOwner(namespace, key),
          replace: (text) =>
            db
              .updateTable("key_values")
              .set({ value: JSON.stringify({ ...written, value: text }) })
              .where("namespace", "=", namespace)
              .where("key", "=", key)
              .where("value", "=", value)
              .execute(),
        };
      },
    );
  },
  async (db, after) => {
    const rows = await db.selectFrom("links").selectAll().where("id", ">", after).orderBy("id").limit(portion).execute();
    return portionOf(
      rows,
      ({ id }) => id,
      (row) => ({
        text: row.key,
        owner: linkOwner(row),
        replace: (text) =>
          db.updateTable("links").set({ key: text }).where("id", "=", row.id).where("key", "=", row.key).execute(),
      }),
    );
  },
  async (db, after) => {
    const rows = await db
      .selectFrom("parked")
      .select(["key", "body"])
      .where("key", ">", after)
      .orderBy("key")
      .limit(portion)
      .execute();
    return portionOf(
      rows,
      ({ key }) => key,
      ({ key, body }) => ({
        text: body,
        owner: parkedOwner(key),
        replace: (text) => db.updateTable("parked").set({ body: text }).where("key", "=", key).where("body", "=", body).execute(),
      }),
    );
  },
];

/** Row by row: killed in the middle, it leaves each row sealed with one key or the other, and goes on when it is called again. */
export async function resealAll(db: StoreDatabase, cipher: Cipher): Promise<Resealed> {
  const counts = { changed: 0, unchanged: 0, unreadable: 0 };
  for (const column of columns) {
    for (let after: string | null = ""; after !== null;) {
      const from: string = after;
      after = await db.transaction().execute(async (transaction) => {
        const { sealed, next } = await column(transaction, from);
        for (const { text, owner, replace } of sealed) {
          if (keyIdOf(text) === cipher.keyId) {
            counts.unchanged++;
            continue;
          }
          const plain = opened(cipher, text, owner);
          if (plain === null) counts.unreadable++;
          else {
            await replace(cipher.seal(plain, owner));
            counts.changed++;
          }
        }
        return next;
      });
    }
  }
  return counts;
}

function opened(cipher: Cipher, text: string, owner: string): string | null {
  try {
    return cipher.open(text, owner);
  } catch {
    // Counted, and told at the end: one row that does not open keeps no other back.
    return null;
  }
}
