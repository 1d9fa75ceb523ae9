/** Where is kept what people were shown alone and may share: sealed, as it is of their own accounts. */
import type { Clock } from "../clock.ts";
import type { Share, Shares } from "../core/turns/share.ts";
import type { Cipher } from "./cipher.ts";
import { createMap } from "./key-values.ts";
import type { StoreDatabase } from "./schema.ts";
import { createSealedMap } from "./sealed-map.ts";

const name = "shares";

export const openShares = (db: StoreDatabase, cipher: Cipher, clock: Clock): Shares =>
  createSealedMap<Share>(createMap<string>(db, clock, name), cipher, name);
