/**
 * An answer made with somebody's own key where others read along. What it draws on is known when it is whole, so nothing of it is
 * shown before; then it is posted, or, where it draws on what only its account may see, shown to that account's person alone.
 */
import type { Message, MessagePart, PartType } from "../../contract/records.ts";
import { WriteFault } from "../../errors.ts";
import { failedDocument, type Document } from "../document.ts";
import type { InboundMessage } from "../inbound.ts";
import { madeFiles } from "../media/made-files.ts";
import type { ReplyState } from "../relay/reply.ts";
import type { SettingsBook } from "../settings.ts";
import { accountIdOf, type Threads } from "../threads.ts";
import { literalMarkdown } from "../words.ts";
import { privately } from "./privately.ts";
import { givenFiles } from "./progress.ts";
import type { TurnRun } from "./run.ts";
import { revealAction, shareKeptMs, type Shares } from "./share.ts";
import { emptyReply, failedReply, workingReply } from "./show.ts";
import type { Showing } from "./showing.ts";

/** Parts that tell nothing but what was said in the conversation. */
const spoken: ReadonlySet<PartType> = new Set<PartType>(["text", "thinking", "image_generation"]);

/** A part of a kind that nobody knows yet is read as text, and keeps what it holds under its own name. */
const isSpoken = (part: MessagePart): boolean =>
  Object.keys(part).every((name) => !name.endsWith("_part") || spoken.has(name.replace(/_part$/, "") as PartType)) &&
  spoken.has(part.type);

/**
 * True when the answer used what an account may see and others need not: sources, searches, tools, an agent of its own.
 * @param given files that came with the question, from the place itself
 */
function drawsOnAccount(answer: Message, given: ReadonlySet<number>): boolean {
  const drew = !answer.parts.every(isSpoken) || answer.mcp_approval_requests.length > 0;
  const made = answer.parts.some(({ type }) => type === "image_generation");
  const names = madeFiles(answer, given).length > 0 && !made;
  const cites = answer.citations.some(({ info }) => info.file_id === undefined || !given.has(info.file_id));
  return drew || names || cites || answer.knowledge_base_ids.length > 0 || answer.agent_id !== null;
}

export interface Withholding {
  /** The turn that the answer belongs to. */
  readonly key: string;
  /** The account that answers, and whose it is; null where nobody is known to have it any more. */
  readonly account: string;
  readonly owner: string | null;
  readonly shares: Shares;
  readonly threads: Threads;
  readonly settings: SettingsBook;
}

export function withholding(run: TurnRun, message: InboundMessage, options: Withholding): Showing {
  const { key, account, owner, shares, threads, settings } = options;
  const { place, author } = message;
  const mine = owner === author.id;
  const name = literalMarkdown(author.name);
  const status = mine
    ? `Answering ${author.name} with their own account…`
    : `Answering ${author.name} with the account that began this thread…`;

  const tell = async (document: Document): Promise<boolean> => {
    try {
      await run.whisper(message, document);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof WriteFault)) throw thrown;
      run.log.info({ turn: run.turn.key, reason: thrown.message }, "the asker could not be told in private");
      return false;
    }
  };
  /** From now on its answers may say again what it has seen. */
  const draw = async (): Promise<void> => {
    const thread = await threads.get(place);
    if (thread !== undefined && accountIdOf(thread) === account && thread.drawn !== true)
      await threads.set(place, { ...thread, drawn: true });
  };
  const given = (): ReadonlySet<number> => givenFiles(run.progress());
  const isPrivate = async (answer: Message | undefined): Promise<boolean> => {
    if (answer === undefined || drawsOnAccount(answer, given())) return true;
    const thread = await threads.get(place);
    if (thread?.drawn === true && accountIdOf(thread) === account) return true;
    const { agent, project } = await settings.effective(place);
    return agent !== undefined || project !== undefined;
  };
  const wordsOf = (answer: Message | undefined, { text: said, notice }: ReplyState): string => {
    const files = answer === undefined ? [] : madeFiles(answer, given());
    const text = notice === null ? said : `${said}\n\n${literalMarkdown(notice)}`;
    if (files.length === 0) return text;
    const names = files.map((file) => literalMarkdown(file.name)).join(", ");
    return `${text}\n\nMade along with it, and kept in your workspace: ${names}`;
  };

  return {
    forming: ({ actions }) => run.relay().show(workingReply(status, actions)),
    async failed(_text, why, actions) {
      await draw();
      const told = mine && (await tell(failedDocument(why)));
      const notice = told ? `The answer failed. ${author.name} was told why.` : "The answer failed.";
      run.relay().show(failedReply("", notice, actions));
    },
    async stopped() {
      await draw();
      return "";
    },
    async withholds(answer, reply) {
      if (!(await isPrivate(answer))) return false;
      await draw();
      const { footnotes, footer } = reply;
      const words = wordsOf(answer, reply);
      if (owner !== null && (await shares.get(key)) === undefined)
        await shares.set(key, { person: owner, place, words, footnotes, footer }, shareKeptMs);
      // Nobody can look for it later: once it may have been shown, the button is what is left.
      if (mine && run.progress().aside === undefined) {
        await run.save({ aside: "begun" });
        for (const document of privately(run.platform.limits, { words, footnotes, footer }, key))
          if (!(await tell(document))) break;
      }
      const whose = mine
        ? `This answer draws on **${name}**’s own account, so only they are shown it.`
        : "This answer draws on the account that began this conversation, so only its owner is shown it.";
      const button = owner === null ? "" : " For a day the button shows it to them, to share it here or not.";
      const actions = owner === null ? [] : [revealAction(key)];
      run.relay().show({ ...emptyReply, state: "done", text: whose + button, actions });
      return true;
    },
  };
}
