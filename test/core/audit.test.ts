import { afterEach, beforeEach, expect, test } from "vitest";
import { WorkspaceFault } from "../../src/errors.ts";
import { commands, createWorld, presses, says, type World } from "./engine.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const finish = async (): Promise<void> => {
  world.workspace.answer([...world.workspace.held.keys()][0]!, { status: "finished", text: "canary-answer" });
  await world.run(200);
};

test("every turn that ends leaves one line: who, where, what kind, how it ended, and nothing of what was said", async () => {
  await world.receive(says("k1", "canary-question"));
  await world.run();
  await finish();
  for (const inbound of [
    commands("k2", "help", "canary-option"),
    commands("k3", "canary-command"),
    presses("k4", "helpful", "k1"),
  ]) {
    await world.receive(inbound);
    await world.run(100);
  }
  const lines = await world.audited();
  expect(
    lines.map(({ kind, outcome, turn, person, tenant, channel, thread }) => [
      kind,
      outcome,
      turn,
      person,
      tenant,
      channel,
      thread,
    ]),
  ).toEqual([
    ["message", "answered", "k1", "u1", "t", "c", "t1"],
    ["/help", "done", "k2", "u1", "t", "c", "t1"],
    ["command", "refused", "k3", "u1", "t", "c", "t1"],
    ["button helpful", "done", "k4", "u1", "t", "c", "t1"],
  ]);
  expect(JSON.stringify(lines)).not.toContain("canary");
  expect(JSON.stringify(lines)).not.toContain("Ann");
});

test("a failure names the workspace's own reference", async () => {
  const fault = new WorkspaceFault("rejected", "no", { status: 400, correlationId: "c0ffee" });
  world.workspace.fail("start", { when: "before", fault });
  await world.receive(says("k1", "hello"));
  await world.run(2_000);
  expect(await world.audited()).toMatchObject([{ outcome: "failed", correlation: "c0ffee", account: "shared" }]);
});

test("a turn that is ended again after a crash has one line", async () => {
  await world.receive(says("k1", "hello"));
  await world.run(100);
  await world.crash();
  await world.run(2_000);
  await finish();
  expect(await world.audited()).toMatchObject([{ turn: "k1", outcome: "answered" }]);
});
