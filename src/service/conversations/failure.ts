/** How a failed reply is told: a text for the asker, and a reference that finds the reason in the log. */
import { interruptedCode } from "../../contract/errors.ts";
import { randomSlug } from "../../contract/identifiers.ts";
import { Fault } from "../../errors.ts";
import type { ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";

export interface Failure {
  readonly error_text: string;
  /** 10 characters. */
  readonly error_id: string;
  readonly error_code?: string;
}

const broken = "The answer could not be made because of a fault in the workspace. Retry asks again.";

const failure = (ctx: Pick<ServiceContext, "random">, text: string): Failure => ({
  error_text: text,
  error_id: randomSlug(10, ctx.random),
});

/** The failure of a reply that the workspace itself cut off by ending. */
export const interruption = (ctx: Pick<ServiceContext, "random">): Failure => ({
  ...failure(ctx, "The workspace was stopped before the answer was complete. Retry asks again."),
  error_code: interruptedCode,
});

/** The failure that `thrown` tells of. A provider's fault is fit for the asker's eyes; anything else stays in the log. */
export function failureOf(ctx: Pick<ServiceContext, "random" | "log">, thrown: unknown, messageId: number): Failure {
  const known = thrown instanceof HttpError || (thrown instanceof Fault && thrown.code.startsWith("provider_"));
  const told = failure(ctx, known ? thrown.message : broken);
  ctx.log[known ? "warn" : "error"]({ error: thrown, errorId: told.error_id, messageId }, "a reply failed");
  return told;
}
