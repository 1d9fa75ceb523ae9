/** A source of bytes that is being sent: what it threw itself is told from what sending it threw. */

interface Watched {
  readonly content: AsyncIterable<Uint8Array>;
  /** What the source itself threw: that is no fault of the workspace. */
  readonly failure: { readonly reason: unknown } | undefined;
}

/** @param moved called with each piece that was read */
export function watch(source: AsyncIterable<Uint8Array>, moved: () => void): Watched {
  let failure: Watched["failure"];
  async function* content(): AsyncGenerator<Uint8Array> {
    const chunks = source[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await chunks.next().catch((reason: unknown) => {
          failure = { reason };
          throw reason;
        });
        if (next.done === true) return;
        moved();
        yield next.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
  return {
    content: content(),
    get failure() {
      return failure;
    },
  };
}
