/** The one place in which people are asked before something is changed: a command proposes, its asker says yes, and then it is done. */
import type { Account } from "../accounts.ts";
import type { Proposal } from "../commands/proposal.ts";
import type { CommandResult } from "../commands/table.ts";
import type { InboundCommand } from "../inbound.ts";
import type { Deed } from "../permissions.ts";
import { refusal } from "../refusal.ts";
import type { Choice } from "./account.ts";

export interface Proposing {
  readonly shared: Account;
  readonly choose: (command: InboundCommand, deed: Deed) => Promise<Choice>;
  /** Begins what was said yes to with this button. False: it was begun before. */
  readonly begin: (button: string) => Promise<boolean>;
}

/** `asks`: the asker is to be shown it, and nothing is done yet. */
export type Answered = { readonly asks: Proposal } | { readonly done: CommandResult };

const same = (one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean =>
  Object.keys(one).length === Object.keys(other).length && Object.entries(one).every(([name, value]) => other[name] === value);

/** The yes has to be to this very proposal: the same command with the same options. */
const agreed = (proposal: Proposal, { name, options, confirmed }: InboundCommand): string | undefined =>
  name === proposal.command && proposal.choices.some((choice) => same(choice.options, options)) ? confirmed : undefined;

/** @param command as it came, typed or by the button that said yes */
export async function answerProposal(
  proposal: Proposal,
  command: InboundCommand,
  { shared, choose, begin }: Proposing,
): Promise<Answered> {
  const chosen = proposal.deed === null ? null : await choose(command, proposal.deed);
  if (chosen !== null && "refusal" in chosen) return { done: refusal("not_allowed", "That is not for you to do here.") };
  const button = agreed(proposal, command);
  const confirm = chosen === null || chosen.permit.confirm;
  if (confirm && button === undefined) return { asks: proposal };
  if (button !== undefined && !(await begin(button)) && proposal.begun !== null)
    return { done: refusal("workspace", proposal.begun) };
  return { done: await proposal.run((chosen?.account ?? shared).workspace) };
}

/** What a command may give back without having asked. What is sent or run by it is judged by the table in a turn of its own. */
export const givesUnasked = (deed: Deed | null, result: CommandResult): boolean =>
  !("forget" in result) && (!("make" in result) || deed === "media");
