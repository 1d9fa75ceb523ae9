/** Begins what is to be made, once: the intent is stored before, and a job whose beginning was lost is looked for. */
import { sleep } from "../../clock.ts";
import { WorkspaceFault } from "../../errors.ts";
import { claimKey, keptMs, type MadeFile } from "../media/creations.ts";
import { makerOf, type FileIds, type Maker } from "../media/maker.ts";
import type { JobRecipe, MediaOrder, Source, Sources } from "../media/order.ts";
import { uncertain } from "./explain.ts";
import { beginAgain } from "./follow-job.ts";
import { keepSurely } from "./keep-surely.ts";
import type { Making } from "./making.ts";
import { permittedWrites } from "./permitted.ts";
import { uploaded } from "./prepare.ts";
import type { MediaProgress } from "./progress.ts";
import { reaching, reachMs } from "./reaching.ts";
import type { TurnRun } from "./run.ts";

/** `unknown`: it may or may not have been begun, and nothing tells which. */
export type Begun = { readonly job: number } | { readonly file: MadeFile } | { readonly refused: string } | "unknown";

/** How long, in ms. */
const times = {
  /** A request whose answer was lost may still be at work this long before its job is looked for again. */
  settle: 2_000,
} as const;

/** Jobs that are looked through for one whose beginning was lost. */
const searched = 50;

/** The ids of the files that go in; those of the chat are uploaded once. */
async function idsOf(
  run: TurnRun,
  sources: Sources,
  { account: { workspace } }: Making,
  signal: AbortSignal,
  onStatus: (status: string) => void,
): Promise<FileIds | { readonly refused: string }> {
  const ids: Record<string, number | readonly number[]> = {};
  for (const [field, source] of Object.entries(sources)) {
    const list = Array.isArray(source) ? (source as readonly Source[]) : [source as Source];
    const found: number[] = [];
    for (const one of list) {
      if ("file" in one) {
        found.push(one.file);
        continue;
      }
      const onUpload = (name: string): void => onStatus(`Reading “${name}”…`);
      const id = await uploaded(run, one.upload, { workspace, signal, onUpload });
      if (typeof id !== "number") return { refused: `“${one.upload.name}” could not be used: ${id.skipped}.` };
      found.push(id);
    }
    ids[field] = Array.isArray(source) ? found : (found[0] ?? 0);
  }
  return ids;
}

/** Throws `WorkspaceFault` when the workspace refuses. */
export async function begin(
  run: TurnRun,
  order: MediaOrder,
  making: Making,
  signal: AbortSignal,
  onStatus: (status: string) => void,
): Promise<Begun> {
  const known = run.progress().media;
  if (known?.job !== undefined) return { job: known.job };
  const { recipe } = order;
  // A picture has no job that could be looked for: what may have been paid for is not made again.
  if (known !== undefined && recipe.by !== "job") return "unknown";
  const files = await idsOf(run, order.sources, making, signal, onStatus);
  if ("refused" in files && typeof files["refused"] === "string") return { refused: files["refused"] };
  const ids = files as FileIds;
  if (recipe.by !== "job") return makePicture(run, order, ids, making, signal);
  // One beginning at a time for each account, so that a lost job can be told from another turn's.
  return making.alone(`make:${making.account.id}:${recipe.kind}`, signal, () => beginJob(run, recipe, ids, making, signal));
}

async function makePicture(run: TurnRun, order: MediaOrder, ids: FileIds, making: Making, signal: AbortSignal): Promise<Begun> {
  const { account, clock } = making;
  const { images } = account.workspace;
  const intent: MediaProgress = { at: clock.now(), after: 0 };
  await keepSurely(run, making, () => run.save({ media: intent }));
  try {
    const source = ids["file_id"];
    const { ID, name, path } = await reaching(making, run.random, signal, () =>
      order.recipe.by === "edit" && typeof source === "number"
        ? images.edit(order.prompt, source, { signal })
        : images.generate(order.prompt, { signal }),
    );
    return { file: { id: ID, name, path, account: account.id } };
  } catch (thrown) {
    signal.throwIfAborted();
    if (!uncertain(thrown)) throw thrown;
    run.log.warn({ err: thrown, turn: run.turn.key }, "the answer to a picture was lost; it is not made again by itself");
    return "unknown";
  }
}

async function beginJob(run: TurnRun, recipe: JobRecipe, ids: FileIds, making: Making, signal: AbortSignal): Promise<Begun> {
  const { clock, account, creations } = making;
  const { place, author } = making.asked;
  const maker = makerOf(account.workspace, recipe);
  const take = async (intent: MediaProgress, job: number): Promise<Begun> => {
    const key = claimKey(account.id, recipe.kind, job);
    const claim = { turn: run.turn.key, account: account.id, place, author };
    await keepSurely(run, making, async () => {
      if (intent.again === "wanted") await permittedWrites(creations.jobs, run.lease, ["set"]).set(key, claim, keptMs);
      // Kept without a look at the lease, as it is paid for: no other turn may take it for its own. But a new job that has a claim
      // was found by the next owner, and may be somebody's next try by now.
      else if ((await creations.jobs.get(key)) === undefined) await creations.jobs.set(key, claim, keptMs);
      await run.save({ media: { ...intent, job } });
    });
    return { job };
  };
  /** Jobs that began after the intent and are no other turn's. */
  const candidates = async ({ after }: MediaProgress, list: NonNullable<Maker["list"]>): Promise<number[]> => {
    const { items } = await reaching(making, run.random, signal, () => list({ page: 1, size: searched, signal }));
    const found: number[] = [];
    for (const { ID } of items) {
      if (ID <= after) continue;
      const claim = await creations.jobs.get(claimKey(account.id, recipe.kind, ID));
      if (claim === undefined || claim.turn === run.turn.key) found.push(ID);
    }
    return found;
  };
  const find = async (intent: MediaProgress): Promise<number | "unknown" | "nothing"> => {
    if (maker.list === null) return "unknown";
    let found = await candidates(intent, maker.list);
    if (found.length === 0) {
      await sleep(clock, times.settle, signal);
      found = await candidates(intent, maker.list);
    }
    return found.length > 1 ? "unknown" : (found[0] ?? "nothing");
  };

  const again = "again" in recipe ? recipe.again : undefined;
  if (again !== undefined) {
    // Somebody else may have begun it anew meanwhile: then it is theirs.
    const { status } = await reaching(making, run.random, signal, () => maker.source.read(again, { signal }));
    if (status !== "error") return { refused: "This was tried again already. `/jobs` shows how far it is." };
    const begun = await take({ at: clock.now(), after: 0, again: "wanted" }, again);
    // Before another try may look: it would find it failed still.
    await beginAgain(run, again, maker, making, signal);
    return begun;
  }
  const former = run.progress().media;
  if (former !== undefined) {
    const found = await find(former);
    if (found === "unknown") return found;
    if (found !== "nothing") return take(former, found);
  }
  const newest = await (maker.list === null
    ? undefined
    : reaching(making, run.random, signal, () => maker.list?.({ page: 1, size: 1, signal }) ?? Promise.resolve(undefined)));
  const intent: MediaProgress = { at: clock.now(), after: newest?.items[0]?.ID ?? 0 };
  await keepSurely(run, making, () => run.save({ media: intent }));
  for (;;) {
    try {
      return await take(intent, (await reaching(making, run.random, signal, () => maker.create(ids, { signal }))).ID);
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof WorkspaceFault && uncertain(thrown))) throw thrown;
      run.log.warn({ err: thrown, turn: run.turn.key }, "the answer to a new job was lost; looking for it");
      const found = await find(intent);
      if (found !== "nothing") return found === "unknown" ? found : take(intent, found);
      if (clock.now() - intent.at > reachMs) throw thrown;
    }
  }
}
