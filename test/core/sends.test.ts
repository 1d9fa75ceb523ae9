/** Words are sent once, whatever is lost, comes late or dies, in whatever order. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { WorkspaceFault } from "../../src/errors.ts";
import { createWorld, says, thread, type World } from "./engine.ts";

/**
 * What becomes of a request:
 * - `unreachable`: nothing was done, and that is known;
 * - `dropped`, `done`: nothing was done, or all, and no answer tells;
 * - `late`: no answer tells, and it is done a second and a half later.
 */
const fates = ["fine", "unreachable", "dropped", "done", "late"] as const;
type Fate = (typeof fates)[number];

const lost = (): WorkspaceFault => new WorkspaceFault("lost", "no answer");
const lateMs = 1_500;

/** Has the calls of the fake come to what `next` says. */
function spoil(world: World, next: (call: "send" | "look") => Fate): void {
  const spoiled =
    <Args extends readonly unknown[], Result>(name: "send" | "look", call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const fate = next(name);
      if (fate === "unreachable") throw new WorkspaceFault("unreachable", "refused");
      if (fate === "dropped") throw lost();
      // The asker has hung up by then, which stops nothing.
      if (fate === "late") world.clock.after(lateMs, () => void call(...(args.slice(0, -1) as unknown as Args)));
      else if (fate === "done") await call(...args);
      else return call(...args);
      throw lost();
    };
  const { conversations } = world.workspace;
  Object.assign(conversations, {
    start: spoiled("send", conversations.start.bind(conversations)),
    followUp: spoiled("send", conversations.followUp.bind(conversations)),
    messages: spoiled("look", conversations.messages.bind(conversations)),
    list: spoiled("look", conversations.list.bind(conversations)),
  });
}

const closed = async (world: World): Promise<boolean> =>
  ((await world.rows("turns")) as ReadonlyArray<{ closed_at: number | null }>).every(({ closed_at: at }) => at !== null);
/** Every message is answered, each with an answer of its own. */
const answerAll = ({ workspace }: World): void => {
  for (const [id, messages] of workspace.held) {
    const newest = messages.at(-1);
    if (newest?.status !== "finished") workspace.answer(id, { status: "finished", text: `Answer ${newest?.ID ?? 0}` });
  }
};

interface Schedule {
  readonly sends: readonly Fate[];
  readonly looks: readonly Fate[];
  /** After how many calls of its own each process dies, the first one first. */
  readonly lives: readonly number[];
  /** The place has a conversation already. */
  readonly followUp: boolean;
  /** Somebody asks the same at once elsewhere. */
  readonly twin: boolean;
}
const schedules: fc.Arbitrary<Schedule> = fc.record({
  sends: fc.array(fc.constantFrom(...fates), { maxLength: 4 }),
  looks: fc.array(fc.constantFrom<Fate>("fine", "unreachable", "dropped"), { maxLength: 4 }),
  lives: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 2 }),
  followUp: fc.boolean(),
  twin: fc.boolean(),
});
const noFaults: Schedule = { sends: [], looks: [], lives: [], followUp: false, twin: false };

/** Asks, and goes on until every turn has ended; dead processes are followed by others, and told again what is to be answered. */
async function play(world: World, { sends, looks, lives, followUp, twin }: Schedule): Promise<void> {
  if (followUp) {
    await world.receive(says("k0", "first"));
    await world.run(500);
    answerAll(world);
    await world.run(2_000);
  }
  const left = { send: [...sends], look: [...looks] };
  spoil(world, (call) => left[call].shift() ?? "fine");
  const calls = new Map<number, number>();
  let dead = false;
  world.dies = (process) => {
    const count = (calls.get(process) ?? 0) + 1;
    calls.set(process, count);
    const dies = count === lives[process - 1];
    dead ||= dies;
    return dies;
  };
  // A process that dies answers nobody any more.
  const ask = (): void => {
    void world.receive(says("k1", "hello"));
    if (twin) void world.receive(says("k2", "hello", { place: thread("t2") }));
  };
  ask();
  for (let seconds = 0; seconds < 240; seconds++) {
    await world.run(1_000);
    if (dead) {
      dead = false;
      void world.crash();
      ask();
    }
    answerAll(world);
    if (seconds > 20 && (await closed(world))) return;
  }
  throw new Error("a turn has not ended in four minutes");
}

test("no schedule of faults and deaths has the words of a message sent twice, or one answer shown in two places", async () => {
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      const world = await createWorld();
      try {
        await play(world, schedule);
        const accepted = [...world.workspace.held.values()].flat().filter(({ isUser, text }) => isUser && text === "hello");
        const shown = world.seen().filter((text) => text.startsWith("Answer "));
        expect(accepted.length).toBeLessThanOrEqual(schedule.twin ? 2 : 1);
        expect(shown).toEqual([...new Set(shown)]);
        // Whoever has no answer is told why.
        expect(world.seen().filter((text) => !text.startsWith("Answer ") && !text.includes("!"))).toEqual([]);
      } finally {
        await world.close();
      }
    }),
    {
      numRuns: 50,
      // What was found where a look for what was sent is missing, or identical starts do not go one at a time.
      examples: [
        [{ ...noFaults, sends: ["late"] }],
        [{ ...noFaults, sends: ["late"], looks: ["unreachable"] }],
        [{ ...noFaults, lives: [60], twin: true }],
      ],
    },
  );
});
