/**
 * What becomes of a turn's work that does not come to its end: its next owner goes on with it, or another try does; it was stopped;
 * or it failed, and says so.
 */
import type { Clock } from "../../clock.ts";
import { Fault, WorkspaceFault } from "../../errors.ts";
import type { CoreMetrics } from "../metrics.ts";
import { isForNextOwner } from "../next-owner.ts";
import { passing, uncertain } from "../workspace-faults.ts";
import type { TurnRun } from "./run.ts";
import type { Ending } from "./settle.ts";

/** What may be over in a moment has the turn begun again so often, over about a minute, before it ends with saying so. */
const leastTries = 7;
/** What the workspace has not taken for so long already, in ms, is not begun again: a send tries for about a minute by itself. */
const patienceMs = 30_000;

/** A store that is away, a workspace that cannot be reached: what has been asked or begun is known, or looked for, at the next try. */
const mayPass = (thrown: unknown, triedMs: number): boolean =>
  thrown instanceof Fault ? (passing(thrown) || uncertain(thrown)) && triedMs < patienceMs : true;

export interface Attempt {
  /** @param signal ends with the lease, and when somebody wants the turn ended */
  readonly work: (signal: AbortSignal) => Promise<Ending>;
  /** Somebody wanted it ended. */
  readonly stopped: () => Promise<Ending>;
  /** The workspace does not accept the key: ends the turn; null where that is a failure like any other. */
  readonly keyRefused: () => Promise<Ending | null>;
  /** It failed. @param correlation the workspace's reference of the request */
  readonly failed: (thrown: unknown, correlation: string | undefined) => Promise<Ending>;
  /** Said in the log of a failure. */
  readonly what: string;
}

/** Throws what leaves the turn to its next owner, and what may pass, for which it is begun again. */
export async function attempt(
  run: TurnRun,
  { clock, metrics }: { readonly clock: Clock; readonly metrics: Pick<CoreMetrics, "workspaceError"> },
  { work, stopped, keyRefused, failed, what }: Attempt,
): Promise<Ending> {
  const { lease, turn, log } = run;
  const begunAt = clock.now();
  try {
    return await work(AbortSignal.any([lease.over, lease.stop]));
  } catch (thrown) {
    lease.over.throwIfAborted();
    if (isForNextOwner(thrown)) throw thrown;
    if (lease.stop.aborted) return stopped();
    const fault = thrown instanceof WorkspaceFault ? thrown : undefined;
    if (fault !== undefined) metrics.workspaceError(fault.kind);
    if (turn.fence < leastTries && mayPass(thrown, clock.now() - begunAt)) throw thrown;
    const ending = fault?.kind === "unauthorized" ? await keyRefused() : null;
    if (ending !== null) return ending;
    log.error({ err: thrown, turn: turn.key }, what);
    return failed(thrown, fault?.correlationId);
  }
}
