/** What is counted; `metrics.ts` gives it to Prometheus. */
import type { WorkspaceFaultKind } from "../errors.ts";
import type { Outcome, Verdict } from "./turns/store.ts";

/**
 * What became of a post that was made too late: taken away; it is the one that the turn goes on with; it never appeared;
 * or it may be left over, as that could not be told or it could not be removed.
 */
export type LatePostEnd = "removed" | "kept" | "none" | "left";

export interface CoreMetrics {
  turnReceived(platform: string, kind: string): void;
  turnClosed(platform: string, kind: string, outcome: Outcome): void;
  /** Somebody said what they think of an answer. */
  rated(platform: string, verdict: Verdict): void;
  /** How many turns this process has now. */
  turnsHere(count: number): void;
  /** A lease was lost or freed: another owner has the turn. */
  leaseLost(): void;
  /** A write was acknowledged after its lease had ended. */
  lateWrite(): void;
  /** A post was made for a turn that had been lost, and was seen to. */
  latePost(end: LatePostEnd): void;
  workspaceError(kind: WorkspaceFaultKind): void;
}
