/** Which conversation a place has, both ways round. */
import { sharedId } from "./accounts.ts";
import type { KeyValueMap } from "./maps.ts";
import { placeKey, type Place } from "./place.ts";

export interface Thread {
  /** The numeric ID. */
  readonly conversationId: number;
  /** The newest message of it that Parley has relayed; 0 before the first. */
  readonly newest: number;
  readonly startedAt: number;
  /** The account that began it; without one, as in threads of earlier versions, the shared one. */
  readonly account?: string;
  /** An answer drew on what only its account may see, so that any later one may. Noted where others read along. */
  readonly drawn?: true;
}

/** Whose the thread's conversation is. */
export const accountIdOf = (thread: Thread): string => thread.account ?? sharedId;

export interface Threads {
  get(place: Place): Promise<Thread | undefined>;
  set(place: Place, thread: Thread): Promise<void>;
  /** The next message of the place begins a new conversation. */
  forget(place: Place): Promise<void>;
  /** The place that a conversation belongs to; undefined when it is none of Parley's. */
  placeOf(conversationId: number): Promise<string | undefined>;
}

/** @param conversations conversation id -> place key, so that a conversation is never given to two places */
export function createThreads(threads: KeyValueMap<Thread>, conversations: KeyValueMap<string>): Threads {
  return {
    get: (place) => threads.get(placeKey(place)),
    async set(place, thread) {
      await conversations.set(String(thread.conversationId), placeKey(place));
      await threads.set(placeKey(place), thread);
    },
    async forget(place) {
      await threads.delete(placeKey(place));
    },
    placeOf: (conversationId) => conversations.get(String(conversationId)),
  };
}
