/** Where is kept what buttons stand for that run commands: sealed, as a command's options are somebody's words. */
import type { Clock } from "../clock.ts";
import { createButtonBook, type ButtonBook, type KeptButton } from "../core/command-buttons.ts";
import type { Cipher } from "./cipher.ts";
import { createMap } from "./key-values.ts";
import type { StoreDatabase } from "./schema.ts";
import { createSealedMap } from "./sealed-map.ts";

const name = "buttons";

export const openButtons = (db: StoreDatabase, cipher: Cipher, clock: Clock): ButtonBook =>
  createButtonBook(createSealedMap<KeptButton>(createMap<string>(db, clock, name), cipher, name), () =>
    crypto.randomUUID().replaceAll("-", ""),
  );
