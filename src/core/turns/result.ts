/** Shows what a command, or a form that was sent, came to. */
import { Fault, WorkspaceFault } from "../../errors.ts";
import type { Clock } from "../../clock.ts";
import type { Account } from "../accounts.ts";
import type { CommandButton } from "../command-buttons.ts";
import type { Command, CommandContexts, CommandResult } from "../commands/table.ts";
import { emptyDocument, type Action } from "../document.ts";
import type { FormDraft } from "../forms.ts";
import type { MediaOrder } from "../media/order.ts";
import type { Inbound, InboundCommand, InboundMessage } from "../inbound.ts";
import type { PromptOrder } from "../prompts/order.ts";
import { createRenderer } from "../render/renderer.ts";
import type { Deed } from "../permissions.ts";
import { refusal, type Refusal } from "../refusal.ts";
import { literalMarkdown, quotedMarkdown } from "../words.ts";
import type { Choice } from "./account.ts";
import { refuse } from "./notices.ts";
import { answerProposal, givesUnasked } from "./propose.ts";
import type { TurnRun } from "./run.ts";
import { done, settled, type Ending } from "./settle.ts";
import { emptyReply, failedReply, formAction, withOnBehalf, workingReply } from "./show.ts";

export interface Commanding {
  readonly clock: Clock;
  readonly commands: readonly Command[];
  readonly context: CommandContexts;
  /** As whom the turn's deed is done, or why not; kept with the turn. */
  readonly accountFor: (deed: Deed) => Promise<Choice>;
  /** As whom a command would be done, within a turn that is about more than that. */
  readonly choose: (command: InboundCommand, deed: Deed) => Promise<Choice>;
  readonly shared: Account;
  /** Counts the turn against what is allowed, once; why not, where there is nothing left. */
  readonly limit: () => Promise<{ readonly refusal: Refusal } | null>;
  /** Tells the asker alone why not; what waits for a link goes on once there is one. */
  readonly deny: (refusal: Refusal) => Promise<Ending>;
  /** The workspace does not accept the account's key: ends the turn, where the key is a person's own. */
  readonly keyRefused: () => Promise<Ending | null>;
  /** Why it was not done. @param alone the asker alone reads it */
  readonly explain: (thrown: unknown, alone: boolean) => Promise<string>;
  /** Puts a message into its lane; one that is there already stays the only one. */
  readonly enqueue: (inbound: Inbound) => Promise<unknown>;
  /** Asks a running turn to end. */
  readonly stop: (key: string) => Promise<void>;
  /** Makes what was ordered, for everybody in the place. */
  readonly make: (order: MediaOrder) => Promise<Ending>;
  /** Forgets the asker. */
  readonly forget: (what: "asker" | "all") => Promise<Ending>;
  /** Begins what was said yes to with this button. False: it was begun before. */
  readonly begin: (button: string) => Promise<boolean>;
  /** Keeps what its asker alone is shown, so that they may share it; nothing where nobody else is. @returns the button for it */
  readonly keep: (asked: Origin, markdown: string) => Promise<readonly Action[]>;
  /** Makes a form that the asker may open. @returns its id */
  readonly offer: (draft: FormDraft, asked: Origin) => Promise<string>;
  /** Makes buttons that run a command for the asker. */
  readonly buttons: (buttons: readonly CommandButton[], asked: Origin) => Promise<readonly Action[]>;
  /** Makes buttons that say yes to what a command proposes. */
  readonly asks: (buttons: readonly CommandButton[], asked: Origin) => Promise<readonly Action[]>;
}

/** Who asked, where and with what: a command, or a form that was sent. */
export type Origin = Pick<InboundCommand, "key" | "place" | "author" | "at" | "direct" | "readers" | "files" | "joins">;

const restarted = "Parley was restarted while this was running, and does not spend your credits twice by itself. Ask again.";

async function tell(run: TurnRun, asked: Origin, markdown: string, actions: readonly Action[] = []): Promise<Ending> {
  const { pages } = createRenderer(run.platform.limits).render(markdown, true);
  for (const [index, blocks] of pages.entries()) {
    const document = { ...emptyDocument, blocks, actions: index === pages.length - 1 ? actions : [] };
    await run.whisper(asked, document);
  }
  return done;
}

export interface Work {
  /** As which a proposal of it is said yes to; of a form, the command that it would be. Its name is for logs, too. */
  readonly command: InboundCommand;
  readonly deed: Deed | null;
  /** Its answer is for everybody, and something is shown while it works. */
  readonly slow?: true | undefined;
  /** What the quiet last line says of the account. */
  readonly onBehalf: string | null;
}

const notAsked = "That was not done: it changes something, and this command did not ask you first. Tell whoever runs Parley.";

/** What came of it once its asker was asked where they have to be; null: they are asked just now. */
async function agreedOn(
  run: TurnRun,
  asked: Origin,
  { command, deed }: Work,
  result: CommandResult,
  commanding: Commanding,
): Promise<CommandResult | null> {
  if ("propose" in result) {
    const answered = await answerProposal(result.propose, command, commanding);
    if ("done" in answered) return answered.done;
    const { tell: words, command: name, choices } = answered.asks;
    const buttons = choices.map(({ label, options }) => ({ label, name, options }));
    await tell(run, asked, words, await commanding.asks(buttons, asked));
    return null;
  }
  if (givesUnasked(deed, result)) return result;
  run.log.error({ turn: run.turn.key, command: command.name }, "a command gave something to be done that it did not propose");
  return refusal("workspace", notAsked);
}

/** What these show is in the asker's own account, by the table of permissions. */
const showsOwn = (deed: Deed | null): boolean => deed === "list" || deed === "tool" || deed === "write";

/** Runs `work`, and shows what it gives. */
export async function answerWith(
  run: TurnRun,
  asked: Origin,
  what: Work,
  work: (signal: AbortSignal) => Promise<CommandResult>,
  commanding: Commanding,
): Promise<Ending> {
  const { lease } = run;
  if (what.slow === true) {
    if (run.progress().intent !== undefined) return finishSlow(run, commanding.clock, refusal("workspace", restarted), null);
    await run.save({ intent: { at: 0, conversationId: null, after: 0, digest: "" } });
    run.relay().show(workingReply("Thinking…", []));
  }

  let result: CommandResult;
  try {
    const given = await agreedOn(run, asked, what, await work(AbortSignal.any([lease.over, lease.stop])), commanding);
    if (given === null) return done;
    result = given;
  } catch (thrown) {
    lease.over.throwIfAborted();
    if (thrown instanceof Fault && thrown.code === "not_asked") {
      run.log.error({ err: thrown, turn: run.turn.key, command: what.command.name }, "a command did not ask first");
      return refuse(run, asked, notAsked);
    }
    if (!(thrown instanceof WorkspaceFault)) throw thrown;
    const ending = thrown.kind === "unauthorized" ? await commanding.keyRefused() : null;
    if (ending !== null) return ending;
    run.log.warn({ err: thrown, turn: run.turn.key, command: what.command.name }, "a command failed at the workspace");
    result = refusal("workspace", await commanding.explain(thrown, what.slow !== true));
  }
  return what.slow === true
    ? finishSlow(run, commanding.clock, result, what.onBehalf)
    : finish(run, asked, result, showsOwn(what.deed), commanding);
}

async function finish(run: TurnRun, asked: Origin, result: CommandResult, own: boolean, commanding: Commanding): Promise<Ending> {
  if ("refusal" in result) return refuse(run, asked, result.refusal.text, result.actions);
  if ("make" in result) return commanding.make(result.make);
  if ("ask" in result) {
    const { ask, recordings = [] } = result;
    const about = recordings.map(({ name }) => ` about “${literalMarkdown(name)}”`).join(" and");
    const files = recordings.length === 0 ? {} : { files: recordings, transcribe: true as const };
    await begin(run, asked, `asks${about}:\n\n${quotedMarkdown(ask)}`, { runs: [{ typed: ask }], ...files }, commanding);
  } else if ("prompt" in result) {
    const { prompt } = result;
    await begin(run, asked, `runs ${shownPrompt(prompt)}`, { runs: [{ typed: prompt.name }], prompt }, commanding);
  } else if ("stop" in result) {
    await commanding.stop(result.stop);
    await tell(run, asked, "Stopping the answer.");
  } else if ("retry" in result) {
    const { key, place, author, at } = asked;
    await commanding.enqueue({ kind: "action", key: `${key}/retry`, place, author, at, action: "retry", turn: result.retry });
  } else if ("forget" in result) {
    return commanding.forget(result.forget);
  } else if ("answer" in result) {
    await tell(run, asked, result.answer);
  } else if ("propose" in result) {
    throw new Fault("proposed_again", "what was said yes to proposed something else");
  } else {
    const { form = [], actions = [] } = result;
    const opening: Action[] = [];
    for (const draft of "fields" in form ? [form] : form)
      opening.push(formAction(draft.open, asked.key, await commanding.offer(draft, asked)));
    const running = await commanding.buttons(result.run ?? [], asked);
    const sharing = own ? await commanding.keep(asked, result.tell) : [];
    await tell(run, asked, result.tell, [...opening, ...running, ...actions, ...sharing]);
  }
  return done;
}

/** Shows the result of what was slow in the message that has been its placeholder. */
async function finishSlow(run: TurnRun, clock: Clock, result: CommandResult, onBehalf: string | null): Promise<Ending> {
  const relay = run.relay();
  const failed = "refusal" in result;
  if (failed) relay.show(failedReply("", result.refusal.text, result.actions ?? []));
  else if ("answer" in result)
    relay.show(withOnBehalf(onBehalf, { ...emptyReply, state: "done", text: result.answer, footer: result.footer }));
  return settled(run, clock, failed ? { outcome: "failed", keepText: false } : { outcome: "answered", keepText: false });
}

/** A prompt's name and what it is given, a line each. */
const shownPrompt = ({ name, values }: PromptOrder): string =>
  [
    `**${literalMarkdown(name)}**${values.length === 0 ? "" : ":\n"}`,
    ...values.map((one) => `${quotedMarkdown(`${one.name}: ${one.value}`)}\n`),
  ].join("\n");

/**
 * A parent message that says who does what; its thread is the conversation.
 * @param does Markdown behind the asker's name
 */
async function begin(
  run: TurnRun,
  asked: Origin,
  does: string,
  message: Pick<InboundMessage, "runs" | "prompt" | "transcribe"> & Partial<Pick<InboundMessage, "files">>,
  commanding: Commanding,
): Promise<void> {
  run.relay().show({ ...emptyReply, state: "done", text: `**${literalMarkdown(asked.author.name)}** ${does}` });
  await settled(run, commanding.clock, done, "Parley could not post here. Invite it into this channel, and ask again.");
  const [parent] = run.progress().delivery.messages;
  if (parent === undefined) return;
  const inThread = asked.place.thread !== null || asked.direct === true;
  await commanding.enqueue({
    kind: "message",
    key: `${asked.key}/ask`,
    place: inThread ? asked.place : { ...asked.place, thread: parent.id },
    author: asked.author,
    at: asked.at,
    ...(asked.direct === undefined ? {} : { direct: asked.direct }),
    message: parent.id,
    files: asked.files,
    ...message,
    ...(asked.joins === undefined ? {} : { joins: asked.joins }),
  });
}
