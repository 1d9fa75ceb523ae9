/** Gives an operation that failed for a reason of ours the text that the interface has for it. */
import type { ServiceContext } from "./context.ts";
import { HttpError } from "./http-error.ts";

/** Runs `work`; what it throws, other than an HttpError, is logged and becomes an HttpError of `status` with `text`. */
export async function orFail<T>(
  ctx: Pick<ServiceContext, "log">,
  status: 500 | 502,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof HttpError) throw thrown;
    ctx.log.error({ error: thrown }, text);
    throw new HttpError(status, text);
  }
}
