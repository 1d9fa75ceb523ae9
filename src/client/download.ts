/** The bytes behind a file record's path. Only the workspace's own origin is told the key. */
import { request } from "undici";
import { WorkspaceFault } from "../errors.ts";
import { startDeadline } from "./deadline.ts";
import { faultOf, faultText, malformed, transportFault } from "./faults.ts";
import type { CallOptions, Http } from "./http.ts";

// A storage may send on to a signed address, and that one to its region's.
const mostRedirects = 5;
// Enough for the text of an error.
const errorBytes = 64 * 1024;

const redirects = [301, 302, 303, 307, 308];

/** @param path absolute, or relative to the workspace's origin */
export async function download(http: Http, path: string, { signal }: CallOptions = {}): Promise<AsyncIterable<Uint8Array>> {
  signal?.throwIfAborted();
  const { silenceMs } = http.timeouts;
  const deadline = startDeadline(http.clock, silenceMs, signal);
  const explain = (thrown: unknown): unknown => {
    if (signal?.aborted === true) return signal.reason;
    if (deadline.passed)
      return new WorkspaceFault("lost", `${faultText("lost")} (silent for ${silenceMs} ms)`, { cause: thrown });
    return transportFault(thrown);
  };
  async function* read(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) {
        // The reader's own pace is not the workspace's silence.
        deadline.pause();
        yield chunk;
        deadline.extend();
      }
    } catch (thrown) {
      throw explain(thrown);
    } finally {
      deadline.clear();
    }
  }
  try {
    let url = addressOf(path, http.base);
    for (let hop = 0; hop <= mostRedirects; hop++) {
      const { statusCode, headers, body } = await request(url.href, {
        dispatcher: http.dispatcher,
        signal: deadline.signal,
        headers: url.origin === http.base.origin ? http.authorization : {},
      });
      if (statusCode >= 200 && statusCode < 300) return read(body);
      const header = (name: string): string | undefined => [headers[name]].flat()[0];
      const location = header("location");
      if (!redirects.includes(statusCode) || location === undefined) {
        throw faultOf(statusCode, await firstText(body), header, http.clock.now());
      }
      await body.dump();
      url = addressOf(location, url);
    }
    throw malformed(`expected at most ${mostRedirects} redirects`, 0);
  } catch (thrown) {
    deadline.clear();
    throw explain(thrown);
  }
}

function addressOf(path: string, base: URL): URL {
  const url = URL.parse(path, base.href);
  if (url === null || !["http:", "https:"].includes(url.protocol)) throw malformed("expected an http address of a file", 0);
  return url;
}

async function firstText(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > errorBytes) break;
  }
  return text;
}
