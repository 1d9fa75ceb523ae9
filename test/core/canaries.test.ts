/** What must not be found anywhere: words of people and of the workspace, file names, keys; in logs of every level, metrics, audit and store. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { WorkspaceFault, WriteFault } from "../../src/errors.ts";
import { createMetrics } from "../../src/metrics.ts";
import { commands, createWorld, presses, says, textOf, thread, channel, type World } from "./engine.ts";

const key = `ACME-API-${"Canary0k".repeat(8)}`;
let world: World;
beforeEach(async () => {
  world = await createWorld({ f1: new TextEncoder().encode("canary-file-content") });
});
afterEach(() => world.close());

/** Places where a canary is. Keys have a form of their own. */
const found = async (): Promise<string[]> => {
  const places = {
    log: world.log.join(""),
    audit: JSON.stringify(await world.audited()),
    store: await world.dump(),
  };
  return Object.entries(places).flatMap(([place, text]) =>
    [...text.matchAll(/.{0,60}(?:canary|Canary0k).{0,60}/gi)].map(([hit]) => `${place}: ${hit}`),
  );
};
const newest = (): number => [...world.workspace.held.keys()].at(-1)!;

test("nothing is found while messages wait, run, fail, are tried again, changed, rated and deleted", async () => {
  const file = { id: "f1", name: "canary-name.txt", mediaType: "text/plain", bytes: 19 };
  const context = [{ author: "Ben", text: "canary-context", at: 0 }];
  await world.receive(says("k1", "canary-question", { files: [file], context }));
  await world.receive(says("k2", "canary-waiting"));
  await world.run(200);
  expect(await found()).toEqual([]);
  world.workspace.answer(newest(), { status: "generating", text: "canary-answer" });
  await world.run(200);
  expect(await found()).toEqual([]);
  world.workspace.answer(newest(), { status: "finished", text: "canary-half", error_text: "canary-error", error_id: "e1" });
  await world.run(300);
  // The next one is refused in the workspace's own words, which repeat the question's.
  expect(textOf(world.platform.messages[0]!.document)).toContain("canary");
  expect(await found()).toEqual([]);
  const fault = new WorkspaceFault("rejected", "canary-waiting is not allowed here", { status: 400, correlationId: "c1" });
  world.workspace.fail("followUp", { when: "before", fault });
  const { place, author, at } = says("x", "");
  await world.receive({ kind: "edit", key: "e", place, author, at, target: "k2", runs: [{ typed: "canary-edited" }] });
  await world.receive(presses("p", "retry", "k1"));
  await world.run(2_000);
  world.workspace.answer(newest(), { status: "finished", text: "canary-answer" });
  await world.run(1_000);
  expect(await found()).toEqual([]);
  await world.receive(presses("r", "helpful", "k1"));
  await world.receive({ kind: "delete", key: "d", place, author, at, target: "k1" });
  await world.run(40_000);
  expect(await found()).toEqual([]);
  expect(world.log.length).toBeGreaterThan(5);
});

test("nothing is found of commands, of what they fail with, and of what nobody knows", async () => {
  const lost = new WorkspaceFault("unavailable", "canary-prompt broke the model", { status: 503 });
  world.workspace.fail("run", { when: "before", fault: lost });
  for (const [id, name, text] of [
    ["c1", "ask", "canary-question"],
    ["c2", "once", "canary-prompt"],
    ["c3", "once", "canary-prompt"],
    ["c4", "model", "canary-model"],
    ["c5", "canary-command", "canary-text"],
    ["c6", "forget", "canary-words"],
  ] as const) {
    await world.receive(commands(id, name, text));
    await world.run(500);
  }
  const asked = world.platform.whispers.at(-1)!.document.actions[0]!;
  await world.receive({ ...presses("c6y", asked.action, asked.turn), place: thread("t1") });
  await world.run(500);
  await world.receive(presses("p", "canary action", "k1"));
  await world.receive(commands("c7", "help", key));
  await world.run(61_000);
  expect(await found()).toEqual([]);
});

test("nothing is found when the platform and the store fail", async () => {
  world.platform.order("post", new WriteFault("refused", "no"), "answer_lost");
  world.platform.order("edit", new WriteFault("unknown", "no"), "answer_lost");
  await world.receive(says("k1", "canary-question"));
  await world.receive(says("k2", `canary-second ${key}`, { place: thread("t2") }));
  await world.run(500);
  await world.crash();
  await world.run(2_000);
  world.workspace.answer(newest(), { status: "finished", text: "canary-answer" });
  await world.run(3_000);
  expect(await found()).toEqual([]);
});

test("a linked key is found nowhere, also when it is refused", async () => {
  await world.people.links.put({ platform: "fake", tenant: "t", person: "u1" }, key, 1);
  const refused = new WorkspaceFault("unauthorized", `the key ${key} is not known`, { status: 401 });
  world.people.workspaceOf(key).fail("start", { when: "before", fault: refused });
  await world.receive(says("k1", "canary-question", { direct: true, place: { ...channel, channel: "direct" } }));
  await world.run(3_000);
  expect(await world.rows("links")).toHaveLength(1);
  expect(await found()).toEqual([]);
});

test("metrics have names and numbers only", async () => {
  const metrics = createMetrics(() => Promise.resolve({ waiting: 1, running: 1, oldestWaitingMs: 1 }));
  metrics.turnReceived("fake", "message");
  metrics.turnClosed("fake", "message", "failed");
  metrics.workspaceError("rejected");
  const labels = [...(await metrics.text()).matchAll(/^parley_\w+\{([^}]*)\}/gm)].flatMap(([, all = ""]) =>
    [...all.matchAll(/(\w+)=/g)].map(([, name = ""]) => name),
  );
  // A label for a person, a place or a text would be found here.
  expect([...new Set(labels)].toSorted()).toEqual(["kind", "le", "outcome", "platform"]);
});

test("two bots that answer each other come to an end at once", async () => {
  // Whatever Parley posts, the other bot answers in the thread, as bots do that answer everything.
  let said = 0;
  const bot = { id: "b1", name: "Echo", bot: true };
  await world.receive(says("k1", "hello"));
  for (let round = 0; round < 20; round++) {
    await world.run(200);
    const conversation = [...world.workspace.held.keys()][0];
    if (conversation !== undefined) world.workspace.answer(conversation, { status: "finished", text: `Answer ${round}` });
    await world.run(200);
    if (world.platform.log.length <= said) break;
    said = world.platform.log.length;
    await world.receive(says(`echo${round}`, "And you?", { place: thread("t1"), author: bot }));
  }
  expect((await world.rows("turns")).length).toBeLessThanOrEqual(5);
  expect(await world.rows("turns")).toHaveLength(1);
  expect(world.platform.messages).toHaveLength(1);
});
