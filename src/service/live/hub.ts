/** Who follows which conversation, inside this process. */
import type { Message } from "../../contract/records.ts";

export interface Follower {
  /** Takes the newest state of a message; never waits, never throws. */
  show(message: Message): void;
  /** The conversation is over: it was deleted. */
  end(): void;
}

export interface Hub {
  /** Adds a follower; the returned function takes it away. */
  follow(conversationId: number, follower: Follower): () => void;
  publish(conversationId: number, message: Message): void;
  /** True when somebody follows: a record that nobody reads need not be made. */
  isFollowed(conversationId: number): boolean;
  /** Ends the followers of a conversation. */
  end(conversationId: number): void;
}

export function createHub(): Hub {
  const followers = new Map<number, Set<Follower>>();
  return {
    follow(conversationId, follower) {
      const group = followers.get(conversationId) ?? new Set();
      followers.set(conversationId, group.add(follower));
      return () => {
        group.delete(follower);
        if (group.size === 0 && followers.get(conversationId) === group) followers.delete(conversationId);
      };
    },
    publish(conversationId, message) {
      for (const follower of followers.get(conversationId) ?? []) follower.show(message);
    },
    isFollowed: (conversationId) => followers.has(conversationId),
    end(conversationId) {
      for (const follower of followers.get(conversationId) ?? []) follower.end();
    },
  };
}
