/**
 * An owner that is paused for longer than its lease, in a time of the test's own: the same each time. What it does when it
 * wakes must change nothing. Run as a program it says what was found, so that it can be run with a safeguard taken out.
 */
import { createWorld, says, textOf, type World } from "../core/engine.ts";

export interface Paused {
  /** Questions that the workspace was asked twice. */
  readonly askedTwice: number;
  /** Writes over a whole answer that took some of it away. */
  readonly overwritten: number;
  /** What people see at the end. */
  readonly seen: readonly string[];
  /** Questions that were asked, or asked again, after one behind them. */
  readonly outOfOrder: number;
}

const leaseMs = 30_000;
const first = says("k1", "one");
const second = says("k2", "two", { at: 2 });

/** Every answer that is still open is whole now. */
const answerAll = ({ workspace }: World): void => {
  for (const [id, messages] of workspace.held)
    if (messages.at(-1)?.status !== "finished")
      workspace.answer(id, { status: "finished", text: `The whole answer to ${messages.at(-2)?.text ?? ""}` });
};
const generate = ({ workspace }: World, text: string): void => {
  for (const id of workspace.held.keys()) workspace.answer(id, { status: "generating", text });
};

/**
 * Two questions. The owner of the first is paused at `moment`; another process takes over after the lease and answers both;
 * then the first goes on.
 * @param moment a call of the core's, or "after saveProgress" with its number; at the latest in the middle of the answer
 */
async function pauseAt(moment: string): Promise<Paused> {
  const world = await createWorld();
  const paused = Promise.withResolvers<void>();
  try {
    const other = await world.beside();
    let saves = 0;
    world.holds = (process, call) => {
      if (process !== 1) return undefined;
      const name = call === "after saveProgress" ? `${call} ${++saves}` : call;
      return name === moment ? paused.promise : undefined;
    };
    await world.receive(first);
    await world.run(500);
    generate(world, "The whole");
    await world.run(500);
    world.holds = (process) => (process === 1 ? paused.promise : undefined);
    await world.run(leaseMs + 5_000);
    // What the paused one still hears of, long after its lease.
    generate(world, "The whole answer");
    await world.run(1_000);
    await other.inbox.receive(second);
    for (let turn = 0; turn < 3; turn++) {
      answerAll(world);
      await world.run(12_000);
    }
    world.holds = () => undefined;
    paused.resolve();
    await world.run(5_000);
    answerAll(world);
    await world.run(60_000);
    return judge(world);
  } finally {
    await world.close();
  }
}

function judge(world: World): Paused {
  const asked = world.workspace.calls
    .filter(({ call }) => call === "start" || call === "followUp")
    .map(({ body }) => (body as { readonly message: string }).message);
  const whole = new Set<string>();
  let overwritten = 0;
  for (const { id, document } of world.platform.log) {
    const isWhole = document !== null && textOf(document).startsWith("The whole answer to");
    if (whole.has(id) && !isWhole) overwritten++;
    if (isWhole) whole.add(id);
  }
  return {
    askedTwice: asked.length - new Set(asked).size,
    overwritten,
    seen: world.seen(),
    outOfOrder: asked.filter((words, index) => words === "one" && asked.slice(0, index).includes("two")).length,
  };
}

/** Before anything was done; when the question was noted, which is the third thing saved, and not sent; in the middle of the answer. */
const moments = ["before complete", "after saveProgress 3", "in the middle of the answer"] as const;

if (import.meta.main) {
  const all: Paused[] = [];
  for (const moment of moments) all.push(await pauseAt(moment));
  process.stdout.write(`${JSON.stringify(all)}\n`);
}
