/** Where is kept what is being made, and what was: words sealed, all of it ending by itself. */
import type { Clock } from "../clock.ts";
import type { Creation, Creations, JobClaim, Picture } from "../core/media/creations.ts";
import type { Cipher } from "./cipher.ts";
import { createMap } from "./key-values.ts";
import type { StoreDatabase } from "./schema.ts";
import { createSealedMap } from "./sealed-map.ts";

const orders = "media-orders";

export const openCreations = (db: StoreDatabase, cipher: Cipher, clock: Clock): Creations => ({
  orders: createSealedMap<Creation>(createMap<string>(db, clock, orders), cipher, orders),
  jobs: createMap<JobClaim>(db, clock, "media-jobs"),
  pictures: createMap<Picture>(db, clock, "pictures"),
  carried: createMap<Picture>(db, clock, "carried-pictures"),
});
