/** Gives an answer the pictures and files that the model made in it. */
import type { Message } from "../../contract/records.ts";
import type { InboundMessage } from "../inbound.ts";
import { madeFiles } from "../media/made-files.ts";
import type { ReplyState } from "../relay/reply.ts";
import type { Conversing } from "./conversing.ts";
import { givenFiles } from "./progress.ts";
import type { TurnRun } from "./run.ts";

export interface WithFiles {
  readonly state: ReplyState;
  /** To be called once the reply is shown: its files are in memory until then. */
  readonly release: () => void;
}

/**
 * The answer with its files. One that cannot be had is named in a line: it never costs the answer.
 * @param whole the answer without them
 * @param onFetch called before the first byte is asked for
 */
export async function withMadeFiles(
  run: TurnRun,
  { place, direct }: InboundMessage,
  answer: Pick<Message, "attachments" | "parts">,
  whole: ReplyState,
  { workspace, fetch }: Conversing,
  signal: AbortSignal,
  onFetch: () => void,
): Promise<WithFiles> {
  const files = madeFiles(answer, givenFiles(run.progress()));
  // An earlier owner of the turn has attached them already.
  if (files.length === 0 || run.progress().delivery.attached !== null) return { state: whole, release: () => {} };
  onFetch();
  const { list, links, notices, release } = await fetch({
    workspace,
    files,
    fileBytes: run.platform.limits.fileBytes,
    signal,
    onTrouble: (thrown) => run.log.warn({ err: thrown, turn: run.turn.key }, "a file of an answer could not be fetched"),
  });
  const state: ReplyState = {
    ...whole,
    text: links === "" ? whole.text : `${whole.text}\n\n${links}`,
    notice: [whole.notice, ...notices].filter((line) => line !== null).join("\n") || null,
    ...(list.length === 0 ? {} : { files: { list, inThread: place.thread === null && direct !== true } }),
  };
  return { state, release };
}
