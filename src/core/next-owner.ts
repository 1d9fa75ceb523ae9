/** Faults that leave a turn to its next owner, who goes on with it: nothing more is shown or done for it here. */
import { Fault } from "../errors.ts";

/** The turn, or its lane, is another's by now, or may be before a write has come to its end. */
export class LeaseLost extends Fault {
  constructor(message: string, options?: { cause?: unknown }) {
    super("lease_lost", message, options);
  }
}

/** The platform takes no more of the reply for now. */
export class ReplyNotShown extends Fault {
  constructor(message: string) {
    super("reply_not_shown", message);
  }
}

/** The turn is given back, to be begun again. */
export class Later extends Fault {
  /** In ms from now. */
  readonly ms: number;
  constructor(ms: number, message: string) {
    super("later", message);
    this.ms = ms;
  }
}

export const isForNextOwner = (thrown: unknown): boolean =>
  thrown instanceof LeaseLost || thrown instanceof ReplyNotShown || thrown instanceof Later;
