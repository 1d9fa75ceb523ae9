/** Faults to order: what goes wrong with the next calls of a method. */

export interface Fault {
  /** `before`: nothing is done. `after`: it is done, and the answer is what goes wrong. */
  readonly when: "before" | "after";
  /** The connection is cut, nothing ever comes, or this answer comes. */
  readonly how:
    "reset" | "silence" | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> };
}

/** Done, but the answer is lost. */
export const lost: Fault = { when: "after", how: "reset" };
export const reset: Fault = { when: "before", how: "reset" };
export const silence: Fault = { when: "before", how: "silence" };
export const silenceAfter: Fault = { when: "after", how: "silence" };
export const serverError = (when: Fault["when"] = "before", status = 503): Fault => ({
  when,
  how: { status, body: "upstream trouble" },
});
export const html: Fault = {
  when: "before",
  how: {
    status: 200,
    body: "<!DOCTYPE html><html><body>Sign in</body></html>",
    headers: { "content-type": "text/html; charset=utf-8" },
  },
};
/** @param retryAfter the header as it stands, also a senseless one */
export const rateLimited = (retryAfter: string): Fault => ({
  when: "before",
  how: {
    status: 429,
    body: JSON.stringify({ ok: false, error: "ratelimited" }),
    headers: { "content-type": "application/json", "retry-after": retryAfter },
  },
});
/** Slack's own refusal. */
export const slackError = (error: string): Fault => ({
  when: "before",
  how: { status: 200, body: JSON.stringify({ ok: false, error }), headers: { "content-type": "application/json" } },
});

export interface Faults {
  /** The next calls of `method` fail like this, first in first out. */
  add(method: string, ...faults: Fault[]): void;
  take(method: string): Fault | undefined;
  /** Every call of `method` fails like this until it is cleared. */
  always(method: string, fault: Fault | null): void;
}

export function createFaults(): Faults {
  const queued = new Map<string, Fault[]>();
  const standing = new Map<string, Fault>();
  return {
    add(method, ...faults) {
      queued.set(method, [...(queued.get(method) ?? []), ...faults]);
    },
    take: (method) => queued.get(method)?.shift() ?? standing.get(method),
    always(method, fault) {
      if (fault === null) standing.delete(method);
      else standing.set(method, fault);
    },
  };
}
