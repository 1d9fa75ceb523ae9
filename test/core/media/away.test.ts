/**
 * A store, or a workspace, that is away for a moment in the middle of what is made for credits: at each call that is made to it.
 * Nobody is shown a failure, nothing is begun twice, and what was made is posted once.
 */
import { describe, expect, test } from "vitest";
import { WorkspaceFault } from "../../../src/errors.ts";
import { transcribeTools } from "../../fakes/transcribe-tools.ts";
import { channel, commands, says, textOf } from "../engine.ts";
import { mediaWorld, type MediaWorld } from "./making.ts";

interface Story {
  readonly name: string;
  readonly begin: (world: MediaWorld) => Promise<void>;
  /** What everybody sees at the end, oldest first. */
  readonly seen: readonly string[];
  /** What was begun at the workspace, by its calls. */
  readonly begun: readonly string[];
  readonly files: readonly string[];
  /** Calls to the workspace with which it is read what can be asked for: where they fail, that is told, and nothing is tried again. */
  readonly readsFirst?: number;
}

const memo = { id: "f1", name: "memo.ogg", mediaType: "audio/ogg", bytes: 5 };
const heard = { status: "done", text: "heard it", credit_cost: "2.5" };
const asks =
  (name: string, text: string, more = {}) =>
  async (world: MediaWorld): Promise<void> =>
    void (await world.receive(commands("k1", name, text, { place: channel, ...more })));

const stories: readonly Story[] = [
  {
    name: "a picture",
    begin: asks("image", "a lighthouse"),
    seen: ["Ann asked for a picture: a lighthouse", ""],
    begun: ["image"],
    files: ["picture.png"],
  },
  {
    name: "a film",
    begin: asks("video", "waves seconds:2"),
    seen: ["Ann asked for a film: waves", ""],
    begun: ["createJob"],
    files: ["film.mp4"],
    readsFirst: 1,
  },
  {
    name: "a film that is tried again",
    async begin(world) {
      await asks("video", "waves seconds:2")(world);
      await world.run(1_000);
      world.workspace.media.move(world.jobs()[0]!, { status: "error", error: "no frames" });
      await world.run(5_000);
      const [button] = world.platform.messages[0]!.document.actions;
      const { action, turn } = button!;
      await world.receive({ kind: "action", key: "p1", place: channel, author: { id: "u1", name: "Ann" }, at: 2, action, turn });
    },
    seen: ["Ann asked for a film: waves", ""],
    begun: ["createJob", "retryJob"],
    files: ["film.mp4"],
  },
  {
    name: "a transcript, whose job nothing lists",
    async begin(world) {
      world.workspace.known.tools.push(...transcribeTools(heard));
      await asks("transcribe", "", { files: [memo] })(world);
    },
    seen: [expect.stringContaining("heard it") as string],
    begun: ["transcribe"],
    files: [],
    readsFirst: 2,
  },
  {
    name: "a question with a recording",
    async begin(world) {
      world.workspace.known.tools.push(...transcribeTools(heard));
      await world.receive(says("k1", "what is it about?", { files: [memo] }));
    },
    seen: ["Tea."],
    begun: ["transcribe", "start"],
    files: [],
    readsFirst: 3,
  },
];

const inStore = ["get", "set", "saveProgress", "close", "release", "renew", "claim", "disown", "expire", "waitingIn", "record"];
const inWorkspace = ["generate", "create", "read", "list", "models", "download", "upload", "start", "messages", "retry", "call"];
const away = [
  { who: "store", calls: inStore, fault: () => new Error("the store is away") },
  { who: "workspace", calls: inWorkspace, fault: () => new WorkspaceFault("unreachable", "no connection") },
] as const;

/** How long it is away, in ms. */
const awayMs = 3_000;
const stepMs = 250;
/** Of one life, in ms. */
const patienceMs = 150_000;

/** @param from the call from which on it is away, counted from 0; null: it never is */
async function live(story: Story, { calls, fault }: (typeof away)[number], from: number | null) {
  const world = await mediaWorld({ f1: new TextEncoder().encode("sound") });
  await story.begin(world);
  const failedBefore = failures(world).length;
  const made: string[] = [];
  let until = -Infinity;
  world.holds = (_process, moment) => {
    const call = moment.replace(/^before /, "");
    if (call === moment || !calls.includes(call as never)) return undefined;
    made.push(call);
    if (made.length - 1 === from) until = world.clock.now() + awayMs;
    return world.clock.now() < until ? Promise.reject(fault()) : undefined;
  };
  /** The workspace works for a while. */
  let worked = 0;
  const work = (): void => {
    const working = world.workspace.media.made.values().find(({ status }) => status === "queued");
    const asked = [...world.workspace.held].find(([, messages]) => messages.at(-1)?.status !== "finished");
    if (working === undefined && asked === undefined) return;
    if (++worked < 8) return;
    worked = 0;
    if (working !== undefined) world.workspace.media.finishJob(working.ID, "film.mp4", "film");
    if (asked !== undefined) world.workspace.answer(asked[0], { status: "finished", text: "Tea." });
  };
  const over = async (): Promise<boolean> => {
    const turns = (await world.rows("turns")) as readonly { readonly closed_at: number | null }[];
    return turns.every(({ closed_at: closedAt }) => closedAt !== null);
  };
  for (let ms = 0; ms < patienceMs && !(await over()); ms += stepMs) {
    await world.clock.advance(stepMs);
    work();
  }
  const spends = ["image", "createJob", "retryJob", "start"];
  const outcome = {
    seen: world.seen(),
    begun: world.workspace.calls.flatMap(({ call, body }) => {
      const tool = call === "callTool" ? (body as { name: string }).name : call;
      return spends.includes(tool) || tool === "transcribe" ? tool : [];
    }),
    files: world.platform.messages
      .flatMap(({ files }) => files.map(({ name }) => name))
      .filter((name) => !name.startsWith("memo")),
    failures: failures(world).slice(failedBefore),
    told: world.told(),
    over: await over(),
  };
  await world.close();
  return { made, outcome };
}

/** What was shown of failures, also where something else was shown later. */
const failures = ({ platform }: MediaWorld): string[] =>
  platform.log.flatMap(({ document }) => (document?.state === "failed" ? textOf(document) : []));

describe.each(away)("a $who that is away for a moment", (which) => {
  test.each(stories)(
    "in the middle of $name",
    async (story) => {
      const expected = { seen: story.seen, begun: story.begun, files: story.files, failures: [], told: [], over: true };
      const undisturbed = await live(story, which, null);
      expect(undisturbed.outcome).toEqual(expected);
      const first = which.who === "workspace" ? (story.readsFirst ?? 0) : 0;
      for (const [index, call] of [...undisturbed.made.entries()].slice(first)) {
        const { outcome } = await live(story, which, index);
        expect({ at: `${index}: ${call}`, ...outcome }).toEqual({ at: `${index}: ${call}`, ...expected });
      }
    },
    240_000,
  );
});

describe("what nobody foresaw", () => {
  const fault = new Error("no one knows");

  test("has a film begun again, but not twice, and ends with saying so where it does not pass", async () => {
    const world = await mediaWorld();
    world.workspace.fail("createJob", { fault, when: "after" });
    await world.asks("k1", "video", "waves seconds:2");
    await world.run(10_000);
    expect(world.callsOf("createJob")).toHaveLength(1);
    world.workspace.media.finishJob(world.jobs()[0]!, "film.mp4", "film");
    await world.run(10_000);
    expect(world.attached()).toHaveLength(1);
    for (let times = 0; times < 7; times++) world.workspace.fail("createJob", { fault, when: "before" });
    await world.asks("k2", "video", "clouds seconds:2");
    await world.run(120_000);
    expect(failures(world)).toEqual([expect.stringMatching(/clouds !Something went wrong in Parley/)]);
    expect(world.jobs()).toHaveLength(1);
    await world.close();
  });

  test("has no picture made twice: its asker decides", async () => {
    const world = await mediaWorld();
    world.workspace.fail("image", { fault, when: "after" });
    await world.asks("k1", "image", "a lighthouse");
    await world.run(10_000);
    expect(world.callsOf("image")).toHaveLength(1);
    expect(failures(world)).toEqual([expect.stringContaining("spends nothing twice by itself")]);
    await world.close();
  });
});
