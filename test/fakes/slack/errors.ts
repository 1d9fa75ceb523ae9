/** What a method of the fake refuses with: Slack's `{ok: false, error}` and what stands beside it. */

export class SlackRefusal extends Error {
  readonly code: string;
  readonly more: Readonly<Record<string, unknown>>;
  constructor(code: string, more: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.more = more;
  }
}

export function refuse(code: string, ...messages: string[]): never {
  throw new SlackRefusal(code, messages.length === 0 ? {} : { response_metadata: { messages } });
}
