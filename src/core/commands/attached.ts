/** The files that a command is about. */
import type { InboundFile } from "../inbound.ts";
import { isOfKind, type FileKind } from "../media/kinds.ts";
import type { CommandContext } from "./table.ts";

/** The first file of the kind that came with the command, or stands in the message that it was chosen on. */
export const attachedFile = ({ command }: Pick<CommandContext, "command">, kind: FileKind): InboundFile | undefined =>
  command.files.find((file) => isOfKind(file, kind));

/** The newest of the kind that somebody has posted here. */
export const newestFile = async (
  { recentFiles }: Pick<CommandContext, "recentFiles">,
  kind: FileKind,
): Promise<InboundFile | undefined> => (await recentFiles()).find((file) => isOfKind(file, kind));
