/** Faults: what is thrown. An expected "no" is a Refusal, a value (core/refusal.ts), and is never thrown. */

/** A fault with a stable code, a message that says what to do, and its cause. No secret is ever part of the message. */
export class Fault extends Error {
  readonly code: string;
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "Fault";
    this.code = code;
  }
}

/** The text of anything thrown. */
export const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
