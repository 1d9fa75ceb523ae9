/** What people are told of the recordings that were written down for an answer, or were not. */
import { missingPermissions } from "../../contract/errors.ts";
import { formatMoney, money } from "../../contract/money.ts";
import { reasonOf, WorkspaceFault } from "../../errors.ts";
import type { InboundMessage } from "../inbound.ts";
import { makerOf } from "../media/maker.ts";
import type { Workspace } from "../workspace.ts";
import type { TranscriptProgress } from "./progress.ts";
import type { TurnRun } from "./run.ts";
import { begunTranscription, isHeard, transcriptKey } from "./transcripts.ts";

/** What the turn's transcripts cost, in credits; null where there are none. */
export function transcriptsCost(run: TurnRun): string | null {
  const paid = Object.values(run.progress().transcripts ?? {}).flatMap(({ cost }) => cost ?? []);
  return paid.length === 0 ? null : formatMoney(paid.reduce((sum, cost) => sum.plus(cost), money(0)));
}

const reasons: Readonly<Record<Exclude<NonNullable<TranscriptProgress["failed"]>, "disabled" | "failed">, string>> = {
  lost: "Parley cannot tell whether the workspace has begun it, and spends nothing twice by itself.",
  quota: "The workspace's quota is used up.",
  late: "It took more than 15 minutes, and may still come to an end in the workspace.",
};

export interface Telling {
  readonly workspace: Workspace;
  /** Why not, in the words for whoever reads them. */
  readonly explain: (thrown: unknown) => Promise<string>;
  readonly signal: AbortSignal;
}

/** Why a job failed: the workspace knows, and Parley keeps no words of it. */
async function failure(run: TurnRun, job: number | undefined, { workspace, signal }: Telling): Promise<string> {
  if (job === undefined) return "The workspace could not do it.";
  try {
    const { error } = await makerOf(workspace, begunTranscription).source.read(job, { signal });
    return error === null ? "The workspace could not do it." : `The workspace says: “${error}”.`;
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof WorkspaceFault)) throw thrown;
    run.log.warn({ turn: run.turn.key, reason: reasonOf(thrown) }, "why a recording was not written down could not be read");
    return "The workspace could not do it.";
  }
}

async function reasonFor(run: TurnRun, { failed, job }: TranscriptProgress, telling: Telling): Promise<string | null> {
  if (failed === undefined) return null;
  if (failed === "failed") return failure(run, job, telling);
  return failed === "disabled"
    ? telling.explain(new WorkspaceFault("forbidden", missingPermissions(["transcription_manage"]), { status: 403 }))
    : reasons[failed];
}

export interface ToldTranscripts {
  /** For the quiet last line; null where nothing was written down. */
  readonly footer: string | null;
  /** Plain lines about what was not; null where there are none. */
  readonly notice: string | null;
}

export async function tellTranscripts(run: TurnRun, { files }: InboundMessage, telling: Telling): Promise<ToldTranscripts> {
  const heard = files.filter((file) => isHeard(run, file)).length;
  const cost = money(transcriptsCost(run) ?? 0);
  const what = heard === 1 ? "1 recording written down" : `${heard} recordings written down`;
  const lines: string[] = [];
  for (const file of files) {
    const known = run.progress().transcripts?.[transcriptKey(file)];
    const reason = known === undefined ? null : await reasonFor(run, known, telling);
    if (reason !== null) lines.push(`“${file.name}” was not written down. ${reason}`);
  }
  return {
    footer: heard === 0 ? null : cost.isZero() ? what : `${what} for ${formatMoney(cost)} credits`,
    notice: lines.length === 0 ? null : lines.join("\n"),
  };
}
