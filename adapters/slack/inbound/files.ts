/** Files that come in: only from Slack's own hosts, redirects followed by hand, nothing held whole. */
import type { InboundFile } from "../../../src/core/inbound.ts";
import { Fault, reasonOf, WriteFault } from "../../../src/errors.ts";
import { isPayload, objectsIn, textIn, type Payload } from "../payload.ts";
import type { SlackWeb } from "../outbound/web.ts";

/** As a message's event states them; deleted and hidden ones have no bytes to read. */
export const inboundFiles = (message: Payload): readonly InboundFile[] =>
  objectsIn(message, "files")
    .filter((file) => textIn(file, "id") !== "" && file["mode"] !== "tombstone")
    .map((file) => ({
      id: textIn(file, "id"),
      name: textIn(file, "name") || textIn(file, "title") || "file",
      mediaType: textIn(file, "mimetype") || "application/octet-stream",
      bytes: typeof file["size"] === "number" ? file["size"] : null,
    }));

/** Where Slack keeps files. The token is sent to these and to nobody else. */
const hosts: ReadonlySet<string> = new Set(["https://files.slack.com", "https://files-origin.slack.com"]);
const redirectsFollowed = 3;
/** Most bytes of one file, and how long reading it may take, in ms. */
const mostBytes = 100 * 1024 * 1024;
const readMs = 5 * 60_000;

export interface FileReaderOptions {
  readonly web: SlackWeb;
  readonly token: string;
  /** An origin beside Slack's own, where `SLACK_API_URL` names another server than Slack. */
  readonly extraOrigin: string | undefined;
}

const skipped = (why: string): Fault => new Fault("file_skipped", why);

/**
 * Opens a file by its id. Throws a Fault `file_skipped` with the reason in the asker's words, when it is not to be had.
 * The bytes fail while they are read when there are more than 100 MiB.
 */
export function createFileReader({ web, token, extraOrigin }: FileReaderOptions) {
  const ours = (url: URL): boolean =>
    url.username === "" &&
    url.password === "" &&
    (hosts.has(url.origin) || (extraOrigin !== undefined && url.origin === extraOrigin));

  const fetchFrom = async (address: string, signal: AbortSignal): Promise<Response> => {
    let next = address;
    for (let hop = 0; hop <= redirectsFollowed; hop++) {
      if (!URL.canParse(next) || !ours(new URL(next))) throw skipped("it is not kept by Slack itself");
      const response = await fetch(next, { headers: { authorization: `Bearer ${token}` }, redirect: "manual", signal });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      await response.body?.cancel();
      next = new URL(location, next).href;
    }
    throw skipped("Slack sends it from one place to the next");
  };

  return async (file: InboundFile, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> => {
    const info = await about(web, file.id, signal);
    if (info["is_external"] === true || info["mode"] === "external") throw skipped("it is kept outside of Slack");
    if (Number(info["size"]) > mostBytes) throw skipped("it is larger than 100 MiB");
    const url = textIn(info, "url_private_download") || textIn(info, "url_private");
    const response = await fetchFrom(url, AbortSignal.any([signal, AbortSignal.timeout(readMs)]));
    const type = response.headers.get("content-type") ?? "";
    if (response.ok && type.startsWith("text/html") && !file.mediaType.startsWith("text/html")) {
      await response.body?.cancel();
      throw skipped("Slack does not let Parley read files; the app needs the scope files:read");
    }
    if (!response.ok || response.body === null) {
      await response.body?.cancel();
      throw skipped(response.status === 404 ? "it was deleted" : `Slack answers with status ${response.status}`);
    }
    return bounded(response.body);
  };
}

async function about(web: SlackWeb, id: string, signal: AbortSignal): Promise<Payload> {
  try {
    const { file } = await web.call("files.info", { file: id }, signal);
    return isPayload(file) ? file : {};
  } catch (thrown) {
    if (thrown instanceof WriteFault && /: (file_not_found|file_deleted|missing_scope|access_denied)$/.test(thrown.message))
      throw skipped(thrown.message.endsWith("missing_scope") ? "the app needs the scope files:read" : "it was deleted");
    throw new Fault("file_unread", `a file could not be asked for: ${reasonOf(thrown)}`, { cause: thrown });
  }
}

async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw skipped("it is larger than 100 MiB");
    yield chunk;
  }
}
