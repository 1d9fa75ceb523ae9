/** Work that is done by one at a time, by its name. */

/**
 * Does `work` once nobody else does any of that name, in no other process either. Rejects when `signal` ends before that.
 * `held` ends when another process may have begun: leave everything as it is.
 */
export type Alone = <Result>(name: string, signal: AbortSignal, work: (held: AbortSignal) => Promise<Result>) => Promise<Result>;

/** Among the work of this process. */
export function createAloneHere(): Alone {
  const newest = new Map<string, Promise<unknown>>();
  return async (name, signal, work) => {
    const begin = (): ReturnType<typeof work> => {
      signal.throwIfAborted();
      return work(signal);
    };
    const mine = (newest.get(name) ?? Promise.resolve()).then(begin, begin);
    newest.set(name, mine);
    try {
      return await mine;
    } finally {
      if (newest.get(name) === mine) newest.delete(name);
    }
  };
}
