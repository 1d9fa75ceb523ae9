/** `/admin`: operators see numbers and ids, and mend what failed; nobody else does. */
import { Decimal } from "decimal.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { commands, createWorld, presses, says, textOf, thread, type World } from "./engine.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const looks = async (part: string): Promise<string> => {
  await world.receive(commands(`a ${part} ${Math.random()}`, "admin", part));
  await world.run(300);
  return textOf(world.platform.whispers.at(-1)!.document);
};
const newest = (): number => [...world.workspace.held.keys()].at(-1)!;
const fails = async (key: string): Promise<void> => {
  await world.receive(says(key, "canary-question", { place: thread(key) }));
  await world.run(200);
  world.workspace.answer(newest(), { status: "finished", text: "", error_text: "broken", error_id: "e1" });
  await world.run(300);
};
const press = async (action: string, key: string): Promise<string> => {
  await world.receive(presses(`p ${action} ${key}`, action, key));
  await world.run(500);
  return textOf(world.platform.whispers.at(-1)!.document);
};

describe("an operator", () => {
  test("sees what waits and runs, in all and in each place", async () => {
    await world.receive(says("k1", "canary-one"));
    await world.receive(says("k2", "canary-two"));
    await world.run(5_000);
    const now = await looks("overview");
    expect(now).toMatch(/Waiting1, the oldest for 5 s/);
    expect(now).toMatch(/Running2/);
    const lanes = await looks("queue");
    expect(lanes).toMatch(/fake c, in a thread/);
    expect(now + lanes).not.toContain("canary");
  });

  test("sees links without keys, and the credits of today", async () => {
    const key = `ACME-API-${"Canary0k".repeat(8)}`;
    expect(await looks("links")).toBe("Nobody has linked an account.");
    const link = await world.people.links.put({ platform: "slack", tenant: "T1", person: "U7" }, key, world.clock.now());
    await world.people.links.markBroken(link, world.clock.now());
    expect(await looks("links")).toMatch(/slack U7just nowno longer accepted/);
    expect(await looks("links")).not.toContain("Canary0k");
    expect(await looks("limits")).toBe("No credits have been counted today.");
    await world.receive(says("k1", "hello"));
    await world.run(200);
    world.workspace.answer(newest(), { status: "finished", text: "Yes.", credits_used: "0.25" });
    await world.run(300);
    expect(await looks("limits")).toMatch(new RegExp(`person u1${new Decimal("0.25").toString()}`));
    expect(await looks("limits")).toMatch(/channel c0\.25/);
  });

  test("has a failed turn tried again in its own message, in its asker's name", async () => {
    await fails("k1");
    expect(await looks("dead")).toMatch(/1failedfake c, in a threadu1/);
    const { actions } = world.platform.whispers.at(-1)!.document;
    expect(actions.map(({ action, turn }) => [action, turn])).toEqual([
      ["admin_retry", "k1"],
      ["admin_drop", "k1"],
    ]);
    expect(await press("admin_retry", "k1")).toBe("It is tried again, in its own message.");
    world.workspace.answer(newest(), { status: "finished", text: "Better." });
    await world.run(500);
    expect(world.seen()).toEqual(["Better."]);
    const lines = await world.audited();
    expect(lines.find(({ kind }) => kind === "admin retry")).toMatchObject({ turn: "k1", outcome: "done", person: "u1" });
  });

  test("drops a failed turn: its text is gone, and it cannot be tried again", async () => {
    await fails("k1");
    expect(await press("admin_drop", "k1")).toContain("cannot be tried again");
    expect(await world.rows("turns", "k1")).toMatchObject([{ body: null, asker: "" }]);
    expect(await looks("dead")).toContain("none is stuck");
    expect(await press("admin_retry", "k1")).toContain("no longer there");
  });

  test("sees a turn that is stuck, and ends it", async () => {
    await world.receive(says("k1", "hello"));
    await world.run(200);
    await world.receive(says("k2", "more"));
    // Nothing of the answer changes for so long only where the workspace keeps on saying that it works.
    for (let minute = 0; minute < 17; minute++) {
      world.workspace.answer(newest(), { status: "generating", text: `${minute}` });
      await world.run(60_000);
    }
    expect(await looks("dead")).toMatch(/1stuck.*2stuck/);
    expect(await press("admin_drop", "k2")).toBe("It is ended.");
    expect(await world.rows("turns", "k2")).toMatchObject([{ outcome: "cancelled" }]);
  });
});

test("nobody else sees or does anything of it", async () => {
  await fails("k1");
  world.refuses = true;
  const before = world.platform.whispers.length;
  await world.receive(commands("a", "admin", "dead"));
  await world.receive(presses("p", "admin_drop", "k1"));
  await world.run(500);
  const told = world.platform.whispers.slice(before).map(({ document }) => document);
  expect(told).toHaveLength(2);
  for (const document of told) {
    expect(document.state).toBe("failed");
    expect(document.actions).toEqual([]);
    expect(textOf(document)).not.toMatch(/k1|u1|stuck|failed/);
  }
  expect(await world.rows("turns", "k1")).toMatchObject([{ outcome: "failed" }]);
});
