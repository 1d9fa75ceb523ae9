/** What Discord tells of Parley's registration, for `parley doctor`. */
import { systemClock } from "../../src/clock.ts";
import type { CommandInfo } from "../../src/core/commands/types.ts";
import { reasonOf } from "../../src/errors.ts";
import { areRegistered, definitionsOf } from "./commands/definitions.ts";
import { commandsRoute } from "./commands/register.ts";
import { createRest } from "./outbound/rest.ts";

export interface DiscordFinding {
  readonly ok: boolean;
  readonly text: string;
}

export interface DiscordCheck {
  readonly token: string;
  readonly apiUrl: string;
  readonly guild: string | null;
}

const checkMs = 10_000;
/** https://docs.discord.com/developers/resources/application#application-object-application-flags */
const contentFlags = (1 << 18) | (1 << 19);

const good = (text: string): DiscordFinding => ({ ok: true, text: `discord: ${text}` });
const bad = (text: string): DiscordFinding => ({ ok: false, text: `discord: ${text}` });

/** Checks token, intents and commands; changes nothing. */
export async function checkDiscord(
  { token, apiUrl, guild }: DiscordCheck,
  commands: readonly CommandInfo[],
): Promise<readonly DiscordFinding[]> {
  const rest = createRest({ token, apiUrl, clock: systemClock });
  const read = (route: `/${string}`) => rest.call({ method: "GET", route }, AbortSignal.timeout(checkMs));
  try {
    const application = (await read("/applications/@me")) as {
      readonly id: string;
      readonly name: string;
      readonly flags?: number;
    };
    const guilds = (await read("/users/@me/guilds")) as readonly unknown[];
    return [
      good(`the bot token is accepted, as ${application.name} in ${guilds.length} servers`),
      ((application.flags ?? 0) & contentFlags) !== 0
        ? good("the Message Content intent is granted, so follow-ups in threads need no mention")
        : bad(
            "the Message Content intent is not granted: Parley reads only messages that mention it, and direct ones; switch it on under Bot in the Developer Portal",
          ),
      await checkCommands(read, application.id, guild, commands),
    ];
  } catch (thrown) {
    return [
      bad(`DISCORD_BOT_TOKEN is of no use at ${apiUrl}: ${reasonOf(thrown)}; copy the token under Bot in the Developer Portal`),
    ];
  }
}

async function checkCommands(
  read: (route: `/${string}`) => Promise<unknown>,
  application: string,
  guild: string | null,
  commands: readonly CommandInfo[],
): Promise<DiscordFinding> {
  const where = guild === null ? "everywhere" : `in the server ${guild}`;
  try {
    return areRegistered(definitionsOf(commands), await read(commandsRoute(application, guild)))
      ? good(`Parley's commands are registered ${where}`)
      : good(`Parley's commands will be registered ${where} at the next start`);
  } catch (thrown) {
    return bad(`commands cannot be registered ${where}: ${reasonOf(thrown)}; install the bot there, or unset DISCORD_GUILD_ID`);
  }
}
