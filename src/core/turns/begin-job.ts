/** Begins a job once, at one time for each account: so one whose beginning was lost can be told from another turn's. */
import { WorkspaceFault } from "../../errors.ts";
import { claimKey, keptMs } from "../media/creations.ts";
import { makerOf, type FileIds, type Maker } from "../media/maker.ts";
import type { JobRecipe } from "../media/order.ts";
import { uncertain } from "../workspace-faults.ts";
import type { Begun } from "./begin-media.ts";
import { beginAgain } from "./follow-job.ts";
import { keepSurely } from "./keep-surely.ts";
import { lookTwice } from "./look-twice.ts";
import type { Making } from "./making.ts";
import { permittedWrites } from "./permitted.ts";
import type { MediaProgress } from "./progress.ts";
import { reaching, reachMs } from "./reaching.ts";
import type { TurnRun } from "./run.ts";

/** Jobs that are looked through for one whose beginning was lost. */
const searched = 50;

interface Beginning {
  readonly run: TurnRun;
  readonly recipe: JobRecipe;
  readonly maker: Maker;
  readonly making: Making;
  readonly signal: AbortSignal;
}

/** @param ids of the files that go in. Throws `WorkspaceFault` when the workspace refuses */
export async function beginJob(
  run: TurnRun,
  recipe: JobRecipe,
  ids: FileIds,
  making: Making,
  signal: AbortSignal,
): Promise<Begun> {
  const beginning = { run, recipe, maker: makerOf(making.account.workspace, recipe), making, signal };
  const again = "again" in recipe ? recipe.again : undefined;
  return making.alone(`make:${making.account.id}:${recipe.kind}`, signal, async () => {
    if (again !== undefined) return beginFailed(beginning, again);
    const former = run.progress().media;
    const found = former === undefined ? "nothing" : await find(beginning, former);
    if (found === "unknown") return found;
    return found === "nothing" || former === undefined ? create(beginning, ids) : take(beginning, former, found);
  });
}

/** Has a failed job begun anew, as the list of jobs offers it. */
async function beginFailed(beginning: Beginning, job: number): Promise<Begun> {
  const { run, maker, making, signal } = beginning;
  // Somebody else may have begun it anew meanwhile: then it is theirs.
  const { status } = await reaching(making, run.random, signal, () => maker.source.read(job, { signal }));
  if (status !== "error") return { refused: "This was tried again already. `/jobs` shows how far it is." };
  const begun = await take(beginning, { at: making.clock.now(), after: 0, again: "wanted" }, job);
  // Before another try may look: it would find it failed still.
  await beginAgain(run, job, maker, making, signal);
  return begun;
}

async function create(beginning: Beginning, ids: FileIds): Promise<Begun> {
  const { run, maker, making, signal } = beginning;
  const { list } = maker;
  const newest = list === null ? undefined : await reaching(making, run.random, signal, () => list({ page: 1, size: 1, signal }));
  const intent: MediaProgress = { at: making.clock.now(), after: newest?.items[0]?.ID ?? 0 };
  await keepSurely(run, making, () => run.save({ media: intent }));
  for (;;) {
    try {
      const { ID } = await reaching(making, run.random, signal, () => maker.create(ids, { signal }));
      return await take(beginning, intent, ID);
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof WorkspaceFault && uncertain(thrown))) throw thrown;
      run.log.warn({ err: thrown, turn: run.turn.key }, "the answer to a new job was lost; looking for it");
      const found = await find(beginning, intent);
      if (found !== "nothing") return found === "unknown" ? found : take(beginning, intent, found);
      if (making.clock.now() - intent.at > reachMs) throw thrown;
    }
  }
}

/** From now on the job is this turn's. */
async function take({ run, recipe, making }: Beginning, intent: MediaProgress, job: number): Promise<Begun> {
  const { account, creations, asked } = making;
  const key = claimKey(account.id, recipe.kind, job);
  const claim = { turn: run.turn.key, account: account.id, place: asked.place, author: asked.author };
  await keepSurely(run, making, async () => {
    if (intent.again === "wanted") await permittedWrites(creations.jobs, run.lease, ["set"]).set(key, claim, keptMs);
    // Kept without a look at the lease, as it is paid for: no other turn may take it for its own. But a new job that has a claim
    // was found by the next owner, and may be somebody's next try by now.
    else if ((await creations.jobs.get(key)) === undefined) await creations.jobs.set(key, claim, keptMs);
    await run.save({ media: { ...intent, job } });
  });
  return { job };
}

/** The job that came of an intent; `unknown` where more than one may have, or nothing lists them. */
async function find(beginning: Beginning, intent: MediaProgress): Promise<number | "unknown" | "nothing"> {
  const { maker, making, signal } = beginning;
  const { list } = maker;
  if (list === null) return "unknown";
  const found = await lookTwice(
    making,
    signal,
    () => candidates(beginning, intent, list),
    (jobs) => jobs.length > 0,
  );
  return found.length > 1 ? "unknown" : (found[0] ?? "nothing");
}

/** Jobs that began after the intent and are no other turn's. */
async function candidates(
  { run, recipe, making, signal }: Beginning,
  { after }: MediaProgress,
  list: NonNullable<Maker["list"]>,
): Promise<readonly number[]> {
  const { account, creations } = making;
  const { items } = await reaching(making, run.random, signal, () => list({ page: 1, size: searched, signal }));
  const found: number[] = [];
  for (const { ID } of items) {
    if (ID <= after) continue;
    const claim = await creations.jobs.get(claimKey(account.id, recipe.kind, ID));
    if (claim === undefined || claim.turn === run.turn.key) found.push(ID);
  }
  return found;
}
