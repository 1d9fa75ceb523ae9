/**
 * A process that dies at each moment of a turn's life: before and after every call that it makes to the store, the
 * workspace and the platform. Another takes over, and people see what they would have seen.
 */
import { describe, expect, test } from "vitest";
import { sleep } from "../../src/clock.ts";
import type { Message } from "../../src/contract/records.ts";
import type { Engine } from "../../src/core/engine.ts";
import type { Inbound } from "../../src/core/inbound.ts";
import { openAccess } from "../../src/core/access.ts";
import { transcribeTools } from "../fakes/transcribe-tools.ts";
import type { FakeWorkspace } from "../fakes/workspace.ts";
import { channel, commands, createWorld, presses, says, textOf, thread, type World } from "./engine.ts";

/** One life of a turn, or of several. */
interface Story {
  readonly name: string;
  /** What happens, as people do it: each step is heard by the first process, or, where that is dead, by the second. */
  readonly steps: ReadonlyArray<(world: World) => Inbound>;
  /** How the model ends an answer; by default with words of its own. */
  readonly model?: (question: string, tries: number, world: World) => Partial<Message>;
  readonly before?: (world: World) => Promise<void>;
  /** What everybody sees at the end, oldest first. */
  readonly seen: readonly string[];
  /** What was asked at the workspace, each once. */
  readonly asked: readonly string[];
  /** What the asker alone is told: at least once, as nobody can see whether they were told before. */
  readonly told?: readonly RegExp[];
  /** How often they are told anything at most. */
  readonly mostTold?: number;
  readonly files?: readonly string[];
  /** How long answers to these calls take, in ms; without it they come at once. */
  readonly answersAfter?: Readonly<Record<string, number>>;
}

const key = `PARLEY-API-${"k".repeat(64)}`;
const own = (world: World): FakeWorkspace => world.people.workspaceOf(key);
const linked = async (world: World): Promise<void> => {
  world.access = { ...openAccess, externals: false, operators: ["u0"], sharedKey: [] };
  await world.people.links.put({ platform: "fake", tenant: "t", person: "u1" }, key, 1);
};
const long = Array.from({ length: 60 }, (_, index) => `Paragraph ${index} ${"x".repeat(90)}`).join("\n\n");

const stories: readonly Story[] = [
  { name: "a question", steps: [() => says("k1", "one")], seen: ["The answer to one"], asked: ["one"] },
  {
    name: "a question noted while its message is posted",
    steps: [() => says("k1", "one")],
    seen: ["The answer to one"],
    asked: ["one"],
    answersAfter: { saveProgress: 350, post: 600 },
  },
  {
    name: "a question with a file and what was said before",
    steps: [
      () =>
        says("k1", "one", {
          files: [{ id: "f1", name: "notes.txt", mediaType: "text/plain", bytes: 9 }],
          context: [{ author: "Ben", text: "earlier", at: 1 }],
        }),
    ],
    seen: ["The answer to one"],
    asked: ["one"],
  },
  {
    name: "a question with a recording",
    before(world) {
      world.workspace.known.tools.push(...transcribeTools());
      return Promise.resolve();
    },
    steps: [() => says("k1", "one", { files: [{ id: "f1", name: "memo.ogg", mediaType: "audio/ogg", bytes: 9 }] })],
    // What may have been begun, and cannot be looked for, is not begun again.
    seen: [expect.stringMatching(/^The answer to one( !“memo.ogg” was not written down. Parley cannot tell .*)?$/) as string],
    asked: ["one"],
  },
  {
    name: "questions that wait for each other",
    steps: [() => says("k1", "one"), () => says("k2", "two")],
    seen: ["The answer to one", "The answer to two"],
    asked: ["one", "two"],
  },
  {
    name: "an answer of several messages",
    steps: [() => says("k1", "one")],
    model: () => ({ text: long }),
    seen: [expect.stringContaining("Paragraph 0") as string, expect.stringContaining("Paragraph 59") as string],
    asked: ["one"],
  },
  {
    name: "an answer with a picture",
    steps: [() => says("k1", "one")],
    model(question, _tries, world) {
      const path = "https://files.example/91/ship.png";
      world.workspace.media.bytes.set(path, new TextEncoder().encode("pixels"));
      return { text: `The answer to ${question}`, attachments: [{ type: "file", ID: 91, name: "ship.png", path }] };
    },
    seen: ["The answer to one", ""],
    asked: ["one"],
    files: ["ship.png"],
  },
  {
    name: "an answer that failed and is tried again",
    steps: [() => says("k1", "one"), () => presses("p1", "retry", "k1")],
    model: (question, tries) =>
      tries === 0
        ? { text: "", error_text: "no luck", error_id: "1", error_code: "OTHER" }
        : { text: `The answer to ${question}` },
    seen: ["The answer to one"],
    asked: ["one"],
  },
  {
    name: "an answer that is stopped",
    steps: [() => says("k1", "one"), () => presses("p1", "stop", "k1")],
    model: () => ({ status: "generating", text: "Half of one" }),
    seen: [expect.stringMatching(/^(Half of one )?!Stopped\./) as string],
    asked: ["one"],
  },
  {
    name: "a question that is deleted",
    steps: [
      () => says("k1", "one"),
      () => ({ kind: "delete", key: "d1", place: thread("t1"), author: { id: "u1", name: "Ann" }, at: 2, target: "k1" }),
    ],
    model: () => ({ status: "generating", text: "Half of one" }),
    seen: [],
    asked: ["one"],
  },
  {
    name: "/ask in a channel",
    steps: [() => commands("c1", "ask", "one", { place: channel })],
    seen: ["Ann asks: one", "The answer to one"],
    asked: ["one"],
  },
  {
    name: "what was shown in private and is shared",
    before: linked,
    steps: [() => commands("k1", "agents"), () => presses("p1", "share", "k1")],
    seen: [expect.stringContaining("@own0") as string],
    asked: [],
    told: [/@own0/],
  },
  {
    name: "an answer for its asker alone, who has it shown again and shares it",
    before: linked,
    model: (question) => ({
      text: `The answer to ${question}`,
      citations: [{ url: "", file_path: "a.pdf", title: "A", info: { kb_id: 1 }, citation_index: 1 }],
    }),
    steps: [() => says("k1", "one"), () => presses("p1", "reveal", "k1"), () => presses("p2", "share", "k1")],
    seen: ["The answer to one", expect.stringMatching(/^This answer draws on Ann’s own account/) as string],
    asked: ["one"],
    told: [/^The answer to one$/],
    // By itself not twice, whenever it dies; once more for the press.
    mostTold: 3,
  },
  {
    name: "a question that waits for an account, and the form that links one",
    async before(world) {
      await linked(world);
      await world.people.links.remove({ platform: "fake", tenant: "t", person: "u1" });
    },
    steps: [
      () => says("k1", "one"),
      (world) => ({
        kind: "submission",
        key: "s1",
        place: thread("t1"),
        author: { id: "u1", name: "Ann" },
        at: 2,
        form: world.platform.whispers.at(-1)?.document.actions[0]?.form ?? "none",
        values: { key },
      }),
    ],
    seen: ["The answer to one"],
    asked: ["one"],
    told: [/needs your own workspace account/, /account is linked/],
  },
];

const stepMs = 200;
/** While the dead process's lease ends. */
const slowStepMs = 1_000;
/** Of one life, in ms: the lease of who died, and what is tried again after it. */
const patienceMs = 120_000;

interface Life {
  readonly world: World;
  readonly moments: readonly string[];
  readonly close: () => Promise<void>;
}

/** @param dyingAt the moment of the first process at which it dies, counted from 0; null: it lives */
async function live(story: Story, dyingAt: number | null): Promise<Life> {
  const world = await createWorld({ f1: new TextEncoder().encode("file text") });
  await story.before?.(world);
  const first = world.engine;
  const second: Engine = await world.beside();
  const moments: string[] = [];
  let dead = false;
  world.dies = (process, moment) => {
    if (process !== 1) return false;
    moments.push(moment);
    if (moments.length - 1 === dyingAt) dead = true;
    return dead;
  };

  world.holds = (_process, moment) => {
    const ms = moment.startsWith("after ") ? story.answersAfter?.[moment.slice("after ".length)] : undefined;
    return ms === undefined ? undefined : sleep(world.clock, ms);
  };

  /** The model writes a half, and then ends. */
  const written = new Map<number, number>();
  let tries = 0;
  const write = (): void => {
    for (const workspace of [world.workspace, own(world)]) {
      for (const [id, messages] of workspace.held) {
        const newest = messages.findLast(({ isUser }) => !isUser);
        const question = messages.findLast(({ isUser }) => isUser)?.text ?? "";
        if (newest === undefined || newest.status === "finished") continue;
        const before = written.get(newest.ID) ?? 0;
        const again = newest.status === "thinking" && before >= 6;
        if (again) tries++;
        const steps = again ? 1 : before + 1;
        written.set(newest.ID, steps);
        if (steps === 3) workspace.answer(id, { status: "generating", text: `Half of ${question}` });
        if (steps !== 6) continue;
        const end = story.model?.(question, tries, world) ?? { text: `The answer to ${question}` };
        workspace.answer(id, { status: "finished", ...end });
      }
    }
  };
  const pass = async (): Promise<void> => {
    await world.clock.advance(dead ? slowStepMs : stepMs);
    write();
  };
  /** The platform tells it again where it was not acknowledged. */
  const hear = async (inbound: Inbound): Promise<void> => {
    let acknowledged = false;
    if (!dead) void first.inbox.receive(inbound).then(() => (acknowledged = true));
    await pass();
    if (!acknowledged) await second.inbox.receive(inbound);
  };
  const over = async (): Promise<boolean> => {
    const turns = (await world.rows("turns")) as readonly { readonly closed_at: number | null }[];
    return turns.every(({ closed_at: closedAt }) => closedAt !== null);
  };
  for (const [index, step] of story.steps.entries()) {
    const given = step(world);
    // What answers something waits for it to be there.
    if (index > 0 && given.kind !== "message") {
      for (let ms = 0; ms < patienceMs && !(await ready(world, given)); ms += stepMs) await pass();
    }
    await hear(step(world));
  }
  for (let ms = 0; ms < patienceMs && !(await over()); ms += stepMs) await pass();
  return { world, moments, close: () => world.close() };
}

/** Whether people see what this is about. */
async function ready(world: World, inbound: Inbound): Promise<boolean> {
  const buttons = [...world.platform.messages, ...world.platform.whispers].flatMap(({ document }) => document.actions);
  if (inbound.kind === "delete") return world.seen().some((text) => text.startsWith("Half"));
  if (inbound.kind === "action" && inbound.action === "stop") return world.seen().some((text) => text.startsWith("Half"));
  if (inbound.kind === "action") return buttons.some(({ action }) => action === inbound.action);
  return buttons.some(({ form }) => form !== undefined);
}

function questions(world: World): string[] {
  const held = [world.workspace, own(world)].flatMap((workspace) => [...workspace.held.values()]);
  return held.flatMap((messages) => messages.filter(({ isUser }) => isUser).map(({ text }) => text));
}

/** What everybody sees and what was asked; where messages wait for each other, in whatever order they stand there. */
function outcome(world: World, story: Story) {
  const { messages, whispers } = world.platform;
  const told = whispers.map(({ document }) => textOf(document));
  const files = messages.flatMap((message) => message.files.map(({ name }) => name));
  const called = world.workspace.calls.filter(({ call }) => call === "callTool").map(({ body }) => body as { name: string });
  const transcriptions = called.filter(({ name }) => name === "transcribe");
  return {
    seen: story.steps.length > 1 ? world.seen().toSorted() : world.seen(),
    asked: questions(world),
    unfinished: messages.filter(({ document }) => document.state === "waiting" || document.state === "working").length,
    files,
    begunAgain: transcriptions.length > 1,
    oftener: told.length > (story.mostTold ?? Infinity),
    untold: (story.told ?? []).filter((words) => !told.some((text) => words.test(text))),
    needless: told.filter((text) => !(story.told ?? []).some((words) => words.test(text))),
  };
}

/** What brings a turn into which state. */
const states: Readonly<Record<string, string>> = {
  "after put": "stored",
  "after claim": "begun",
  "after start": "asked",
  "after post": "posted",
  "after edit": "shown",
  "after close": "closed",
};

describe("a process that dies at any moment of", () => {
  test.each(stories)("$name", async (story) => {
    const expected = {
      seen: story.seen,
      asked: story.asked,
      unfinished: 0,
      files: story.files ?? [],
      begunAgain: false,
      oftener: false,
      untold: [],
      needless: [],
    };
    const undisturbed = await live(story, null);
    expect(outcome(undisturbed.world, story)).toEqual(expected);
    await undisturbed.close();
    expect(undisturbed.moments.length).toBeGreaterThan(30);
    for (const [index, moment] of undisturbed.moments.entries()) {
      const { world, close } = await live(story, index);
      expect({ moment: `${index}: ${moment}`, ...outcome(world, story) }).toEqual({
        moment: `${index}: ${moment}`,
        ...expected,
      });
      await close();
    }
  });

  test("all these, more than 1,400 in number, at least 20 in each state of a turn", async () => {
    const counts: Record<string, number> = {};
    for (const story of stories) {
      const { moments, close } = await live(story, null);
      await close();
      let state = "heard of";
      for (const moment of moments) {
        state = states[moment] ?? state;
        counts[state] = (counts[state] ?? 0) + 1;
      }
    }
    expect(Object.keys(counts).toSorted()).toEqual(["heard of", ...Object.values(states)].toSorted());
    expect(Object.entries(counts).filter(([, moments]) => moments < 20)).toEqual([]);
    expect(Object.values(counts).reduce((sum, moments) => sum + moments)).toBeGreaterThan(1_400);
  });
});
