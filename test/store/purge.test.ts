import { afterEach, beforeEach, expect, test } from "vitest";
import type { Place } from "../../src/core/place.ts";
import { createThreads, type Thread } from "../../src/core/threads.ts";
import { createMap } from "../../src/store/key-values.ts";
import { purgeTenant } from "../../src/store/purge.ts";
import { says } from "../core/engine.ts";
import { fakeClock } from "../fakes/clock.ts";
import { openStore } from "./open.ts";

let opened: Awaited<ReturnType<typeof openStore>>;
beforeEach(async () => {
  opened = await openStore();
});
afterEach(() => opened.close());

test("a tenant that is left leaves nothing behind, and takes nothing of another's", async () => {
  const { db, store } = opened;
  const clock = fakeClock();
  const threads = createThreads(createMap<Thread>(db, clock, "threads"), createMap<string>(db, clock, "conversations"));
  const place = (tenant: string): Place => ({ platform: "slack", tenant, channel: "C1", thread: "1.2" });
  const thread = { newest: 0, startedAt: 1 };
  for (const [at, tenant] of ["T0_GONE", "T0XGONE"].entries()) {
    await store.put(says(`slack:${tenant}:C1:1.2:message`, "secret", { place: place(tenant) }), tenant, 1);
    await threads.set(place(tenant), { ...thread, conversationId: at + 1 });
  }
  await store.put(says("the purge", "", { place: place("T0_GONE") }), "now:purge", 1);
  await purgeTenant(db, "slack", "T0_GONE", "the purge");
  expect(await store.find("slack:T0_GONE:C1:1.2:message")).toBeUndefined();
  expect(await store.find("the purge")).toBeDefined();
  expect(await threads.get(place("T0_GONE"))).toBeUndefined();
  expect(await threads.placeOf(1)).toBeUndefined();
  expect(await store.find("slack:T0XGONE:C1:1.2:message")).toBeDefined();
  expect(await threads.get(place("T0XGONE"))).toMatchObject({ conversationId: 2 });
  expect(await threads.placeOf(2)).toBeDefined();
});
