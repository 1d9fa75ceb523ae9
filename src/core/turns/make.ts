/** The way of something that is made: begun once, followed, and posted as files, exactly once. */
import type { MediaJob } from "../../contract/media.ts";
import { Fault, WorkspaceFault } from "../../errors.ts";
import { keptMs, type Creation } from "../media/creations.ts";
import type { MediaOrder } from "../media/order.ts";
import { transcriptOf } from "../media/transcript.ts";
import { mediaFooter, viewOf } from "../media/view.ts";
import { attempt } from "./attempt.ts";
import { begin } from "./begin-media.ts";
import { followJob } from "./follow-job.ts";
import { keepSurely } from "./keep-surely.ts";
import { removalOf } from "./lease.ts";
import type { Making } from "./making.ts";
import { permittedWrites } from "./permitted.ts";
import type { TurnRun } from "./run.ts";
import { settled, withdraw, type Ending } from "./settle.ts";
import { stopAction } from "./show.ts";
import { makeAction, showMade, type Fail, type Made } from "./show-made.ts";

const stoppedWords = "Stopped. The workspace may still finish it and count its credits.";

/** Makes what `creation` orders, or goes on with it. Resolves once the last edit is acknowledged, or the message is gone. */
export function make(run: TurnRun, creation: Creation, making: Making): Promise<Ending> {
  const fail = failing(run, creation, making);
  const isBegun = (): boolean => run.progress().media?.job !== undefined;
  return attempt(run, making, {
    work: (signal) => bring(run, creation, making, signal, fail),
    stopped: () => stop(run, creation, making),
    // What is at work already is not begun again under another key.
    keyRefused: () => (isBegun() ? Promise.resolve(null) : making.keyRefused()),
    failed: async (thrown, correlation) => fail(...(await wordsFor(thrown, isBegun(), making)), "failed", { correlation }),
    what: "something could not be made",
  });
}

const failing =
  (run: TurnRun, creation: Creation, making: Making): Fail =>
  async (notice, button, outcome, more = {}) => {
    const view = viewOf(creation.author.name, creation.order);
    run.relay().show(view.failed(notice, button === null ? [] : [makeAction(button, run.turn.key)]));
    const ending = await settled(run, making.clock, { outcome, keepText: false, ...more });
    // With the messages that show it: the next try goes on in them.
    if (button !== null) await keep(run, creation, making);
    return ending;
  };

/** Has it made and shows it, or says why there is none. */
async function bring(run: TurnRun, creation: Creation, making: Making, signal: AbortSignal, fail: Fail): Promise<Ending> {
  const { order } = creation;
  const { key } = run.turn;
  const view = viewOf(creation.author.name, order);
  const onStatus = (status: string): void => run.relay().show(view.working(status, [stopAction(key)]));
  // Kept before anything is shown or spent: whoever has the turn next goes on by it.
  if (run.progress().ordered !== true) {
    await permittedWrites(making.creations.orders, run.lease, ["set"]).set(key, creation, keptMs);
    await run.save({ ordered: true });
  }
  if (creation.result === undefined && run.progress().delivery.messages.length === 0)
    onStatus(order.recipe.by === "job" ? "In the queue…" : "Drawing…");
  const made = await result(run, creation, making, signal, onStatus);
  if (made === "unknown")
    return fail(
      "Parley cannot tell whether the workspace has begun this, and spends nothing twice by itself. Trying again may cost again.",
      "Try again",
      "unknown",
    );
  if ("refused" in made) return fail(made.refused, null, "refused");
  if ("failed" in made) {
    run.log.warn({ turn: key }, "a job failed at the workspace");
    const again = order.recipe.by === "job" && "tool" in order.recipe ? null : "Try again";
    return fail(`The workspace could not make this: ${made.failed}.`, again, "failed", { credits: made.cost });
  }
  const footer = [mediaFooter(order, made.cost), making.onBehalf].filter((part) => part !== null).join(" · ");
  return showMade(run, creation, { ...made, footer: footer === "" ? null : footer }, making, signal, fail);
}

/** @param begun a job is known. @returns the notice, and the button of another try where there is one */
async function wordsFor(
  thrown: unknown,
  begun: boolean,
  { explain }: Pick<Making, "explain">,
): Promise<[notice: string, button: string | null]> {
  if (thrown instanceof Fault && thrown.code === "job_stalled")
    return [
      "The workspace has not finished this in two hours, so Parley no longer waits for it. It may still come to an end there.",
      null,
    ];
  if (begun && thrown instanceof WorkspaceFault && thrown.kind === "not_found")
    return ["The workspace no longer has this job: it was deleted there before it was finished.", null];
  const forbidden = thrown instanceof WorkspaceFault && thrown.kind === "forbidden";
  return [await explain(thrown), forbidden ? null : "Try again"];
}

type Result = Made | "unknown" | { readonly refused: string } | { readonly failed: string; readonly cost: string };

async function result(
  run: TurnRun,
  creation: Creation,
  making: Making,
  signal: AbortSignal,
  onStatus: (status: string) => void,
): Promise<Result> {
  const { order } = creation;
  if (creation.result !== undefined) return { file: creation.result, transcript: null, cost: null };
  const begun = await begin(run, order, making, signal, onStatus);
  if (begun === "unknown" || "refused" in begun) return begun;
  if ("file" in begun) {
    // Paid for: whoever has the turn next shows it, or, where that one has ended meanwhile, whoever presses “Try again”.
    const { orders } = making.creations;
    await keepSurely(run, making, async () => {
      const kept = await orders.get(run.turn.key);
      // Without an order its asker was forgotten meanwhile.
      if (kept !== undefined) await orders.set(run.turn.key, { ...creation, ...kept, result: begun.file }, keptMs);
    });
    return { file: begun.file, transcript: null, cost: null };
  }
  if (order.recipe.by !== "job") throw new Fault("no_job", "only a job has a job's id");
  return madeBy(await followJob(run, order.recipe, begun.job, making, signal, onStatus), order, making.account.id);
}

function madeBy(job: MediaJob, order: MediaOrder, account: string): Result {
  const { status, error, output_file_data: file, text, segments, credit_cost: cost } = job;
  if (status === "error") return { failed: (error ?? "it does not say why").replace(/[.\s]+$/, ""), cost };
  return {
    file: file === null || file === undefined ? null : { id: file.ID, name: file.name, path: file.path, account },
    transcript: transcriptOf(order.prompt, text ?? null, segments),
    cost,
  };
}

/** Keeps how far it came, for another try. */
async function keep(run: TurnRun, creation: Creation, { creations }: Making): Promise<void> {
  const { account, uploads, media, delivery } = run.progress();
  const left = {
    delivery,
    ...(account === undefined ? {} : { account }),
    ...(uploads === undefined ? {} : { uploads }),
    ...(media === undefined ? {} : { media }),
  };
  const orders = permittedWrites(creations.orders, run.lease, ["set"]);
  const kept = await orders.get(run.turn.key);
  await orders.set(run.turn.key, { ...creation, ...kept, left }, keptMs);
}

async function stop(run: TurnRun, { author, order }: Creation, { clock }: Making): Promise<Ending> {
  if (removalOf(run.lease.stop) !== undefined) {
    await withdraw(run.relay());
    return { outcome: "cancelled", keepText: false };
  }
  run.relay().show({ ...viewOf(author.name, order).failed(stoppedWords, []), state: "stopped" });
  return settled(run, clock, { outcome: "stopped", keepText: false });
}
