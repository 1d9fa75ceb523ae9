/** Registers the application commands, only when they are not what Discord has: it allows 200 new ones a day. */
import type { DiscordRest } from "../outbound/rest.ts";
import { areRegistered, type CommandDefinition } from "./definitions.ts";

/** Where commands are registered: everywhere, or in one guild, where they appear at once. */
export const commandsRoute = (application: string, guild: string | null): `/${string}` =>
  guild === null ? `/applications/${application}/commands` : `/applications/${application}/guilds/${guild}/commands`;

/** Throws `WriteFault`. */
export async function registerCommands(
  rest: Pick<DiscordRest, "call">,
  commands: readonly CommandDefinition[],
  { application, guild }: { readonly application: string; readonly guild: string | null },
  signal: AbortSignal,
): Promise<"registered" | "unchanged"> {
  const route = commandsRoute(application, guild);
  if (areRegistered(commands, await rest.call({ method: "GET", route }, signal))) return "unchanged";
  await rest.call({ method: "PUT", route, body: commands }, signal);
  return "registered";
}
