/** Runs a command of the table and shows what it gave back. */
import type { Clock } from "../../clock.ts";
import type { Inbound, InboundCommand } from "../inbound.ts";
import { emptyDocument } from "../document.ts";
import { mayDo, type AccessRules } from "../access.ts";
import { readOptions, type Command, type CommandContext, type CommandResult } from "../commands/table.ts";
import { createRenderer } from "../render/renderer.ts";
import { WorkspaceFault } from "../../errors.ts";
import { settled, type Ending } from "./settle.ts";
import { explain } from "./explain.ts";
import type { TurnRun } from "./run.ts";
import { emptyReply, failedReply, workingReply } from "./show.ts";

export interface Commanding {
  readonly clock: Clock;
  readonly commands: readonly Command[];
  readonly context: (command: InboundCommand, signal: AbortSignal) => CommandContext;
  /** Puts a message into its lane; one that is there already stays the only one. */
  readonly enqueue: (inbound: Inbound) => Promise<unknown>;
  /** Asks a running turn to end. */
  readonly stop: (key: string) => Promise<void>;
  readonly access: AccessRules;
}

const done: Ending = { outcome: "done", keepText: false };
const refused: Ending = { outcome: "refused", keepText: false };

export async function runCommand(run: TurnRun, inbound: InboundCommand, commanding: Commanding): Promise<Ending> {
  const { lease, platform } = run;
  const signal = AbortSignal.any([lease.over, lease.stop]);
  const tell = async (markdown: string): Promise<void> => {
    const { pages } = createRenderer(platform.limits).render(markdown, true);
    for (const blocks of pages)
      await platform.whisper(inbound.place, inbound.author, { ...emptyDocument, blocks }, lease.permit());
  };
  const refuse = async (text: string): Promise<Ending> => {
    await platform.whisper(inbound.place, inbound.author, { ...emptyDocument, state: "failed", notice: text }, lease.permit());
    return refused;
  };

  const command = commanding.commands.find(({ name }) => name === inbound.name.toLowerCase());
  if (command === undefined) return refuse(`There is no command /${inbound.name}. /help shows all there are.`);
  if (!mayDo(inbound.author, command.needs, commanding.access)) {
    return refuse(`/${command.name} is not for everybody here. Ask ${await commanding.access.contact()}.`);
  }
  const options = readOptions(command, inbound);
  if ("problem" in options && typeof options["problem"] === "string") return refuse(options["problem"]);
  if (command.slow === true) {
    if (run.progress().intent !== undefined)
      return finishSlow(run, commanding.clock, {
        refusal: {
          code: "workspace",
          text: "Parley was restarted while this was running, and does not spend your credits twice by itself. Ask again.",
        },
      });
    await run.save({ intent: { at: 0, conversationId: null, after: 0, digest: "" } });
    run.relay().show(workingReply("Thinking…", []));
  }

  let result: CommandResult;
  try {
    result = await command.run(options as Record<string, string | undefined>, commanding.context(inbound, signal));
  } catch (thrown) {
    lease.over.throwIfAborted();
    if (!(thrown instanceof WorkspaceFault)) throw thrown;
    run.log.warn({ err: thrown, turn: run.turn.key, command: command.name }, "a command failed at the workspace");
    result = { refusal: { code: "workspace", text: explain(thrown) } };
  }
  if (command.slow === true) return finishSlow(run, commanding.clock, result);
  if ("refusal" in result) return refuse(result.refusal.text);
  if ("ask" in result) {
    await begin(run, inbound, result.ask, commanding);
  } else if ("stop" in result) {
    await commanding.stop(result.stop);
    await tell("Stopping the answer.");
  } else if ("retry" in result) {
    const { place, author, at } = inbound;
    await commanding.enqueue({
      kind: "action",
      key: `${inbound.key}/retry`,
      place,
      author,
      at,
      action: "retry",
      turn: result.retry,
    });
  } else {
    await tell("tell" in result ? result.tell : result.answer);
  }
  return done;
}

/** Shows the result of a slow command in the message that has been its placeholder. */
async function finishSlow(run: TurnRun, clock: Clock, result: CommandResult): Promise<Ending> {
  const relay = run.relay();
  const failed = "refusal" in result;
  if (failed) relay.show(failedReply("", result.refusal.text, []));
  else if ("answer" in result) relay.show({ ...emptyReply, state: "done", text: result.answer, footer: result.footer });
  return settled(run, clock, failed ? { outcome: "failed", keepText: false } : { outcome: "answered", keepText: false });
}

/** Every mark that Markdown could read as more than text. */
const literal = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-.!<>|~&@:/]/g, "\\$&");

/** A parent message that names asker and question; its thread is the conversation. */
async function begin(run: TurnRun, inbound: InboundCommand, question: string, commanding: Commanding): Promise<void> {
  const quoted = question
    .split("\n")
    .map((line) => `> ${literal(line)}`)
    .join("\n");
  run.relay().show({ ...emptyReply, state: "done", text: `**${literal(inbound.author.name)}** asks:\n\n${quoted}` });
  await settled(run, commanding.clock, done, "Parley could not post here. Invite it into this channel, and ask again.");
  const [parent] = run.progress().delivery.messages;
  if (parent === undefined) return;
  const inThread = inbound.place.thread !== null || inbound.direct === true;
  await commanding.enqueue({
    kind: "message",
    key: `${inbound.key}/ask`,
    place: inThread ? inbound.place : { ...inbound.place, thread: parent.id },
    author: inbound.author,
    at: inbound.at,
    ...(inbound.direct === undefined ? {} : { direct: inbound.direct }),
    message: parent.id,
    runs: [{ typed: question }],
    files: inbound.files,
    ...(inbound.joins === undefined ? {} : { joins: inbound.joins }),
  });
}
