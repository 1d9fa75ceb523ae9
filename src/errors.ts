/** Faults: what is thrown. An expected "no" is a Refusal, a value (core/refusal.ts), and is never thrown. */
import type { QuotaReason } from "./contract/errors.ts";

/** A fault with a stable code, a message that says what to do, and its cause. No secret is ever part of the message. */
export class Fault extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/**
 * What kind of answer the workspace gave, or failed to give:
 * - `unreachable`: no connection was made, so the request was certainly not received;
 * - `lost`: the request went out and no answer came, so it may have been acted on;
 * - `malformed`: an answer that the interface does not know (HTML, cut JSON);
 * - `rate_limited`: a 429 without a reason, which comes from a proxy in front, not from the workspace.
 */
export type WorkspaceFaultKind =
  | "unreachable"
  | "lost"
  | "malformed"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "rejected"
  | "quota"
  | "rate_limited"
  | "unavailable";

/** Anything but success from the workspace. `message` is the workspace's own text where it gave one. */
export class WorkspaceFault extends Fault {
  readonly kind: WorkspaceFaultKind;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly correlationId: string | undefined;
  readonly reason: QuotaReason | undefined;
  /** The machine code beside some errors (`code` or `error_code`). */
  readonly blockCode: string | undefined;
  /** Something in front of the workspace failed, and not the workspace: whether it was reached is not known. */
  readonly foreign: boolean;
  /** For how long whoever limits requests asks to be left alone, as it said; 0: it did not say. */
  readonly retryAfterMs: number;
  constructor(
    kind: WorkspaceFaultKind,
    message: string,
    details: {
      status?: number;
      correlationId?: string | undefined;
      reason?: QuotaReason | undefined;
      blockCode?: string | undefined;
      foreign?: boolean;
      retryAfterMs?: number;
      cause?: unknown;
    } = {},
  ) {
    super(`workspace_${kind}`, message, { cause: details.cause });
    this.kind = kind;
    this.status = details.status ?? 0;
    this.correlationId = details.correlationId;
    this.reason = details.reason;
    this.blockCode = details.blockCode;
    this.foreign = details.foreign ?? false;
    this.retryAfterMs = details.retryAfterMs ?? 0;
  }
}

/**
 * A write to a platform that failed.
 * - `rate_limited`: not done; the budget `budgetKey` is closed for `retryAfterMs`;
 * - `refused`: certainly not done, and may be tried again;
 * - `gone`: the message, thread or place no longer exists or may not be written to: do not try again;
 * - `unknown`: the request went out and no answer came: look it up before repeating it.
 */
export class WriteFault extends Fault {
  readonly outcome: "rate_limited" | "refused" | "gone" | "unknown";
  readonly retryAfterMs: number;
  readonly budgetKey: string | undefined;
  constructor(
    outcome: WriteFault["outcome"],
    message: string,
    details: { retryAfterMs?: number; budgetKey?: string | undefined; cause?: unknown } = {},
  ) {
    super(`write_${outcome}`, message, { cause: details.cause });
    this.outcome = outcome;
    this.retryAfterMs = details.retryAfterMs ?? 0;
    this.budgetKey = details.budgetKey;
  }
}

/** The text of anything thrown. */
export const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
