/** A process that is paused in the middle of a post, and wakes after another has taken its turn over. */
import { afterEach, describe, expect, test } from "vitest";
import { WriteFault } from "../../src/errors.ts";
import { emptyDocument } from "../../src/core/document.ts";
import type { LatePostEnd } from "../../src/core/metrics.ts";
import { channel, commands, presses, says, thread } from "./engine.ts";
import { openPaused, whole, type Paused } from "./paused.ts";

let under: Paused;
const open = async (sameKey?: "same"): Promise<void> => void (under = await openPaused(sameKey));
afterEach(() => under.world.close());

/** The first process has posted too late, and the other never hears whether there is a post. */
const nobodyFindsIt = async (): Promise<void> => {
  await open();
  const never = new Promise<void>(() => {});
  const inVain = (process: number, moment: string) => (process === 2 && moment === "before find" ? never : undefined);
  under.freezesAt("before post");
  const first = under.world.holds;
  under.world.holds = (process, moment) => inVain(process, moment) ?? first(process, moment);
  await under.world.receive(says("k1", "hello"));
  await under.world.run(40_000);
  under.world.holds = inVain;
  under.frozen.resolve();
  await under.world.run(5_000);
};

describe("a post that reaches the platform after its lease has ended", () => {
  test.each<{
    readonly name: string;
    /** Where the first process freezes; before its post without it. */
    readonly freezes?: "after post";
    /** What becomes of a second post of one key on the platform. */
    readonly sameKey?: "same";
    /** What becomes of the first process's post. */
    readonly post?: "answer_lost" | "request_lost";
    /** The other process has the whole answer before the first wakes, or after. */
    readonly answered: "before" | "after";
    readonly ends: LatePostEnd;
  }>([
    { name: "is removed where another process has posted its own and goes on in it", answered: "after", ends: "removed" },
    { name: "is removed where another process has answered and closed the turn", answered: "before", ends: "removed" },
    { name: "is removed where nobody hears that it was made", post: "answer_lost", answered: "before", ends: "removed" },
    { name: "is looked for, some times, where it may not be there", post: "request_lost", answered: "before", ends: "none" },
    {
      name: "stays where another process has found it and goes on in it",
      freezes: "after post",
      answered: "after",
      ends: "kept",
    },
    { name: "stays where the platform gives the other's message", sameKey: "same", answered: "after", ends: "kept" },
  ])("$name", async ({ freezes, sameKey, post, answered, ends }) => {
    await open(sameKey);
    await under.takenOver(freezes);
    const answer = async (): Promise<void> => {
      under.answerAll("finished", "The whole answer");
      await under.world.run(12_000);
    };
    if (answered === "before") await answer();
    else {
      under.answerAll("generating", "Half");
      await under.world.run(2_000);
    }
    const [turn] = await under.world.rows("turns");
    expect(turn).toMatchObject(answered === "before" ? { outcome: "answered", body: null } : { outcome: null });
    expect(under.ids()).toEqual(["m1"]);
    if (post !== undefined) under.world.platform.order("post", post);
    await under.wakes(post === "request_lost" ? 60_000 : undefined);
    expect(under.world.latePosts).toEqual([ends]);
    if (answered === "after") await answer();
    expect(under.ids()).toEqual(["m1"]);
    expect(under.seen()).toEqual([whole]);
    expect(under.removals()).toEqual(ends === "removed" ? ["m2"] : []);
  });

  test("is removed where its process had given up waiting for it", async () => {
    await open();
    const { world } = under;
    world.holds = (process, moment) => (process === 1 && moment === "before renew" ? under.frozen.promise : undefined);
    world.platform.order("post", ...Array.from({ length: 6 }, () => new WriteFault("unknown", "no answer")));
    await world.receive(says("k1", "hello"));
    await world.run(34_000);
    under.answerAll("finished", "The whole answer");
    await world.run(3_000);
    expect(under.ids()).toEqual(["m1"]);
    // The platform carries out what the first process has sent long ago.
    void world.platform.post(thread("t1"), emptyDocument, "k1/0", AbortSignal.timeout(60_000));
    await world.run(20_000);
    expect(world.latePosts).toEqual(["removed"]);
    expect(under.ids()).toEqual(["m1"]);
    expect(under.seen()).toEqual([whole]);
  });

  test.each([
    ["stays where another process finds it a moment later", "before find", ["m1"], "kept"],
    ["is removed where another process has just looked for it in vain", "after find", ["m2"], "removed"],
  ] as const)("%s", async (_, moment, stay, end) => {
    await open();
    under.freezesAt("before post");
    const first = under.world.holds;
    const looking = Promise.withResolvers<void>();
    let looks = 0;
    under.world.holds = (process, now) =>
      process === 2 && now === moment && ++looks === 1 ? looking.promise : first(process, now);
    await under.world.receive(says("k1", "hello"));
    await under.world.run(40_000);
    expect([looks, under.ids()]).toEqual([1, []]);
    under.frozen.resolve();
    under.world.holds = () => undefined;
    await under.world.run(5_000);
    expect([under.ids(), under.world.latePosts]).toEqual([["m1"], []]);
    looking.resolve();
    await under.world.run(20_000);
    under.answerAll("finished", "The whole answer");
    await under.world.run(12_000);
    expect(under.ids()).toEqual(stay);
    expect(under.seen()).toEqual([whole]);
    expect(under.world.latePosts).toEqual([end]);
  });

  test("is removed where the question was deleted meanwhile", async () => {
    await open();
    await under.takenOver();
    const { place, author } = says("k1", "hello");
    await under.other.inbox.receive({ kind: "delete", key: "d1", place, author, at: 2, target: "k1" });
    await under.world.run(5_000);
    await under.wakes();
    expect(under.ids()).toEqual([]);
    expect(under.world.latePosts).toEqual(["removed"]);
  });

  test("stays where nothing of the turn is kept, as it may be the answer", async () => {
    await open();
    await under.takenOver("after post");
    under.answerAll("finished", "The whole answer");
    await under.world.run(12_000);
    await under.other.inbox.receive(commands("f", "forget", "", { place: channel }));
    await under.world.run(1_000);
    const { action, turn } = under.world.platform.whispers.at(-1)!.document.actions.find(({ label }) => label === "Forget me")!;
    await under.other.inbox.receive({ ...presses("fy", action, turn), place: channel });
    await under.world.run(2_000);
    expect(await under.world.rows("turns", "k1")).toEqual([]);
    await under.wakes();
    expect(under.seen()).toEqual([whole]);
    expect(under.world.latePosts).toEqual(["left"]);
  });

  test.each([
    ["stays where it belongs to a second try that another process goes on with", "after post", "kept"],
    ["is removed where another process has posted its own of a second try", "before post", "removed"],
  ] as const)("%s", async (_, moment, end) => {
    await open();
    await under.world.receive(says("k1", "hello"));
    await under.world.run(500);
    for (const id of under.world.workspace.held.keys())
      under.world.workspace.answer(id, { status: "finished", text: "Half", error_text: "overloaded", error_id: "e1" });
    await under.world.run(20_000);
    await under.world.receive(presses("p1", "retry", "k1"));
    await under.world.run(1_000);
    expect(under.ids()).toEqual(["m1"]);
    under.freezesAt(moment);
    const text = "words ".repeat(1_000);
    under.answerAll("generating", text);
    await under.world.run(40_000);
    expect(under.ids()).toEqual(["m1", "m2"]);
    await under.wakes();
    under.answerAll("finished", text);
    await under.world.run(12_000);
    expect(under.ids()).toEqual(["m1", "m2"]);
    expect(under.world.latePosts).toEqual([end]);
  });

  test("waits for a second try that may still go on in it", async () => {
    await open();
    await under.world.receive(says("k1", "hello"));
    await under.world.run(1_000);
    under.freezesAt("before post");
    under.answerAll("generating", "words ".repeat(1_000));
    await under.world.run(500);
    for (const id of under.world.workspace.held.keys())
      under.world.workspace.answer(id, { status: "finished", text: "Half", error_text: "overloaded", error_id: "e1" });
    await under.world.run(60_000);
    expect(await under.world.rows("turns", "k1")).toMatchObject([{ outcome: "failed" }]);
    await under.other.inbox.receive(presses("p1", "retry", "k1"));
    await under.world.run(2_000);
    await under.wakes();
    expect([under.ids(), under.world.latePosts]).toEqual([["m1", "m2"], []]);
    under.answerAll("finished", "The whole answer");
    await under.world.run(30_000);
    expect(under.world.latePosts).toEqual(["removed"]);
    expect(under.ids()).toEqual(["m1"]);
    expect(under.seen()).toEqual([whole]);
  });

  test("is removed when its file is a second one", async () => {
    await open();
    under.freezesAt("before attach");
    await under.world.receive(says("k1", "hello"));
    await under.world.run(500);
    under.answerAll("finished", "words ".repeat(8_000));
    await under.world.run(60_000);
    const files = () => under.world.platform.messages.filter((message) => message.files.length > 0);
    expect(files()).toHaveLength(1);
    const before = under.ids();
    await under.wakes();
    expect(under.ids()).toEqual(before);
    expect(under.world.latePosts).toEqual(["removed"]);
  });

  test("is tried again while the platform does not remove it", async () => {
    await open();
    await under.takenOver();
    under.answerAll("finished", "The whole answer");
    await under.world.run(12_000);
    const busy = new WriteFault("rate_limited", "too many", { retryAfterMs: 20_000 });
    under.world.platform.order("remove", "request_lost", busy);
    await under.wakes(15_000);
    expect(under.ids()).toHaveLength(2);
    await under.world.run(20_000);
    expect(under.ids()).toEqual(["m1"]);
    expect(under.world.latePosts).toEqual(["removed"]);
  });

  test("is left, told and counted where the platform does not let it be removed", async () => {
    await open();
    await under.takenOver();
    under.answerAll("finished", "The whole answer");
    await under.world.run(12_000);
    under.world.platform.order("remove", new WriteFault("refused", "not yours"));
    await under.wakes(60_000);
    expect(under.ids()).toEqual(["m1", "m2"]);
    expect(under.world.latePosts).toEqual(["left"]);
    expect(under.left()).toEqual([expect.stringContaining("not yours")]);
  });

  test("is left, told and counted where it cannot be known what the turn goes on with", async () => {
    await nobodyFindsIt();
    await under.world.run(885_000);
    expect(under.world.latePosts).toEqual([]);
    await under.world.run(30_000);
    expect(under.ids()).toEqual(["m1"]);
    expect(under.world.latePosts).toEqual(["left"]);
    expect(under.left()).toHaveLength(1);
  });
});

test("a drain waits for no late post, and says what it leaves", async () => {
  await nobodyFindsIt();
  expect(under.world.latePosts).toEqual([]);
  await under.world.engine.drain();
  expect(under.world.latePosts).toEqual(["left"]);
  expect(under.left()).toEqual([expect.stringContaining("this process is stopping")]);
});
