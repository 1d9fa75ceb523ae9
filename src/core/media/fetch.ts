/** Files of the workspace on their way to a chat: read whole, few at a time, or named where they cannot be had. */
import { sleep, type Clock } from "../../clock.ts";
import { WorkspaceFault } from "../../errors.ts";
import { createGate } from "../gate.ts";
import type { OutboundFile } from "../platform.ts";
import { literalMarkdown } from "../words.ts";
import type { Workspace } from "../workspace.ts";
import { passing, uncertain } from "../workspace-faults.ts";

/** What is known of a file of the workspace. */
export interface FileRecord {
  readonly name: string;
  /** Where its bytes are; empty where the workspace did not say. */
  readonly path: string;
}

export interface Fetched {
  readonly list: readonly OutboundFile[];
  /** Markdown: links to what is too large for the platform; empty where there are none. */
  readonly links: string;
  /** Plain lines about files that could not be had. */
  readonly notices: readonly string[];
  /** To be called once the bytes are no longer needed: makes room for others. */
  readonly release: () => void;
}

export interface FetchOptions {
  readonly workspace: Pick<Workspace, "files">;
  readonly files: readonly FileRecord[];
  /** The most that the platform takes of one file. */
  readonly fileBytes: number;
  readonly signal: AbortSignal;
  /** Told of a download that failed. */
  readonly onTrouble: (thrown: unknown) => void;
}

/** Never throws for a file that cannot be had; throws the signal's reason when it is aborted. */
export type FetchFiles = (options: FetchOptions) => Promise<Fetched>;

/** Replies whose files are in memory at once; others wait. */
const repliesAtOnce = 4;
/** Files of one reply. */
const mostFiles = 10;
/** Bytes of one reply's files together, where the platform's limit for one file is not larger: 50 MiB. */
const bytesTogether = 50 * 1024 * 1024;
/** Between two tries of a download that may succeed later, in ms; then it is given up. */
const tryAgainAfter = [1_000, 4_000];

const mediaTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  mp4: "video/mp4",
  webm: "video/webm",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  ogg: "audio/ogg",
  m4a: "audio/mp4",
  flac: "audio/flac",
  pdf: "application/pdf",
  csv: "text/csv",
  txt: "text/plain",
  md: "text/markdown",
  vtt: "text/vtt",
  json: "application/json",
};

/** A file's media type by its name's extension. */
const mediaTypeOf = (name: string): string =>
  mediaTypes[(name.split(".").at(-1) ?? "").toLowerCase()] ?? "application/octet-stream";

/** Bytes as people say it: `10 MB`. */
const megabytes = (bytes: number): string => `${Math.floor(bytes / 1024 / 1024)} MB`;

/** Reading again costs nothing: also what the workspace only could not do just now is tried again. */
const mayPass = (thrown: unknown): boolean =>
  passing(thrown) || uncertain(thrown) || (thrown instanceof WorkspaceFault && thrown.kind === "unavailable");

/** The bytes; null when they are more than `limit`, of which no more are read. */
async function readUpTo(content: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function createFetch(clock: Clock): FetchFiles {
  const gate = createGate(repliesAtOnce, clock);
  const never = new AbortController().signal;

  const download = async (
    { workspace, signal, onTrouble }: FetchOptions,
    path: string,
    limit: number,
  ): Promise<Uint8Array | null> => {
    for (let tries = 0; ; tries++) {
      try {
        return await readUpTo(await workspace.files.download(path, { signal }), limit);
      } catch (thrown) {
        signal.throwIfAborted();
        onTrouble(thrown);
        const wait = tryAgainAfter[tries];
        if (wait === undefined || !mayPass(thrown)) throw thrown;
        await sleep(clock, wait, signal);
      }
    }
  };

  const tooLarge = async (
    { workspace, signal, fileBytes }: FetchOptions,
    { name, path }: FileRecord,
  ): Promise<{ link: string } | { notice: string }> =>
    /^https?:\/\//i.test(path) && (await workspace.files.isPublic(path, { signal }))
      ? { link: `[${literalMarkdown(name)}](<${new URL(path).href}>) is too large to be attached here.` }
      : { notice: `“${name}” is too large to be attached here: the most is ${megabytes(fileBytes)}. It is in the workspace.` };

  return async (options) => {
    const { files, fileBytes, signal } = options;
    const leave = await gate.enter(signal, never, () => {});
    const list: OutboundFile[] = [];
    const links: string[] = [];
    const notices: string[] = [];
    try {
      let left = Math.max(fileBytes, bytesTogether);
      for (const file of files.slice(0, mostFiles)) {
        const { name, path } = file;
        try {
          const bytes = path === "" ? undefined : await download(options, path, Math.min(fileBytes, left));
          if (bytes === undefined) notices.push(`“${name}” could not be had: the workspace does not say where it is.`);
          else if (bytes === null) {
            const said = await tooLarge(options, file);
            if ("link" in said) links.push(said.link);
            else notices.push(said.notice);
          } else {
            left -= bytes.byteLength;
            list.push({ name, mediaType: mediaTypeOf(name), bytes });
          }
        } catch (thrown) {
          signal.throwIfAborted();
          if (!(thrown instanceof WorkspaceFault)) throw thrown;
          notices.push(`“${name}” could not be fetched from the workspace. It is still there.`);
        }
      }
      const over = files.length - mostFiles;
      if (over > 0)
        notices.push(
          `${over} more ${over === 1 ? "file is" : "files are"} in the workspace: at most ${mostFiles} are attached here.`,
        );
      return { list, links: links.join("\n\n"), notices, release: leave };
    } catch (thrown) {
      leave();
      throw thrown;
    }
  };
}
