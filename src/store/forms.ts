/** Where forms are kept that were offered: sealed, as what was filled into a former page may be secret. */
import type { Clock } from "../clock.ts";
import { createFormBook, type FormBook, type KeptForm } from "../core/forms/book.ts";
import type { Cipher } from "./cipher.ts";
import { createMap } from "./key-values.ts";
import type { StoreDatabase } from "./schema.ts";
import { createSealedMap } from "./sealed-map.ts";

const name = "forms";

export const openForms = (db: StoreDatabase, cipher: Cipher, clock: Clock): FormBook =>
  createFormBook(createSealedMap<KeptForm>(createMap<string>(db, clock, name), cipher, name), clock, () =>
    crypto.randomUUID().replaceAll("-", ""),
  );
