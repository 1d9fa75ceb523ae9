/** Parley's registration with Discord: commands from the command table, and what the bot has to be granted. */
import type { CommandInfo } from "../../src/core/commands/types.ts";
import { definitionsOf } from "./commands/definitions.ts";

interface Permission {
  /** As Discord's documentation names it. */
  readonly name: string;
  readonly bit: bigint;
  readonly why: string;
}

/** https://docs.discord.com/developers/topics/permissions#permissions-bitwise-permission-flags */
export const discordPermissions: readonly Permission[] = [
  { name: "VIEW_CHANNEL", bit: 1n << 10n, why: "see the channels that it is mentioned in" },
  { name: "SEND_MESSAGES", bit: 1n << 11n, why: "post the message that `/ask` begins with" },
  { name: "ATTACH_FILES", bit: 1n << 15n, why: "post answers that are too long for messages as files" },
  { name: "READ_MESSAGE_HISTORY", bit: 1n << 16n, why: "read the thread that a mention stands in, and what was missed" },
  { name: "CREATE_PUBLIC_THREADS", bit: 1n << 35n, why: "begin a thread at a mention" },
  { name: "SEND_MESSAGES_IN_THREADS", bit: 1n << 38n, why: "answer there" },
];

/** https://docs.discord.com/developers/events/gateway#list-of-intents */
export const discordIntents: Readonly<Record<string, string>> = {
  GUILDS: "know channels, threads and roles by their names",
  GUILD_MESSAGES: "hear mentions and follow-ups",
  DIRECT_MESSAGES: "hear direct messages",
  MESSAGE_CONTENT: "read follow-ups that do not mention it; privileged: to be switched on under Bot in the Developer Portal",
};

const scopes = ["bot", "applications.commands"];
/** Where the application's own id belongs. */
const applicationId = "APPLICATION_ID";

const linkOf = (query: Readonly<Record<string, string>>): string =>
  `https://discord.com/oauth2/authorize?${new URLSearchParams({ client_id: applicationId, ...query }).toString()}`;

/** Everything that is set in the Developer Portal, or registered by Parley at its start. */
export function discordManifest(commands: readonly CommandInfo[]): object {
  const permissions = String(discordPermissions.reduce((sum, { bit }) => sum | bit, 0n));
  return {
    name: "Parley",
    description: "Your team's AI workspace, where the team already talks.",
    intents: Object.keys(discordIntents),
    scopes,
    permissions: { bits: permissions, names: discordPermissions.map(({ name }) => name) },
    install: {
      server: linkOf({ integration_type: "0", scope: scopes.join(" "), permissions }),
      person: linkOf({ integration_type: "1", scope: "applications.commands" }),
    },
    commands: definitionsOf(commands),
  };
}
