/** Files that people attach: read from Discord's own content hosts and from nowhere else, bounded in size and time. */
import type { Clock } from "../../../src/clock.ts";
import type { InboundFile } from "../../../src/core/inbound.ts";
import { Fault } from "../../../src/errors.ts";

/** https://docs.discord.com/developers/reference#image-formatting */
const contentHosts = ["https://cdn.discordapp.com", "https://media.discordapp.net"];

/** The largest file that is read, in bytes, whatever it is said to be: as the core takes them. */
const mostBytes = 100 * 1024 * 1024;
/** Until the first byte, and for all of it, in ms. */
const answerMs = 15_000;
const wholeMs = 10 * 60_000;

export interface FileOpeningOptions {
  /** Where a server of one's own stands in for Discord, its files come from there. */
  readonly apiUrl: string;
  readonly clock: Clock;
}

/** True for an address of Discord's content hosts: exactly these, by HTTPS, with neither name nor port in it. */
export function isContentAddress(address: string, apiUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, username, password } = new URL(address);
  if (username !== "" || password !== "") return false;
  const api = new URL(apiUrl);
  const own = api.hostname === "discord.com" ? [] : [api.origin];
  return [...contentHosts, ...own].includes(origin);
}

/** Opens the bytes of a file. Throws a Fault `file_*` that says why it cannot be read. */
export function createFileOpening({
  apiUrl,
  clock,
}: FileOpeningOptions): (file: InboundFile, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>> {
  return async (file, signal) => {
    if (!isContentAddress(file.id, apiUrl)) throw new Fault("file_address", "it is not on one of Discord's content hosts");
    const late = new AbortController();
    const until = AbortSignal.any([signal, late.signal]);
    const expire = (ms: number, what: string) => clock.after(ms, () => late.abort(new Fault("file_timeout", what)));
    const cancelAnswer = expire(answerMs, "Discord's content host does not answer");
    let response: Response;
    try {
      // A redirect could lead anywhere, so none is followed.
      response = await fetch(file.id, { signal: until, redirect: "manual" });
    } finally {
      cancelAnswer();
    }
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      const expired = response.status === 403 || response.status === 404;
      throw new Fault(
        "file_gone",
        expired ? "it is no longer there" : `Discord's content host answered with status ${response.status}`,
      );
    }
    return bounded(response.body, file.bytes ?? mostBytes, expire(wholeMs, "it took too long to be read"));
  };
}

/** The content, ended with a fault once it is longer than was said. */
async function* bounded(content: AsyncIterable<Uint8Array>, bytes: number, done: () => void): AsyncGenerator<Uint8Array> {
  let left = Math.min(bytes, mostBytes);
  try {
    for await (const chunk of content) {
      left -= chunk.byteLength;
      if (left < 0) throw new Fault("file_length", "it is longer than Discord said");
      yield chunk;
    }
  } finally {
    done();
  }
}
