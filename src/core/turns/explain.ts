/** Faults of the workspace in the asker's words: what happened and what can be done. */
import { Fault, WorkspaceFault, type WorkspaceFaultKind } from "../../errors.ts";
import { mediaErrors, type QuotaReason } from "../../contract/errors.ts";

const quota: Record<QuotaReason, string> = {
  credit_count: "The workspace's credits are used up.",
  user_count: "The workspace has more people than its plan allows.",
  subscription: "The workspace's subscription does not include this.",
  trial_expired: "The workspace's trial has ended.",
  unknown: "The workspace's quota is used up.",
};

const blocks: Record<string, string> = {
  EU_INFERENCE_REQUIRED: "The workspace allows only models that run in the EU, and this one does not.",
  ZERO_RETENTION_REQUIRED: "The workspace allows only models that keep no data, and this one does.",
  NO_PROVIDER_ASSIGNED: "The workspace has no provider for this model.",
  NO_ENDPOINT_AVAILABLE: "No server that the workspace allows offers this model.",
  SENSITIVE_DATA_BLOCKED: "The workspace's rules keep sensitive data out, and this message seems to have some.",
};

const kinds: Record<WorkspaceFaultKind, string> = {
  unreachable: "The workspace cannot be reached.",
  lost: "The workspace did not answer.",
  malformed: "The workspace gave an answer that makes no sense.",
  unauthorized: "The workspace does not accept Parley's key.",
  forbidden: "This is not enabled for the workspace account that Parley uses here. Ask whoever runs Parley.",
  not_found: "The workspace does not know this any more.",
  rejected: "The workspace did not accept this.",
  quota: quota.unknown,
  rate_limited: "The workspace is asked too often just now.",
  unavailable: "The workspace could not do this.",
};

/** Texts of the workspace that say more than the kind does. Those of a 403 name what the key lacks, which is for operators. */
const telling: ReadonlySet<WorkspaceFaultKind> = new Set(["rejected", "unavailable"]);

/** A 403 that a person can do something about, or that a rule and not the key is the reason of. */
const ruled = ({ blockCode, message }: WorkspaceFault): string | undefined =>
  message === mediaErrors.restricted
    ? "The workspace's rules do not allow the chosen model. Choose another one."
    : blockCode === undefined
      ? undefined
      : blocks[blockCode];

/** True where the key, and not a rule of the workspace, is what stands in the way. */
export const lacksPermission = (thrown: unknown): thrown is WorkspaceFault =>
  thrown instanceof WorkspaceFault && thrown.kind === "forbidden" && ruled(thrown) === undefined;

/** One clear line for the asker. Unexpected faults say nothing of what went wrong inside. */
export function explain(thrown: unknown): string {
  if (!(thrown instanceof WorkspaceFault)) {
    return thrown instanceof Fault && thrown.code === "answer_stalled"
      ? "The workspace stopped answering; Parley has given up on this answer."
      : "Something went wrong in Parley. The operator's log has the reason.";
  }
  if (thrown.kind === "quota") return quota[thrown.reason ?? "unknown"];
  const blocked = ruled(thrown);
  if (blocked !== undefined) return blocked;
  return telling.has(thrown.kind) && thrown.message !== ""
    ? `${kinds[thrown.kind]} It says: “${thrown.message}”.`
    : kinds[thrown.kind];
}

/** The line under an answer that failed at the workspace. */
export const explainFailedAnswer = (errorText: string, errorId: string | null): string =>
  `The answer failed: ${errorText.replace(/[.\s]+$/, "")}.${errorId === null ? "" : ` Support reference: ${errorId}.`}`;

/** The line in place of an answer to words whose send has no known outcome. */
export const explainUnknown = "Parley cannot tell whether the workspace has your message, and asks nothing twice by itself.";
