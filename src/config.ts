/** The environment, read once, in one pure function; every problem is reported at once. */
import { join, resolve } from "node:path";
import { Fault } from "./errors.ts";

export interface Config {
  /** Folder of the SQLite files, uploads and generated secrets. */
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  /** Null: the embedded workspace. */
  readonly workspace: { readonly baseUrl: string; readonly apiKey: string } | null;
  /** With the embedded workspace: the owner's key, generated when null. */
  readonly ownerKey: string | null;
  /** 32 bytes; generated when null. */
  readonly encryptionKey: Uint8Array | null;
  readonly consoleToken: string | null;
  readonly workspacePublic: boolean;
  readonly metricsToken: string | null;
  readonly models: ModelsConfig;
  /** Null: without Slack. */
  readonly slack: SlackConfig | null;
  /** Null: without Discord. */
  readonly discord: DiscordConfig | null;
}

export interface SlackConfig {
  readonly botToken: string;
  readonly transport: { readonly appToken: string } | { readonly signingSecret: string };
  /** Ends in a slash. */
  readonly apiUrl: string;
  readonly streaming: "auto" | "edit" | "native";
  readonly followUps: "thread" | "mention";
  readonly catchUp: boolean;
  /** Null: all. */
  readonly channels: readonly string[] | null;
  readonly users: readonly string[] | null;
  /** Other workspaces whose people are answered as if they were of Parley's own. */
  readonly workspaces: readonly string[];
  readonly guests: boolean;
  readonly operators: readonly string[];
  readonly settings: "members" | "operators";
}

export interface DiscordConfig {
  readonly token: string;
  /** Without a version, and without a slash at its end. */
  readonly apiUrl: string;
  /** The guild to register commands in; null: everywhere. */
  readonly guild: string | null;
  readonly followUps: "thread" | "mention";
  readonly catchUp: boolean;
  /** Ids; an empty list lets everybody in. */
  readonly allow: Readonly<Record<"guilds" | "channels" | "roles" | "users", readonly string[]>>;
  readonly operators: readonly string[];
  readonly settings: "members" | "operators";
}

interface ModelsConfig {
  readonly openaiApiKey: string | null;
  readonly openaiBaseUrl: string | null;
  readonly openaiModels: readonly string[];
  readonly anthropicApiKey: string | null;
  readonly googleApiKey: string | null;
}

const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** A variable that Parley reads: for `--help`, `.env.example` and the README, all held to this list by a test. */
export interface VariableInfo {
  readonly name: string;
  readonly fallback: string;
  readonly help: string;
}

export const variables: readonly VariableInfo[] = [
  { name: "PARLEY_DATA", fallback: "./data", help: "folder of the SQLite files, uploads and generated secrets" },
  {
    name: "HOST",
    fallback: "127.0.0.1",
    help: "address to listen on; on any other than loopback only health is served until opened",
  },
  { name: "PORT", fallback: "3000", help: "port to listen on" },
  { name: "LOG_LEVEL", fallback: "info", help: logLevels.join(", ") },
  { name: "WORKSPACE_BASE_URL", fallback: "embedded", help: "REST root of a hosted workspace, ending in /api/v1" },
  {
    name: "WORKSPACE_API_KEY",
    fallback: "generated",
    help: "key to act with; with the embedded workspace PARLEY-API- and 64 letters or digits",
  },
  { name: "PARLEY_ENCRYPTION_KEY", fallback: "generated", help: "32 bytes in base64: text at rest" },
  { name: "CONSOLE_TOKEN", fallback: "none", help: "opens the console beyond loopback, to whoever has this token" },
  { name: "WORKSPACE_PUBLIC", fallback: "off", help: "1 opens the embedded workspace beyond loopback" },
  { name: "METRICS_TOKEN", fallback: "none", help: "opens /metrics beyond loopback, to whoever has this token" },
  { name: "SLACK_BOT_TOKEN", fallback: "none", help: "bot token, xoxb-…: turns Slack on" },
  { name: "SLACK_APP_TOKEN", fallback: "none", help: "app token, xapp-…: Slack by Socket Mode" },
  {
    name: "SLACK_SIGNING_SECRET",
    fallback: "none",
    help: "signing secret: Slack by HTTP at /slack/events, where there is no app token",
  },
  { name: "SLACK_API_URL", fallback: "https://slack.com/api/", help: "root of Slack's Web API" },
  { name: "SLACK_STREAMING", fallback: "auto", help: "how answers grow in Slack: auto, edit, native" },
  {
    name: "SLACK_FOLLOW_UPS",
    fallback: "thread",
    help: "messages of a thread that Parley takes part in: thread takes all, mention those that mention it",
  },
  { name: "SLACK_CATCH_UP", fallback: "1", help: "0 leaves what was missed in Slack while Parley was down" },
  { name: "SLACK_OPERATORS", fallback: "none", help: "user ids of those who may open what the workspace key's owner has" },
  { name: "SLACK_SETTINGS", fallback: "members", help: "who may change settings in Slack: members, operators" },
  { name: "SLACK_CHANNELS", fallback: "all", help: "channel ids that Parley answers in" },
  { name: "SLACK_USERS", fallback: "all members", help: "user ids that Parley answers; guests count when they are named" },
  { name: "SLACK_GUESTS", fallback: "0", help: "1 answers guests and people of other organisations too" },
  { name: "SLACK_WORKSPACES", fallback: "its own", help: "ids of other workspaces whose people are answered" },
  { name: "DISCORD_BOT_TOKEN", fallback: "none", help: "bot token: turns Discord on" },
  { name: "DISCORD_API_URL", fallback: "https://discord.com/api", help: "root of Discord's API, without a version" },
  {
    name: "DISCORD_GUILD_ID",
    fallback: "everywhere",
    help: "id of a server to register the commands in alone, where they appear at once: for trying",
  },
  {
    name: "DISCORD_FOLLOW_UPS",
    fallback: "thread",
    help: "messages of a thread that Parley takes part in: thread takes all, mention those that mention it",
  },
  { name: "DISCORD_CATCH_UP", fallback: "1", help: "0 leaves what was missed in Discord while Parley was down" },
  { name: "DISCORD_OPERATORS", fallback: "none", help: "user ids of those who may open what the workspace key's owner has" },
  { name: "DISCORD_SETTINGS", fallback: "members", help: "who may change settings in Discord: members, operators" },
  { name: "DISCORD_GUILDS", fallback: "all", help: "ids of the servers that Parley answers in" },
  { name: "DISCORD_CHANNELS", fallback: "all", help: "ids of the channels that Parley answers in" },
  { name: "DISCORD_ROLES", fallback: "everybody", help: "ids of the roles whose people Parley answers" },
  { name: "DISCORD_USERS", fallback: "everybody", help: "user ids that Parley answers, also in direct messages" },
  { name: "OPENAI_API_KEY", fallback: "none", help: "OpenAI models in the embedded workspace" },
  { name: "OPENAI_BASE_URL", fallback: "none", help: "an OpenAI-compatible server: Ollama, vLLM, LM Studio" },
  { name: "OPENAI_MODELS", fallback: "asked of the server", help: "models to offer, separated by commas" },
  { name: "ANTHROPIC_API_KEY", fallback: "none", help: "Anthropic models in the embedded workspace" },
  { name: "GOOGLE_GENERATIVE_AI_API_KEY", fallback: "none", help: "Google models in the embedded workspace" },
];

/** The form of a key of the embedded workspace. */
const ownerKeyPattern = /^PARLEY-API-[A-Za-z0-9]{64}$/;

/** An address as it may be repeated: without the name and password that it may hold. */
const shownAddress = (value: string): string => JSON.stringify(value.replace(/\/\/.*@/, "//…@"));
const isHttpUrl = (value: string): boolean => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/** True for addresses that only this machine reaches. */
export const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * The configuration that `env` describes.
 * Throws a Fault `config` that names every wrong variable, what was expected and what was found; secrets are not repeated in it.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = [];
  const text = (name: string): string | null => {
    const value = env[name]?.trim();
    return value === undefined || value === "" ? null : value;
  };
  const expect = (name: string, valid: boolean, expected: string, got: string): void => {
    if (!valid) problems.push(`${name}: expected ${expected}, got ${got}`);
  };

  const portText = text("PORT") ?? "3000";
  const port = Number(portText);
  expect("PORT", /^\d+$/.test(portText) && port <= 65535, "a whole number from 0 to 65535", JSON.stringify(portText));

  const level = text("LOG_LEVEL") ?? "info";
  const logLevel = logLevels.find((known) => known === level);
  expect("LOG_LEVEL", logLevel !== undefined, `one of ${logLevels.join(", ")}`, JSON.stringify(level));

  const baseUrl = text("WORKSPACE_BASE_URL");
  const apiKey = text("WORKSPACE_API_KEY");
  if (baseUrl !== null) {
    const valid = isHttpUrl(baseUrl) && new URL(baseUrl).pathname.replace(/\/$/, "").endsWith("/api/v1");
    expect("WORKSPACE_BASE_URL", valid, "an http or https address whose path ends in /api/v1", shownAddress(baseUrl));
    expect("WORKSPACE_API_KEY", apiKey !== null, "a key of that workspace, as WORKSPACE_BASE_URL is set", "nothing");
  } else if (apiKey !== null) {
    expect(
      "WORKSPACE_API_KEY",
      ownerKeyPattern.test(apiKey),
      "PARLEY-API- and 64 letters or digits",
      `${apiKey.length} other characters`,
    );
  }

  const keyText = text("PARLEY_ENCRYPTION_KEY");
  const encryptionKey = keyText === null ? null : new Uint8Array(Buffer.from(keyText, "base64"));
  expect(
    "PARLEY_ENCRYPTION_KEY",
    encryptionKey === null || encryptionKey.length === 32,
    "32 bytes in base64",
    `${encryptionKey?.length ?? 0} bytes`,
  );

  const openaiBaseUrl = text("OPENAI_BASE_URL");
  expect(
    "OPENAI_BASE_URL",
    openaiBaseUrl === null || isHttpUrl(openaiBaseUrl),
    "an http or https address",
    shownAddress(openaiBaseUrl ?? ""),
  );

  const publicText = text("WORKSPACE_PUBLIC") ?? "0";
  expect("WORKSPACE_PUBLIC", /^[01]$/.test(publicText), "0 or 1", JSON.stringify(publicText));

  const slack = readSlack(text, expect);
  const discord = readDiscord(text, expect);

  if (problems.length > 0)
    throw new Fault(
      "config",
      `the configuration has ${problems.length === 1 ? "a problem" : "problems"}:\n  ${problems.join("\n  ")}`,
    );

  return Object.freeze({
    dataDir: resolve(text("PARLEY_DATA") ?? "data"),
    host: text("HOST") ?? "127.0.0.1",
    port,
    logLevel: logLevel ?? "info",
    workspace: baseUrl === null || apiKey === null ? null : { baseUrl: baseUrl.replace(/\/$/, ""), apiKey },
    ownerKey: baseUrl === null ? apiKey : null,
    encryptionKey,
    consoleToken: text("CONSOLE_TOKEN"),
    workspacePublic: publicText === "1",
    metricsToken: text("METRICS_TOKEN"),
    slack,
    discord,
    models: {
      openaiApiKey: text("OPENAI_API_KEY"),
      openaiBaseUrl,
      openaiModels: (text("OPENAI_MODELS") ?? "")
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
      anthropicApiKey: text("ANTHROPIC_API_KEY"),
      googleApiKey: text("GOOGLE_GENERATIVE_AI_API_KEY"),
    },
  });
}

type Text = (name: string) => string | null;
type Expect = (name: string, valid: boolean, expected: string, got: string) => void;

/** A list of a platform's ids; null where it is not set. */
function idsOf(text: Text, expect: Expect, name: string, form: RegExp, platform: string): readonly string[] | null {
  const value = text(name);
  if (value === null) return null;
  const listed = value.split(/[\s,]+/).filter((id) => id !== "");
  expect(
    name,
    listed.every((id) => form.test(id)),
    `ids of ${platform}, separated by commas`,
    JSON.stringify(value),
  );
  return listed;
}

function oneOfThese<const Value extends string>(
  text: Text,
  expect: Expect,
  name: string,
  values: readonly Value[],
  fallback: Value,
): Value {
  const value = text(name) ?? fallback;
  const found = values.find((known) => known === value);
  expect(name, found !== undefined, `one of ${values.join(", ")}`, JSON.stringify(value));
  return found ?? fallback;
}

/** Discord's part of the configuration; null without a bot token. */
function readDiscord(text: Text, expect: Expect): DiscordConfig | null {
  const ids = (name: string): readonly string[] => idsOf(text, expect, name, /^\d{5,20}$/, "Discord") ?? [];
  const token = text("DISCORD_BOT_TOKEN");
  const apiUrl = text("DISCORD_API_URL") ?? "https://discord.com/api";
  const guilds = ids("DISCORD_GUILD_ID");
  expect("DISCORD_API_URL", isHttpUrl(apiUrl), "an http or https address", shownAddress(apiUrl));
  expect("DISCORD_BOT_TOKEN", token === null || /^[\w.-]+$/.test(token), "a bot token as Discord shows it", "other characters");
  expect("DISCORD_GUILD_ID", guilds.length <= 1, "one id of a server", `${guilds.length} of them`);
  const config = {
    apiUrl: apiUrl.replace(/\/+$/, ""),
    guild: guilds[0] ?? null,
    followUps: oneOfThese(text, expect, "DISCORD_FOLLOW_UPS", ["thread", "mention"], "thread"),
    catchUp: oneOfThese(text, expect, "DISCORD_CATCH_UP", ["0", "1"], "1") === "1",
    allow: {
      guilds: ids("DISCORD_GUILDS"),
      channels: ids("DISCORD_CHANNELS"),
      roles: ids("DISCORD_ROLES"),
      users: ids("DISCORD_USERS"),
    },
    operators: ids("DISCORD_OPERATORS"),
    settings: oneOfThese(text, expect, "DISCORD_SETTINGS", ["members", "operators"], "members"),
  };
  return token === null ? null : { token, ...config };
}

/** Slack's part of the configuration; null without a bot token. */
function readSlack(text: Text, expect: Expect): SlackConfig | null {
  const ids = (name: string): readonly string[] | null => idsOf(text, expect, name, /^[A-Z0-9]{2,}$/, "Slack");
  const oneOf = <const Value extends string>(name: string, values: readonly Value[], fallback: Value): Value =>
    oneOfThese(text, expect, name, values, fallback);
  const botToken = text("SLACK_BOT_TOKEN");
  const appToken = text("SLACK_APP_TOKEN");
  const signingSecret = text("SLACK_SIGNING_SECRET");
  const apiUrl = text("SLACK_API_URL") ?? "https://slack.com/api/";
  expect("SLACK_API_URL", isHttpUrl(apiUrl), "an http or https address", shownAddress(apiUrl));
  expect("SLACK_BOT_TOKEN", botToken === null || botToken.startsWith("xoxb-"), "a bot token, xoxb-…", "something else");
  expect("SLACK_APP_TOKEN", appToken === null || appToken.startsWith("xapp-"), "an app token, xapp-…", "something else");
  const way = appToken ?? signingSecret;
  expect("SLACK_BOT_TOKEN", botToken !== null || way === null, "a bot token beside the other variables of Slack", "nothing");
  expect(
    "SLACK_APP_TOKEN",
    botToken === null || way !== null,
    "an app token for Socket Mode, or SLACK_SIGNING_SECRET for HTTP, as SLACK_BOT_TOKEN is set",
    "neither",
  );
  const config = {
    apiUrl: apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/`,
    streaming: oneOf("SLACK_STREAMING", ["auto", "edit", "native"], "auto"),
    followUps: oneOf("SLACK_FOLLOW_UPS", ["thread", "mention"], "thread"),
    catchUp: oneOf("SLACK_CATCH_UP", ["0", "1"], "1") === "1",
    channels: ids("SLACK_CHANNELS"),
    users: ids("SLACK_USERS"),
    workspaces: ids("SLACK_WORKSPACES") ?? [],
    guests: oneOf("SLACK_GUESTS", ["0", "1"], "0") === "1",
    operators: ids("SLACK_OPERATORS") ?? [],
    settings: oneOf("SLACK_SETTINGS", ["members", "operators"], "members"),
  };
  if (botToken === null || way === null) return null;
  return { botToken, transport: appToken === null ? { signingSecret: way } : { appToken }, ...config };
}

/** Files of the data folder. */
export const dataFiles = (dataDir: string) => ({
  store: join(dataDir, "parley.sqlite"),
  workspace: join(dataDir, "workspace.sqlite"),
  lock: join(dataDir, "lock.sqlite"),
  secrets: join(dataDir, "secrets.json"),
  console: join(dataDir, "console"),
});
