/** Recordings of a message, written down so that the answer knows what is said in them. Each is paid for once. */
import type { Clock } from "../../clock.ts";
import type { MediaJob } from "../../contract/media.ts";
import { Fault, WorkspaceFault } from "../../errors.ts";
import type { WorkspaceLists } from "../directory.ts";
import type { InboundFile, InboundMessage } from "../inbound.ts";
import type { JobWatch } from "../media/job-watch.ts";
import { isOfKind } from "../media/kinds.ts";
import { makerOf } from "../media/maker.ts";
import type { ToolRecipe } from "../media/order.ts";
import { planToolCall } from "../media/tool-maker.ts";
import type { Settings } from "../settings.ts";
import { digestOf } from "../words.ts";
import type { Workspace } from "../workspace.ts";
import { uncertain } from "../workspace-faults.ts";
import { lacksPermission } from "./explain.ts";
import { keepSurely } from "./keep-surely.ts";
import type { TranscriptProgress } from "./progress.ts";
import { reaching } from "./reaching.ts";
import type { TurnRun } from "./run.ts";

/** How long an answer waits for what is said in one recording, in ms. */
export const hearingMs = 15 * 60_000;

export interface Hearing {
  readonly workspace: Workspace;
  readonly lists: Pick<WorkspaceLists, "tools">;
  /** The account that the recordings belong to. */
  readonly account: string;
  readonly watch: JobWatch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onStatus: (status: string) => void;
}

/**
 * - `asked`: by the message itself, or by the place's own choice: that it cannot be done is said;
 * - `usual`: where the workspace can, and else nothing is said.
 */
type Wish = "asked" | "usual" | "no";

const wishOf = (message: InboundMessage, { transcribe }: Pick<Settings, "transcribe">): Wish =>
  message.transcribe === true || transcribe === true ? "asked" : transcribe === false ? "no" : "usual";

/** The key of its transcript in the turn's progress. */
export const transcriptKey = (file: InboundFile): string => digestOf(file.id);

const note = (run: TurnRun, key: string, change: Partial<TranscriptProgress> & Pick<TranscriptProgress, "at">): Promise<void> => {
  const { transcripts } = run.progress();
  return run.save({ transcripts: { ...transcripts, [key]: { ...transcripts?.[key], ...change } } });
};

interface Plan {
  readonly recipe: ToolRecipe;
  readonly fileField: string | null;
}

/** How it is asked for; null where the key may not, or no tool can. */
async function planOf({ lists, signal }: Hearing): Promise<Plan | null> {
  const plan = planToolCall(await lists.tools({ signal }), "transcription", { file: true }, false);
  return "refusal" in plan ? null : plan;
}

/** For a job that was begun before: it is only read. */
export const begunTranscription: ToolRecipe = { by: "job", kind: "transcription", tool: "transcribe", arguments: {} };

/**
 * Has a recording written down. A failure costs the answer nothing but what is said in it; `tellTranscripts` tells it.
 * @param fileId the recording in the workspace
 * @returns the transcription's id; null where there is none
 * Throws the signal's reason, and `WorkspaceFault` where the key is not accepted.
 */
export async function hear(
  run: TurnRun,
  message: InboundMessage,
  file: InboundFile,
  fileId: number,
  settings: Settings,
  hearing: Hearing,
): Promise<number | null> {
  const wish = wishOf(message, settings);
  const key = transcriptKey(file);
  const known = run.progress().transcripts?.[key];
  if (known?.failed !== undefined || !isOfKind(file, "recording") || (known === undefined && wish === "no")) return null;
  if (known?.cost !== undefined) return known.job ?? null;
  const { clock, signal, onStatus } = hearing;
  const at = known?.at ?? clock.now();
  const late = new AbortController();
  const cancel = clock.after(Math.max(0, at + hearingMs - clock.now()), () =>
    late.abort(new Fault("transcript_late", "a recording was not written down in time")),
  );
  try {
    // An earlier owner of the turn may have begun it: nothing lists what was, and it is not begun twice.
    if (known !== undefined && known.job === undefined) return await fails(run, key, at, "lost");
    const plan = known === undefined ? await planOf(hearing) : null;
    if (known === undefined && plan === null) {
      if (wish === "usual") return null;
      return await fails(run, key, at, "disabled");
    }
    onStatus(`Listening to “${file.name}”…`);
    const until = AbortSignal.any([signal, late.signal]);
    const job = await follow(run, key, fileId, plan, { ...hearing, signal: until }, at);
    if (job.status === "error") return await fails(run, key, at, "failed");
    await note(run, key, { at, cost: job.credit_cost });
    return job.ID;
  } catch (thrown) {
    signal.throwIfAborted();
    const ours =
      thrown instanceof WorkspaceFault || late.signal.aborted || (thrown instanceof Fault && thrown.code === "job_stalled");
    if (!ours || (thrown instanceof WorkspaceFault && thrown.kind === "unauthorized")) throw thrown;
    const begun = run.progress().transcripts?.[key];
    run.log.warn({ err: thrown, turn: run.turn.key }, "a recording of a message could not be written down");
    // A workspace without tools is asked by nobody's wish.
    if (wish === "usual" && begun === undefined) return null;
    const unsure = begun !== undefined && begun.job === undefined && (late.signal.aborted || uncertain(thrown));
    return await fails(run, key, at, unsure ? "lost" : late.signal.aborted ? "late" : whyOf(thrown));
  } finally {
    cancel();
  }
}

const whyOf = (thrown: unknown): "disabled" | "quota" | "failed" =>
  lacksPermission(thrown) ? "disabled" : thrown instanceof WorkspaceFault && thrown.kind === "quota" ? "quota" : "failed";

async function fails(run: TurnRun, key: string, at: number, failed: NonNullable<TranscriptProgress["failed"]>): Promise<null> {
  await note(run, key, { at, failed });
  return null;
}

/** @param plan null: it was begun before */
async function follow(
  run: TurnRun,
  key: string,
  fileId: number,
  plan: Plan | null,
  hearing: Hearing,
  at: number,
): Promise<MediaJob> {
  const { account, workspace, watch, signal } = hearing;
  const maker = makerOf(workspace, plan?.recipe ?? begunTranscription);
  let job = run.progress().transcripts?.[key]?.job;
  if (job === undefined) {
    // Stored before anything is spent.
    await keepSurely(run, hearing, () => note(run, key, { at }));
    const files = plan === null || plan.fileField === null ? {} : { [plan.fileField]: fileId };
    const { ID } = await reaching(hearing, run.random, signal, () => maker.create(files, { signal }));
    await keepSurely(run, hearing, () => note(run, key, { at, job: ID }));
    job = ID;
  }
  const following = watch.follow(`${account}:transcription`, maker.source, job, at, signal);
  for (;;) {
    const step = await following.next();
    if (step.done === true) return step.value;
  }
}

/** True where it was written down for the turn. */
export const isHeard = (run: TurnRun, file: InboundFile): boolean =>
  run.progress().transcripts?.[transcriptKey(file)]?.cost !== undefined;
