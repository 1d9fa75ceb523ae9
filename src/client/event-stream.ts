/** Server-sent events as they come: the data of each, whatever its name. */

/** Yields the data of one event after the other; what is left when the bytes end is no whole event, and is dropped. */
export async function* eventData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true });
    // A carriage return at the very end may be half of a line's end.
    const usable = rest.endsWith("\r") ? rest.length - 1 : rest.length;
    const { whole, open } = eventsIn(rest.slice(0, usable));
    rest = open + rest.slice(usable);
    yield* whole;
  }
  yield* eventsIn(rest).whole;
}

/** The data of the events that a blank line ends, and the text of the one that is still open. */
function eventsIn(text: string): { readonly whole: string[]; readonly open: string } {
  const events = text.split(/(?:\r\n|\r|\n)(?:\r\n|\r|\n)/);
  const open = events.pop() ?? "";
  return { whole: events.map(dataOf).filter((data) => data !== undefined), open };
}

/** The `data` lines of one event, joined; undefined for a comment or an event without data. */
function dataOf(event: string): string | undefined {
  const lines = event.split(/\r\n|\r|\n/).filter((line) => line === "data" || line.startsWith("data:"));
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
}
