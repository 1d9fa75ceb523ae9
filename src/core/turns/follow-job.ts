/** Follows a job to its end, and shows how long it has been at work. */
import type { Cancel } from "../../clock.ts";
import type { MediaJob } from "../../contract/media.ts";
import { WorkspaceFault } from "../../errors.ts";
import { makerOf, type Maker } from "../media/maker.ts";
import type { JobRecipe } from "../media/order.ts";
import { elapsed } from "../media/view.ts";
import { uncertain } from "../workspace-faults.ts";
import type { Making } from "./making.ts";
import { reaching } from "./reaching.ts";
import type { TurnRun } from "./run.ts";

/** Between two looks at the clock, in ms: as coarse as what is shown. */
const tickMs = 5_000;

/** @param onStatus told whenever it has changed. Throws what `JobWatch.follow` does. */
export async function followJob(
  run: TurnRun,
  recipe: JobRecipe,
  id: number,
  making: Making,
  signal: AbortSignal,
  onStatus: (status: string) => void,
): Promise<MediaJob> {
  const { account, watch, clock } = making;
  const maker = makerOf(account.workspace, recipe);
  const since = run.progress().media?.at ?? clock.now();
  let status = "queued";
  let shown = "";
  let cancel: Cancel = () => {};
  const show = (): void => {
    const words = status === "queued" ? "In the queue…" : `Working for ${elapsed(clock.now() - since)}…`;
    if (words !== shown) onStatus(words);
    shown = words;
  };
  const tick = (): void => {
    show();
    cancel = clock.after(tickMs, tick);
  };
  tick();
  try {
    await beginAgain(run, id, maker, making, signal);
    const following = watch.follow(`${account.id}:${recipe.kind}`, maker.source, id, since, signal);
    for (;;) {
      const step = await following.next();
      if (step.done === true) return step.value;
      status = step.value;
      show();
    }
  } finally {
    cancel();
  }
}

/** A failed job whose asker wants it tried again. It spends again, so it is asked for once: what is lost is not repeated. */
export async function beginAgain(
  run: TurnRun,
  id: number,
  { source, retry }: Maker,
  making: Pick<Making, "clock">,
  signal: AbortSignal,
): Promise<void> {
  const { media } = run.progress();
  if (media?.again !== "wanted" || retry === null) return;
  // What only could not be shown is there already.
  if ((await reaching(making, run.random, signal, () => source.read(id, { signal }))).status !== "error") return;
  await run.save({ media: { ...media, again: "asked" } });
  try {
    await reaching(making, run.random, signal, () => retry(id, { signal }));
  } catch (thrown) {
    // Somebody else has begun it anew meanwhile, or the answer was lost: its state tells.
    if (!(thrown instanceof WorkspaceFault && (thrown.kind === "rejected" || uncertain(thrown)))) throw thrown;
    run.log.warn({ err: thrown, turn: run.turn.key }, "a failed job may not have been begun anew");
  }
}
