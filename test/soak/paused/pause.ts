/**
 * A process that is paused for longer than its lease, at one moment of a turn, in a time of the test's own: the same each time.
 * Another process takes the turn over and ends it; then the first one wakes, and whatever it still does is harm.
 */
import { WriteFault } from "../../../src/errors.ts";
import type { Inbound } from "../../../src/core/inbound.ts";
import { createWorld, textOf, type World } from "../../core/engine.ts";

/**
 * - `call`: the look at the lease before what is asked of the workspace;
 * - `keep`: before what is kept beside a turn;
 * - `count`: before what a turn has spent is counted.
 */
export type Guard = "call" | "keep" | "count";

export interface Scene {
  readonly name: string;
  /** What keeps the harm away, and without which there is some. */
  readonly guard: Guard;
  /** Files that people attach, by their id. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** Before anything is paused. */
  readonly before?: (world: World) => Promise<void>;
  /** What is received by the process that will be paused. */
  readonly asked: (world: World) => Inbound;
  /** Goes on until the moment, where that is not by itself. */
  readonly goesOn?: (world: World) => Promise<void>;
  /** Right before its n-th call of this name, counted from 1, since it was asked: what it waits for then is heard when it wakes. */
  readonly pausedBefore: readonly [call: string, nth: number];
  /** What people and the workspace do once the other process has the turn. */
  readonly meanwhile?: (world: World, receive: (inbound: Inbound) => Promise<unknown>) => Promise<void>;
}

/** What came of a pause. */
export interface Woken extends Pick<Scene, "name" | "guard"> {
  /** Calls of the process that woke which may change or cost something, by their names. */
  readonly called: readonly string[];
  /** Tables of the store that are not as they were before it woke. */
  readonly wrote: readonly string[];
  /** What people see is not what they saw before it woke. */
  readonly shown: boolean;
}

/** Longer than a lease and what a successor waits beyond it, in ms. */
const pauseMs = 40_000;
const tables = ["turns", "key_values", "audit", "allowances"] as const;
const reads: ReadonlySet<string> = new Set(
  "messages list follow agents models projects listTools prompts promptHistory jobModels job jobs download".split(" "),
);
/** Calls of tools that only read are told by the tool's name. */
const changes = ({ call, body }: World["workspace"]["calls"][number]): boolean =>
  call === "callTool" ? !(body as { readonly name: string }).name.startsWith("get_") : !reads.has(call);

/** What a process asks of the store beside its turns: no turn waits for it. */
const beside: ReadonlySet<string> = new Set(["after expire", "after claim", "after renew", "after waitingIn"]);
const isAnswer = (moment: string): boolean => moment.startsWith("after ") && !beside.has(moment);

const platformWrites: ReadonlySet<string> = new Set(["before post", "before edit", "before attach"]);
const tooLate = (): never => {
  throw new WriteFault("unknown", "its deadline has passed");
};

/** Asks, and hears of each call to the store, the workspace and the platform, before it and after it. */
async function ask(scene: Scene, world: World, hears: (moment: string) => Promise<void> | undefined): Promise<void> {
  await scene.before?.(world);
  world.holds = (process, moment) => (process === 1 ? hears(moment) : undefined);
  await world.receive(scene.asked(world));
  await world.run(5_000);
  await scene.goesOn?.(world);
}

/** How many answers are heard until the last one before the moment; the same each time. */
async function answersUntil(scene: Scene): Promise<number> {
  const world = await createWorld(scene.files);
  try {
    await world.beside();
    const [call, nth] = scene.pausedBefore;
    let [left, answers] = [nth, 0];
    const heard: string[] = [];
    await ask(scene, world, (moment) => {
      if (left === 0) return undefined;
      heard.push(moment);
      if (moment === `before ${call}`) left--;
      else if (isAnswer(moment)) answers++;
      return undefined;
    });
    if (left > 0) throw new Error(`${scene.name}: there is no call ${nth} of ${call} among ${heard.join(", ")}`);
    return answers;
  } finally {
    await world.close();
  }
}

/** Throws when the turn never comes to the moment. */
export async function pauseIn(scene: Scene): Promise<Woken> {
  let left = await answersUntil(scene);
  const world = await createWorld(scene.files);
  const awake = Promise.withResolvers<void>();
  try {
    const other = await world.beside();
    await ask(scene, world, (moment) => {
      if (left > 0 && isAnswer(moment)) left--;
      if (left > 0) return undefined;
      // Whatever this process still begins would in truth be begun when it wakes, or be given up by its deadline.
      return platformWrites.has(moment) ? awake.promise.then(tooLate) : awake.promise;
    });
    await world.run(pauseMs);
    await scene.meanwhile?.(world, (inbound) => other.inbox.receive(inbound));
    await world.run(20_000);

    const stored = async (): Promise<string[]> =>
      Promise.all(tables.map(async (table) => JSON.stringify(await world.rows(table))));
    const seen = (): string => JSON.stringify([world.seen(), world.platform.whispers.map(({ document }) => textOf(document))]);
    const [rows, asked, shown] = [await stored(), world.workspace.calls.length, seen()];
    world.holds = () => undefined;
    awake.resolve();
    await world.run(20_000);
    const after = await stored();
    return {
      name: scene.name,
      guard: scene.guard,
      called: world.workspace.calls
        .slice(asked)
        .filter(changes)
        .map(({ call }) => call),
      wrote: tables.filter((_, at) => rows[at] !== after[at]),
      shown: seen() !== shown,
    };
  } finally {
    await world.close();
  }
}
