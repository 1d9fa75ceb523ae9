/** The environment, read once, in one pure function; every problem is reported at once. A part of it is a file in `config/`. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { discordVariables, readDiscord, type DiscordConfig } from "./config/discord.ts";
import { allowanceVariables, readAllowances, type AllowancesConfig } from "./config/allowances.ts";
import { encryptionVariables, readEncryption, type EncryptionConfig } from "./config/encryption.ts";
import { keepingVariables, readKeeping, type KeepingConfig } from "./config/keeping.ts";
import { mediaVariables, readMedia, type MediaConfig } from "./config/media.ts";
import { modelVariables, readModels, type ModelsConfig } from "./config/models.ts";
import { createReader, type Environment, type VariableInfo } from "./config/reader.ts";
import { readSlack, slackVariables, type SlackConfig } from "./config/slack.ts";
import { readStore, storeVariables, type StoreConfig } from "./config/store.ts";
import { readWorkspace, workspaceVariables, type WorkspaceConfig } from "./config/workspace.ts";
import { Fault } from "./errors.ts";

export interface Config extends WorkspaceConfig, StoreConfig, EncryptionConfig {
  /** Folder of the SQLite files, uploads and generated secrets. */
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly logLevel: LogLevel;
  readonly consoleToken: string | null;
  readonly workspacePublic: boolean;
  readonly metricsToken: string | null;
  readonly models: ModelsConfig;
  readonly allowances: AllowancesConfig;
  readonly media: MediaConfig;
  readonly keeping: KeepingConfig;
  /** Null: without Slack. */
  readonly slack: SlackConfig | null;
  /** Null: without Discord. */
  readonly discord: DiscordConfig | null;
}

const logLevels = ["trace", "debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export const variables: readonly VariableInfo[] = [
  { name: "PARLEY_DATA", fallback: "./data", help: "folder of the SQLite files, uploads and generated secrets" },
  ...storeVariables,
  {
    name: "HOST",
    fallback: "127.0.0.1",
    help: "address to listen on; on any other than loopback only health is served until opened",
  },
  { name: "PORT", fallback: "3000", help: "port to listen on" },
  { name: "LOG_LEVEL", fallback: "info", help: logLevels.join(", ") },
  ...workspaceVariables,
  ...encryptionVariables,
  { name: "CONSOLE_TOKEN", fallback: "none", help: "opens the console beyond loopback, to whoever has this token", secret: true },
  { name: "WORKSPACE_PUBLIC", fallback: "off", help: "1 opens the embedded workspace beyond loopback" },
  { name: "METRICS_TOKEN", fallback: "none", help: "opens /metrics beyond loopback, to whoever has this token", secret: true },
  ...allowanceVariables,
  ...mediaVariables,
  ...keepingVariables,
  ...slackVariables,
  ...discordVariables,
  ...modelVariables,
];

/** Variables that may be given as files. */
export const secretNames: readonly string[] = variables.flatMap(({ name, secret }) => (secret === true ? [name] : []));

/** True for addresses that only this machine reaches. */
export const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * The configuration that `env` describes, with secrets from the files that it names.
 * Throws a Fault `config` that names every wrong variable, what was expected and what was found; secrets are not repeated in it.
 */
export function readConfig(
  env: Environment = process.env,
  readFile: (path: string) => string = (path) => readFileSync(path, "utf8"),
): Config {
  const reader = createReader(env, new Set(secretNames), readFile);
  const { text, expect, oneOf, flag, problems } = reader;

  const portText = text("PORT") ?? "3000";
  const port = Number(portText);
  expect("PORT", /^\d+$/.test(portText) && port <= 65535, "a whole number from 0 to 65535", JSON.stringify(portText));

  const config: Config = {
    dataDir: resolve(text("PARLEY_DATA") ?? "data"),
    host: text("HOST") ?? "127.0.0.1",
    port,
    logLevel: oneOf("LOG_LEVEL", logLevels, "info"),
    ...readStore(reader),
    ...readWorkspace(reader),
    ...readEncryption(reader),
    consoleToken: text("CONSOLE_TOKEN"),
    workspacePublic: flag("WORKSPACE_PUBLIC", false),
    metricsToken: text("METRICS_TOKEN"),
    allowances: readAllowances(reader),
    media: readMedia(reader),
    keeping: readKeeping(reader),
    slack: readSlack(reader),
    discord: readDiscord(reader),
    models: readModels(reader),
  };
  if (problems.length > 0)
    throw new Fault(
      "config",
      `the configuration has ${problems.length === 1 ? "a problem" : "problems"}:\n  ${problems.join("\n  ")}`,
    );
  return Object.freeze(config);
}

/** Files of the data folder. */
export const dataFiles = (dataDir: string) => ({
  store: join(dataDir, "parley.sqlite"),
  workspace: join(dataDir, "workspace.sqlite"),
  lock: join(dataDir, "lock.sqlite"),
  secrets: join(dataDir, "secrets.json"),
  console: join(dataDir, "console"),
});
