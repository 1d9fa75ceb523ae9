/** A workspace database in a folder of its own, without a server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../src/log.ts";
import type { ServiceContext } from "../../src/service/context.ts";
import { openWorkspace } from "../../src/service/open.ts";
import { fakeClock, type FakeClock } from "../fakes/clock.ts";

export interface TestDatabase {
  readonly ctx: ServiceContext;
  readonly clock: FakeClock;
  close(): Promise<void>;
}

export async function openDatabase(): Promise<TestDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-heart-"));
  const clock = fakeClock();
  const db = await openWorkspace(dataDir);
  const random = (bytes: Uint8Array): Uint8Array => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  return {
    ctx: { db, clock, random, dataDir, log: createLog("silent"), publicUrl: () => "http://127.0.0.1/api/v1" },
    clock,
    async close() {
      await db.destroy();
      await rm(dataDir, { recursive: true });
    },
  };
}
