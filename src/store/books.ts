/** All that the core keeps in the database beside its turns and its logs: one book for each kind. */
import type { Clock } from "../clock.ts";
import type { ButtonBook } from "../core/command-buttons.ts";
import type { FormBook } from "../core/forms/book.ts";
import type { Creations } from "../core/media/creations.ts";
import type { Oversight } from "../core/oversight.ts";
import { createSettings, type Settings, type SettingsBook } from "../core/settings.ts";
import { createThreads, type Thread, type Threads } from "../core/threads.ts";
import type { Shares } from "../core/turns/share.ts";
import { openButtons } from "./buttons.ts";
import type { Cipher } from "./cipher.ts";
import { openCreations } from "./creations.ts";
import { openForms } from "./forms.ts";
import { createMap } from "./key-values.ts";
import { createOversight } from "./oversight.ts";
import type { StoreDatabase } from "./schema.ts";
import { openShares } from "./shares.ts";

export interface Books {
  readonly threads: Threads;
  readonly settings: SettingsBook;
  readonly forms: FormBook;
  readonly creations: Creations;
  readonly shares: Shares;
  readonly buttons: ButtonBook;
  readonly oversight: Oversight;
}

export function openBooks(db: StoreDatabase, cipher: Cipher, clock: Clock): Books {
  return {
    threads: createThreads(createMap<Thread>(db, clock, "threads"), createMap<string>(db, clock, "conversations")),
    settings: createSettings(createMap<Settings>(db, clock, "settings")),
    forms: openForms(db, cipher, clock),
    creations: openCreations(db, cipher, clock),
    shares: openShares(db, cipher, clock),
    buttons: openButtons(db, cipher, clock),
    oversight: createOversight(db),
  };
}
