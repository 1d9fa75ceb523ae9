/** What a thread costs while nobody writes in it: it is a row of the store, and nothing in memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock as clock } from "../src/clock.ts";
import { placeKey } from "../src/core/place.ts";
import { createThreads, type Thread } from "../src/core/threads.ts";
import { migrate } from "../src/database/migrate.ts";
import { openSqlite } from "../src/database/sqlite.ts";
import { createMap } from "../src/store/key-values.ts";
import { storeMigrations, type StoreSchema } from "../src/store/schema.ts";
import type { Idle } from "./figures.ts";

const threads = 100_000;
const batch = 1_000;

const placeOf = (index: number) => ({ platform: "fake", tenant: "t", channel: `c${index % 500}`, thread: String(index) });

export async function measureIdle(): Promise<Idle> {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  const db = openSqlite<StoreSchema>(join(folder, "store.sqlite"));
  try {
    await migrate(db, storeMigrations);
    const map = createMap<Thread>(db, clock, "threads");
    const conversations = createMap<string>(db, clock, "conversations");
    globalThis.gc?.();
    const before = process.memoryUsage.rss();
    for (let from = 0; from < threads; from += batch) {
      const indexes = Array.from({ length: batch }, (_, offset) => from + offset);
      await map.setMany(
        indexes.map((index) => ({
          key: placeKey(placeOf(index)),
          value: { conversationId: index, newest: index, startedAt: 0 },
        })),
      );
      await conversations.setMany(indexes.map((index) => ({ key: String(index), value: placeKey(placeOf(index)) })));
    }
    const last = await createThreads(map, conversations).get(placeOf(threads - 1));
    if (last?.conversationId !== threads - 1) throw new Error("the last thread was not stored");
    globalThis.gc?.();
    return { threads, residentPerThreadBytes: Math.max(0, process.memoryUsage.rss() - before) / threads };
  } finally {
    await db.destroy();
    rmSync(folder, { recursive: true });
  }
}
