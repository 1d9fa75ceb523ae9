/** The one file that a command is about: what of its kind is meant, or what was expected. */
import type { InboundFile } from "../inbound.ts";
import { isOfKind, type FileKind } from "../media/kinds.ts";
import { refusal, type Refusal } from "../refusal.ts";
import type { CommandContext } from "./table.ts";

const expected: Readonly<Record<FileKind, string>> = {
  picture: "one such as PNG or JPEG",
  recording: "an audio or video file",
};

/** Undefined where nothing is attached, or nothing of the kind is in the message that the command was chosen on. */
export function attachedFile(
  { command: { files, chosen } }: Pick<CommandContext, "command">,
  kind: FileKind,
): InboundFile | undefined | { readonly refusal: Refusal } {
  const [other] = files;
  const [found, second] = files.filter((file) => isOfKind(file, kind));
  // Nobody can point at one file of a message: it is the first.
  if (chosen === true) return found;
  if (second !== undefined) return refusal("bad_option", `There is more than one ${kind}: expected the one that is meant.`);
  if (found === undefined && other !== undefined)
    return refusal("bad_option", `“${other.name}” is no ${kind}: expected ${expected[kind]}.`);
  return found;
}

/** The newest of the kind that somebody has posted here. */
export const newestFile = async (
  { recentFiles }: Pick<CommandContext, "recentFiles">,
  kind: FileKind,
): Promise<InboundFile | undefined> => (await recentFiles()).find((file) => isOfKind(file, kind));
