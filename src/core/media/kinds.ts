/** What a file of the chat is, as far as Parley has something to do with it. */
import { extensionOf, fileTypeOf, withLowerCaseExtension } from "../../contract/file-types.ts";
import type { InboundFile } from "../inbound.ts";

export const fileKinds = ["picture", "recording"] as const;
export type FileKind = (typeof fileKinds)[number];

type Typed = Pick<InboundFile, "name" | "mediaType">;

const recordings = /^(aac|flac|m4a|mka|mkv|mov|mp3|mp4|mpe?g|oga|ogg|opus|wav|weba|webm|wma)$/;
const says: Readonly<Record<FileKind, RegExp>> = { picture: /^image\//, recording: /^(audio|video)\// };
const named: Readonly<Record<FileKind, (name: string) => boolean>> = {
  picture: (name) => fileTypeOf(withLowerCaseExtension(name)) === "image",
  recording: (name) => recordings.test(extensionOf(name).toLowerCase()),
};

/** By what the platform says of it; by its name where it says nothing. Films are recordings, too. */
export const isOfKind = ({ name, mediaType }: Typed, kind: FileKind): boolean =>
  says[kind].test(mediaType) || (mediaType === "application/octet-stream" && named[kind](name));
