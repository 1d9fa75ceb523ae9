/** Begins what is to be made, once: its files are brought to the workspace, and the intent is stored before anything is asked for. */
import type { MadeFile } from "../media/creations.ts";
import type { FileIds } from "../media/maker.ts";
import type { MediaOrder, Source, Sources } from "../media/order.ts";
import { uncertain } from "../workspace-faults.ts";
import { beginJob } from "./begin-job.ts";
import { keepSurely } from "./keep-surely.ts";
import type { Making } from "./making.ts";
import { uploaded } from "./prepare.ts";
import type { MediaProgress } from "./progress.ts";
import { reaching } from "./reaching.ts";
import type { TurnRun } from "./run.ts";

/** `unknown`: it may or may not have been begun, and nothing tells which. */
export type Begun = { readonly job: number } | { readonly file: MadeFile } | { readonly refused: string } | "unknown";

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
  return beginJob(run, recipe, ids, making, signal);
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
