/** What is counted; `metrics.ts` gives it to Prometheus. */
import type { WorkspaceFaultKind } from "../errors.ts";
import type { Outcome, Verdict } from "./turns/store.ts";

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
  workspaceError(kind: WorkspaceFaultKind): void;
}
