/** A stream of snapshots in which a newer one replaces what its reader has not taken yet: a slow reader holds nothing up. */

export interface Latest<T> {
  /** Replaces the snapshot of the same key that waits to be read. */
  put(key: number, value: T): void;
  /** Nothing more comes. What waits is still read, unless it is to be forgotten. */
  end(forget: boolean): void;
  readonly values: AsyncIterable<T>;
}

/** @param onReturn called when the reader leaves; @param most keys that may wait at once: beyond that the oldest is dropped */
export function latest<T>(onReturn: () => void, most: number): Latest<T> {
  const waiting = new Map<number, T>();
  let readers: Array<(result: IteratorResult<T, undefined>) => void> = [];
  let ended = false;
  const take = (): T | undefined => {
    for (const [key, value] of waiting) {
      waiting.delete(key);
      return value;
    }
    return undefined;
  };
  const end = (forget: boolean): void => {
    ended = true;
    if (forget) waiting.clear();
    for (const reader of readers) reader({ done: true, value: undefined });
    readers = [];
  };
  return {
    put(key, value) {
      if (ended) return;
      const reader = readers.shift();
      if (reader !== undefined) return reader({ done: false, value });
      waiting.set(key, value);
      if (waiting.size > most) take();
    },
    end,
    values: {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          const value = take();
          if (value !== undefined) return Promise.resolve({ done: false, value });
          if (ended) return Promise.resolve({ done: true, value: undefined });
          return new Promise((resolve) => readers.push(resolve));
        },
        return: () => {
          end(true);
          onReturn();
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    },
  };
}
