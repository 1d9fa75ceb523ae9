/** Whether anybody may read an address: asked as anybody would ask, without the key. */
import { request } from "undici";
import { startDeadline } from "./deadline.ts";
import type { CallOptions, Http } from "./http.ts";

const mostRedirects = 5;
const redirects = [301, 302, 303, 307, 308];

/** How long one address may take to answer, in ms. */
const answerMs = 10_000;

/** What this machine answers itself is there for nobody else. */
const isOwnMachine = ({ hostname }: URL): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  /^127\.[\d.]+$/.test(hostname) ||
  ["0.0.0.0", "[::]", "[::1]"].includes(hostname);

/** The last answer's status behind all redirects; undefined where an address is none that anybody could follow. */
async function statusOf(http: Http, first: URL, method: "HEAD" | "GET", signal: AbortSignal): Promise<number | undefined> {
  let url = first;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    if (!["http:", "https:"].includes(url.protocol) || isOwnMachine(url)) return undefined;
    const answer = await request(url.href, {
      method,
      dispatcher: http.dispatcher,
      signal,
      headers: method === "GET" ? { range: "bytes=0-0" } : {},
    });
    // A server that knows no ranges would send the whole file.
    answer.body.on("error", () => undefined).destroy();
    const location = [answer.headers["location"]].flat()[0];
    if (!redirects.includes(answer.statusCode) || location === undefined) return answer.statusCode;
    const next = URL.parse(location, url.href);
    if (next === null) return undefined;
    url = next;
  }
  return undefined;
}

/**
 * True when an anonymous read of `path` has just succeeded. Whatever stands in the way (no answer in time, a login,
 * an address of this machine) is a no: only what is proved may be given away as a link.
 * @param path absolute, or relative to the workspace's origin
 */
export async function isPublic(http: Http, path: string, { signal }: CallOptions = {}): Promise<boolean> {
  signal?.throwIfAborted();
  const url = URL.parse(path, http.base.href);
  if (url === null) return false;
  const deadline = startDeadline(http.clock, answerMs, signal);
  try {
    const status = await statusOf(http, url, "HEAD", deadline.signal);
    // A signed address is often signed for one method only.
    const readable = status === 200 ? status : status === undefined ? status : await statusOf(http, url, "GET", deadline.signal);
    return readable === 200 || readable === 206;
  } catch {
    signal?.throwIfAborted();
    return false;
  } finally {
    deadline.clear();
  }
}
