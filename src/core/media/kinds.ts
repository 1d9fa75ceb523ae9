/** What a file of the chat is, as far as Parley has something to do with it. */
import type { InboundFile } from "../inbound.ts";

export const fileKinds = ["picture", "recording"] as const;
export type FileKind = (typeof fileKinds)[number];

/** Where a platform does not know a file's type, its name may. */
const recordingNames = /\.(?:aac|flac|m4a|mka|mkv|mov|mp3|mp4|oga|ogg|opus|wav|weba|webm|wma)$/i;
const unknownTypes: ReadonlySet<string> = new Set(["", "application/octet-stream", "binary/octet-stream"]);

type Typed = Pick<InboundFile, "name" | "mediaType">;

const tests: Readonly<Record<FileKind, (file: Typed) => boolean>> = {
  picture: ({ mediaType }) => mediaType.startsWith("image/"),
  /** Films have something to be heard in them, too. */
  recording: ({ name, mediaType }) =>
    /^(?:audio|video)\//.test(mediaType) || (unknownTypes.has(mediaType) && recordingNames.test(name)),
};

export const isOfKind = (file: Typed, kind: FileKind): boolean => tests[kind](file);
