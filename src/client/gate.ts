/** A gate that closes for a while, and then lets one through at a time until one has come back well. */
import type { Clock } from "../clock.ts";

export interface Gate {
  /** Whether one more may go now. */
  passable(): boolean;
  /** Whether it has closed, and nothing has opened it again. */
  readonly closed: boolean;
  /** One goes. @returns whether it is the probe, which has to be told with `back` when it has come back, however */
  enter(): boolean;
  back(): void;
  /** In ms; while it is closed it only grows. */
  close(ms: number): void;
  open(): void;
  /** When the next probe may go, in ms since 1970. */
  readonly until: number;
}

export function createGate(clock: Clock): Gate {
  let closed = false;
  let probing = false;
  let until = -Infinity;
  return {
    passable: () => !closed || (!probing && clock.now() >= until),
    get closed() {
      return closed;
    },
    enter() {
      if (closed) probing = true;
      return closed;
    },
    back() {
      probing = false;
    },
    close(ms) {
      closed = true;
      until = Math.max(until, clock.now() + ms);
    },
    open() {
      closed = false;
      until = -Infinity;
    },
    get until() {
      return until;
    },
  };
}
