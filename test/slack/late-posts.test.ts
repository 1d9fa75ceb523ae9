/** A process that is paused with a post to Slack on its way: Slack takes it although another process has answered meanwhile. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, says, type World } from "../core/engine.ts";
import { lost } from "../fakes/slack/faults.ts";
import { shownOf } from "../fakes/slack/shown.ts";
import { openOutbound } from "./outbound/open.ts";

const posting = "chat.postMessage";
const budgets = () => [{ key: "unpaced", count: 1_000, windowMs: 1_000, burst: 1_000 }];

let under: Awaited<ReturnType<typeof openOutbound>>;
let world: World;
let frozen: PromiseWithResolvers<void>;
beforeEach(async () => {
  frozen = Promise.withResolvers();
  under = await openOutbound();
  world = await createWorld({}, [], [], {
    writes() {
      const outbound = under.fresh();
      return { ...outbound, limits: { ...outbound.limits, budgets } };
    },
  });
  await world.beside();
});
afterEach(async () => {
  await world.close();
  await under.slack.close();
});

const answers = () => under.slack.answers("C0GENERAL", under.thread.thread);
/** Slack answers in real time, and Parley's clock moves only here. */
const until = async (look: () => boolean): Promise<void> => {
  for (let waited = 0; !look(); waited++) {
    if (waited > 10_000) throw new Error(`waited in vain; Parley logged:\n${world.log.slice(-15).join("")}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await world.run(50);
  }
};
/** The first process freezes with its first post at Slack; the other takes the turn over after the lease, and answers. */
const answeredByAnother = async (): Promise<string> => {
  let posted = false;
  world.holds = (process, moment) => {
    if (process !== 1) return undefined;
    if (!posted) return void (posted = moment === "before post");
    return frozen.promise;
  };
  await world.receive(says("k1", "hello", { place: { ...under.thread, platform: "fake" } }));
  await until(() => posted);
  await world.run(32_000);
  await until(() => answers().length === 1 && world.workspace.held.size === 1);
  for (const id of world.workspace.held.keys()) world.workspace.answer(id, { status: "finished", text: "The whole answer" });
  await until(() => world.outcomes.get("message") === "answered");
  expect(answers()).toHaveLength(1);
  return answers()[0]?.ts ?? "";
};
const wakes = (): void => {
  world.holds = () => undefined;
  frozen.resolve();
};
const deleted = () => under.slack.commits.filter(({ method }) => method === "chat.delete").map(({ ts }) => ts);

test.each([
  ["is heard of", false],
  ["is not heard of, as its connection is lost", true],
])("a post that Slack takes after another process has answered is removed: it %s", async (_, unheard) => {
  const release = under.slack.hold(posting, 1);
  const whole = await answeredByAnother();
  if (unheard) under.slack.faults.add(posting, lost);
  release();
  await until(() => answers().length === 2);
  const late = answers().find(({ ts }) => ts !== whole);
  wakes();
  await until(() => world.latePosts.length > 0);
  expect(world.latePosts).toEqual(["removed"]);
  expect(deleted()).toEqual([late?.ts]);
  expect(answers().map(({ ts }) => ts)).toEqual([whole]);
  expect(shownOf(answers()[0]!)).toContain("The whole answer");
});

test("a post that another process has found in Slack, and answered in, stays", async () => {
  const whole = await answeredByAnother();
  wakes();
  await until(() => world.latePosts.length > 0);
  expect(world.latePosts).toEqual(["kept"]);
  expect(deleted()).toEqual([]);
  expect(under.slack.commits.filter(({ method }) => method === posting)).toHaveLength(1);
  expect(answers().map(({ ts }) => ts)).toEqual([whole]);
  expect(shownOf(answers()[0]!)).toContain("The whole answer");
});
