/** The post of a reply that is not journaled yet, and what becomes of it when the turn is lost meanwhile. */
import { WriteFault } from "../../errors.ts";
import { LeaseLost } from "../next-owner.ts";
import type { Place } from "../place.ts";
import type { Posted } from "../platform.ts";
import type { Stray, WriteGuard } from "./reply.ts";

/** A write that failed so may have been carried out all the same. */
export const mayBeDone = (thrown: unknown): boolean =>
  !(thrown instanceof WriteFault && ["refused", "rate_limited", "gone"].includes(thrown.outcome));

export interface Unjournaled {
  /** Makes a post, which is not journaled until `journaled` says so. */
  made(place: Place, name: string, slot: Stray["slot"], post: () => Promise<Posted>): Promise<Posted>;
  journaled(): void;
  /** Whoever has the turn now may not know the post: tells of it, if there is one and the turn is lost. */
  strayed(thrown?: unknown): void;
}

export function createUnjournaled(guard: Pick<WriteGuard, "lost">, onStray: (stray: Stray) => void): Unjournaled {
  let unjournaled: Stray | undefined;
  return {
    async made(place, name, slot, post) {
      unjournaled = { place, name, slot, posted: undefined };
      try {
        const posted = await post();
        unjournaled = { ...unjournaled, posted };
        return posted;
      } catch (thrown) {
        if (!mayBeDone(thrown)) unjournaled = undefined;
        throw thrown;
      }
    },
    journaled: () => void (unjournaled = undefined),
    strayed(thrown) {
      if (unjournaled === undefined || !(thrown instanceof LeaseLost || guard.lost())) return;
      onStray(unjournaled);
      unjournaled = undefined;
    },
  };
}
