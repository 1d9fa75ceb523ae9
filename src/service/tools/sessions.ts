/** The sessions of the tool server: each belongs to one key, ends after a rest, and there are never more than a bound. */
import type { Clock } from "../../clock.ts";
import type { Caller } from "../context.ts";

/** One client's conversation with the tool server. */
export interface Session {
  /** The key that opened it; to any other key it does not exist. */
  readonly keyId: number;
  readonly fetch: (request: Request, caller: Caller) => Promise<Response>;
  /** True while a call is answered: then it does not rest. */
  readonly busy: () => boolean;
  /** Ends what runs, with an answer that says so. */
  readonly close: () => Promise<void>;
}

export interface Sessions {
  /** The key's session with this id, which begins to rest anew; undefined when there is none, or it has rested too long. */
  find(id: string, keyId: number): Session | undefined;
  /** Keeps a new session, and ends what has rested too long. At the bound the one that rests longest ends: its client opens another. */
  keep(id: string, session: Session): Promise<void>;
  forget(id: string): void;
  close(): Promise<void>;
}

/** Sessions at once; each holds about 15 KB. */
const mostSessions = 1000;
/** How long a session may rest, in ms. */
const restMs = 60 * 60_000;

/** @param most sessions at once */
export function createSessions(clock: Pick<Clock, "now">, most = mostSessions): Sessions {
  /** In the order of their last use. */
  const held = new Map<string, { readonly session: Session; usedAt: number }>();

  const end = async (id: string): Promise<void> => {
    const found = held.get(id);
    held.delete(id);
    await found?.session.close();
  };
  const rested = (id: string): boolean => {
    const found = held.get(id);
    return found !== undefined && !found.session.busy() && clock.now() - found.usedAt > restMs;
  };

  return {
    find(id, keyId) {
      const found = held.get(id);
      if (found === undefined || found.session.keyId !== keyId || rested(id)) return undefined;
      held.delete(id);
      held.set(id, { session: found.session, usedAt: clock.now() });
      return found.session;
    },
    async keep(id, session) {
      for (const old of held.keys()) if (rested(old)) await end(old);
      const idle = [...held].find(([, { session: other }]) => !other.busy());
      if (held.size >= most && idle !== undefined) await end(idle[0]);
      held.set(id, { session, usedAt: clock.now() });
    },
    forget: (id) => void held.delete(id),
    async close() {
      for (const id of held.keys()) await end(id);
    },
  };
}
