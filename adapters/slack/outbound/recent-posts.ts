/** The keys of the newest posts of this process, so that none of them is posted again. */
import type { Posted } from "../../../src/core/platform.ts";

/** Older ones are looked up at Slack. */
const most = 1_000;

export interface RecentPosts {
  get(key: string): Posted | undefined;
  set(key: string, posted: Posted): void;
  /** The message was removed: its key may be posted again. */
  delete(posted: Posted): void;
}

export function createRecentPosts(): RecentPosts {
  const posts = new Map<string, Posted>();
  return {
    get: (key) => posts.get(key),
    set(key, posted) {
      posts.delete(key);
      posts.set(key, posted);
      const oldest = posts.size > most ? posts.keys().next().value : undefined;
      if (oldest !== undefined) posts.delete(oldest);
    },
    delete({ place, id }) {
      for (const [key, posted] of posts) if (posted.id === id && posted.place.channel === place.channel) posts.delete(key);
    },
  };
}
