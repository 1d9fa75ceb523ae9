/** Runs a command of the table. */
import type { Account } from "../accounts.ts";
import { readOptions, type Command, type CommandResult, type Options } from "../commands/table.ts";
import type { InboundCommand } from "../inbound.ts";
import { refusal, type Refusal } from "../refusal.ts";
import { onBehalfOf } from "./account.ts";
import { refuse } from "./notices.ts";
import { answerWith, type Commanding } from "./result.ts";
import type { TurnRun } from "./run.ts";
import type { Ending } from "./settle.ts";

type Found = { readonly command: Command; readonly options: Options };

/** The command and its options, where it has all that it needs. */
function find(inbound: InboundCommand, commands: readonly Command[]): Found | { readonly refusal: Refusal } {
  const command = commands.find(({ name }) => name === inbound.name.toLowerCase());
  if (command === undefined)
    return refusal("unknown_command", `There is no command /${inbound.name}. /help shows all there are.`);
  const options = readOptions(command, inbound);
  if ("problem" in options && typeof options["problem"] === "string") return refusal("bad_option", options["problem"]);
  return { command, options: options as Options };
}

/** What a command gives as part of another turn, with nothing shown. Throws `WorkspaceFault`. */
export async function perform(inbound: InboundCommand, signal: AbortSignal, commanding: Commanding): Promise<CommandResult> {
  const found = find(inbound, commanding.commands);
  if ("refusal" in found) return found;
  const { command, options } = found;
  const chosen = command.deed === null ? null : await commanding.choose(inbound, command.deed);
  if (chosen !== null && "refusal" in chosen) return chosen;
  return command.run(
    options,
    commanding.context(inbound, { account: chosen?.account ?? commanding.shared, deed: command.deed }, signal),
  );
}

export async function runCommand(run: TurnRun, inbound: InboundCommand, commanding: Commanding): Promise<Ending> {
  const found = find(inbound, commanding.commands);
  if ("refusal" in found) return refuse(run, inbound, found.refusal.text);
  const { command, options } = found;
  const chosen = command.deed === null ? null : await commanding.accountFor(command.deed);
  if (chosen !== null && "refusal" in chosen) return commanding.deny(chosen.refusal);
  const limited = command.slow === true ? await commanding.limit() : null;
  if (limited !== null) return commanding.deny(limited.refusal);
  const account: Account = chosen?.account ?? commanding.shared;
  const { deed, slow } = command;
  const what = { command: { ...inbound, name: command.name }, deed, slow, onBehalf: onBehalfOf(chosen) };
  return answerWith(
    run,
    inbound,
    what,
    (signal) => command.run(options, commanding.context(inbound, { account, deed }, signal)),
    commanding,
  );
}
