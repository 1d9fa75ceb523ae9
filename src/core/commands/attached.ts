/** The one file that comes with a command: what of its kind is meant, or what was expected. */
import { extensionOf, fileTypeOf, withLowerCaseExtension } from "../../contract/file-types.ts";
import type { InboundCommand, InboundFile } from "../inbound.ts";
import type { Source } from "../media/order.ts";
import { refusal, type Refusal } from "../refusal.ts";
import type { CommandContext } from "./table.ts";

type Attached = Pick<InboundCommand, "files">;
type Found = InboundFile | undefined | { readonly refusal: Refusal };

const recordings = /^(aac|flac|m4a|mkv|mov|mp3|mp4|mpe?g|oga|ogg|opus|wav|weba|webm|wma)$/;

/** By what the platform says of it; by its name where it says nothing. */
const isPicture = ({ mediaType, name }: InboundFile): boolean =>
  mediaType.startsWith("image/") ||
  (mediaType === "application/octet-stream" && fileTypeOf(withLowerCaseExtension(name)) === "image");
const isRecording = ({ mediaType, name }: InboundFile): boolean =>
  /^(audio|video)\//.test(mediaType) ||
  (mediaType === "application/octet-stream" && recordings.test(extensionOf(name).toLowerCase()));

interface Wanted {
  readonly what: string;
  readonly expected: string;
  readonly isIt: (file: InboundFile) => boolean;
}
const picture: Wanted = { what: "picture", expected: "one such as PNG or JPEG", isIt: isPicture };
const recording: Wanted = { what: "recording", expected: "an audio or video file", isIt: isRecording };

function theOne(files: readonly InboundFile[], { what, expected, isIt }: Wanted): Found {
  const [other] = files;
  const [found, second] = files.filter(isIt);
  if (second !== undefined) return refusal("bad_option", `There is more than one ${what}: expected the one that is meant.`);
  if (found === undefined && other !== undefined)
    return refusal("bad_option", `“${other.name}” is no ${what}: expected ${expected}.`);
  return found;
}

/** Undefined where nothing is attached. */
export function attachedPicture({
  command,
}: Pick<CommandContext, "command">): Source | undefined | { readonly refusal: Refusal } {
  const found = theOne(command.files, picture);
  return found === undefined || "refusal" in found ? found : { upload: found };
}

/** Undefined where nothing is attached. */
export const attachedRecording = ({ files }: Attached): Found => theOne(files, recording);
