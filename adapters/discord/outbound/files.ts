/** Files as Discord takes them: ten a message, each and all of them of limited size; what is too large is named. */
import type { OutboundFile } from "../../../src/core/platform.ts";
import { fileBytes, filesPerMessage, requestBytes } from "./limits.ts";
import { oneLine } from "./literal.ts";

export interface FileMessage {
  readonly files: readonly OutboundFile[];
  /** Words about files that Discord does not take; empty where it takes all. */
  readonly content: string;
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** What no file's name can have on some system. */
// oxlint-disable-next-line no-control-regex
const unnameable = /[\u0000-\u001F\u007F/\\]/g;
const longestName = 200;

const named = (file: OutboundFile): OutboundFile => ({
  ...file,
  name: file.name.toWellFormed().replace(unnameable, "_").slice(-longestName) || "file",
});

/**
 * The messages that files become, the first of them always there.
 * @param largest the most bytes of one file
 */
export function fileMessages(files: readonly OutboundFile[], largest = fileBytes): readonly [FileMessage, ...FileMessage[]] {
  const most = largest;
  const tooLarge = files.filter(({ bytes }) => bytes.byteLength > most);
  const messages: OutboundFile[][] = [];
  let size = 0;
  for (const file of files.filter(({ bytes }) => bytes.byteLength <= most).map(named)) {
    const last = messages.at(-1);
    if (last === undefined || last.length === filesPerMessage || size + file.bytes.byteLength > requestBytes) {
      messages.push([file]);
      size = file.bytes.byteLength;
    } else {
      last.push(file);
      size += file.bytes.byteLength;
    }
  }
  const words = tooLarge
    .map(
      ({ name, bytes }) =>
        `${oneLine(name.slice(0, 100))} is too large for Discord: ${megabytes(bytes.byteLength)}, of at most ${megabytes(most)}.`,
    )
    .slice(0, 8)
    .join("\n");
  const [first = [], ...rest] = messages;
  return [{ files: first, content: words }, ...rest.map((some) => ({ files: some, content: "" }))];
}
