/** Suggestions for an option while it is typed. */
import { sleep, type Clock } from "../../../src/clock.ts";
import type { Directory, Suggestion } from "../../../src/core/commands/types.ts";
import { textOf, type InteractionPayload, type Scene } from "./interaction-payload.ts";
import { personOf } from "./payload.ts";
import { shorten } from "../../../src/core/shorten.ts";

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-option-choice-structure */
const longest = 100;
const most = 25;
/** Discord waits for three seconds; a person less. In ms. */
const patienceMs = 1_000;

const choiceOf = ({ value, label, detail }: Suggestion): { readonly name: string; readonly value: string } => {
  const name = detail === undefined || detail === "" ? label : `${label} · ${detail}`;
  return { name: shorten(name, longest) || value, value };
};

/** None where the workspace takes too long: what is typed counts all the same. */
export async function offer(
  { data }: InteractionPayload,
  { user, member, place }: Scene,
  { directory, clock }: { readonly directory: Directory; readonly clock: Clock },
): Promise<readonly { readonly name: string; readonly value: string }[]> {
  const focused = data?.options?.find((option) => option.focused === true);
  const option = directory.commands.find(({ name }) => name === data?.name)?.options.find(({ name }) => name === focused?.name);
  if (option?.source === undefined) return [];
  const late = new AbortController();
  try {
    const found = await Promise.race([
      directory.suggest(option.source, textOf(focused), place, personOf(user, member)),
      sleep(clock, patienceMs, late.signal).then(() => []),
    ]);
    // A value that is too long for a choice could not be told back whole.
    return found
      .filter(({ value }) => value.length >= 1 && value.length <= longest)
      .slice(0, most)
      .map(choiceOf);
  } finally {
    late.abort();
  }
}
