/** Discord's part of the configuration. */
import { chatVariables, sharedKeyVariable, type ChatConfig } from "./chat.ts";
import type { Reader, VariableInfo } from "./reader.ts";

export interface DiscordConfig extends ChatConfig {
  readonly token: string;
  /** Without a version, and without a slash at its end. */
  readonly apiUrl: string;
  /** The guild to register commands in; null: everywhere. */
  readonly guild: string | null;
  /** Ids; an empty list lets everybody in. */
  readonly allow: Readonly<Record<"guilds" | "channels" | "roles" | "users", readonly string[]>>;
  /** Who and what is never answered, whatever else is set. */
  readonly deny: Readonly<Record<"guilds" | "channels" | "roles" | "users", readonly string[]>>;
}

export const discordVariables: readonly VariableInfo[] = [
  { name: "DISCORD_BOT_TOKEN", fallback: "none", help: "bot token: turns Discord on", secret: true },
  { name: "DISCORD_API_URL", fallback: "https://discord.com/api", help: "root of Discord's API, without a version" },
  {
    name: "DISCORD_GUILD_ID",
    fallback: "everywhere",
    help: "id of a server to register the commands in alone, where they appear at once: for trying",
  },
  ...chatVariables("Discord"),
  { name: "DISCORD_GUILDS", fallback: "all", help: "ids of the servers that Parley answers in" },
  { name: "DISCORD_CHANNELS", fallback: "all", help: "ids of the channels that Parley answers in" },
  { name: "DISCORD_ROLES", fallback: "everybody", help: "ids of the roles whose people Parley answers" },
  { name: "DISCORD_DENY_GUILDS", fallback: "none", help: "ids of servers that Parley never answers in" },
  { name: "DISCORD_DENY_CHANNELS", fallback: "none", help: "ids of channels that Parley never answers in" },
  { name: "DISCORD_DENY_ROLES", fallback: "none", help: "ids of roles whose people Parley never answers" },
  { name: "DISCORD_DENY_USERS", fallback: "none", help: "user ids that Parley never answers" },
  sharedKeyVariable("Discord"),
  { name: "DISCORD_USERS", fallback: "everybody", help: "user ids that Parley answers, also in direct messages" },
];

/** Null without a bot token. */
export function readDiscord({ text, expect, oneOf, flag, list, address }: Reader): DiscordConfig | null {
  const ids = (name: string): readonly string[] => list(name, /^\d{5,20}$/, "ids of Discord") ?? [];
  const token = text("DISCORD_BOT_TOKEN");
  const guilds = ids("DISCORD_GUILD_ID");
  expect("DISCORD_BOT_TOKEN", token === null || /^[\w.-]+$/.test(token), "a bot token as Discord shows it", "other characters");
  expect("DISCORD_GUILD_ID", guilds.length <= 1, "one id of a server", `${guilds.length} of them`);
  const config = {
    apiUrl: address("DISCORD_API_URL", "https://discord.com/api").replace(/\/+$/, ""),
    guild: guilds[0] ?? null,
    followUps: oneOf("DISCORD_FOLLOW_UPS", ["thread", "mention"], "thread"),
    catchUp: flag("DISCORD_CATCH_UP", true),
    allow: {
      guilds: ids("DISCORD_GUILDS"),
      channels: ids("DISCORD_CHANNELS"),
      roles: ids("DISCORD_ROLES"),
      users: ids("DISCORD_USERS"),
    },
    deny: {
      guilds: ids("DISCORD_DENY_GUILDS"),
      channels: ids("DISCORD_DENY_CHANNELS"),
      roles: ids("DISCORD_DENY_ROLES"),
      users: ids("DISCORD_DENY_USERS"),
    },
    sharedKeyChannels: ids("DISCORD_SHARED_KEY_CHANNELS"),
    operators: ids("DISCORD_OPERATORS"),
    settings: oneOf("DISCORD_SETTINGS", ["members", "operators"], "members"),
  };
  return token === null ? null : { token, ...config };
}
