/** The newest posts of this process by their keys: none is posted again, and a key whose message was removed gets another nonce. */
import type { Posted } from "../../../src/core/platform.ts";

/** Older ones are looked up at Discord. */
const most = 1_000;
/** Keys of messages take less, and are needed for as long as one is edited. */
const mostKeys = 10_000;

export interface RecentPosts {
  get(key: string): Posted | undefined;
  set(key: string, posted: Posted): void;
  /** A message of the key was found, that another process has posted. */
  found(key: string, posted: Posted): void;
  /** The key of a message that was posted or found here. */
  keyOf(posted: Posted): string | undefined;
  /** The message was removed: its key may be posted again. */
  removed(posted: Posted): void;
  /** How many messages of the key were removed. */
  removals(key: string): number;
}

export function createRecentPosts(): RecentPosts {
  const posts = new Map<string, { readonly posted: Posted | undefined; readonly removals: number }>();
  const keys = new Map<string, string>();
  const name = (key: string, { id }: Posted): void => {
    keys.delete(id);
    keys.set(id, key);
    const oldest = keys.size > mostKeys ? keys.keys().next().value : undefined;
    if (oldest !== undefined) keys.delete(oldest);
  };
  const put = (key: string, posted: Posted | undefined, removals: number): void => {
    posts.delete(key);
    posts.set(key, { posted, removals });
    const oldest = posts.size > most ? posts.keys().next().value : undefined;
    if (oldest !== undefined) posts.delete(oldest);
  };
  return {
    get: (key) => posts.get(key)?.posted,
    set(key, posted) {
      put(key, posted, posts.get(key)?.removals ?? 0);
      name(key, posted);
    },
    found: name,
    keyOf: ({ id }) => keys.get(id),
    removed({ id }) {
      for (const [key, { posted, removals }] of posts) if (posted?.id === id) return put(key, undefined, removals + 1);
    },
    removals: (key) => posts.get(key)?.removals ?? 0,
  };
}
