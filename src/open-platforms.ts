/** The adapters, put together. Each is loaded with its SDK only where it is configured. */
import type { Console } from "../adapters/console/console.ts";
import type { Discord } from "../adapters/discord/discord.ts";
import type { Slack } from "../adapters/slack/slack.ts";
import type { Clock } from "./clock.ts";
import type { DiscordConfig } from "./config/discord.ts";
import type { SlackConfig } from "./config/slack.ts";
import type { Alone } from "./core/alone.ts";
import type { Directory } from "./core/commands/types.ts";
import type { SettingsBook } from "./core/settings.ts";
import type { Log } from "./log.ts";
import type { Cipher } from "./store/cipher.ts";
import { createMap } from "./store/key-values.ts";
import type { StoreDatabase } from "./store/schema.ts";
import { createSealedMap } from "./store/sealed-map.ts";

/** What all adapters are given. */
export interface AdapterParts {
  readonly db: StoreDatabase;
  readonly cipher: Cipher;
  readonly settings: SettingsBook;
  readonly directory: Directory;
  readonly alone: Alone;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Its pages hang on this process, and its files are in the data folder: it is for a Parley of one process.
 * @param token null: whoever reaches it is let in
 */
export async function openConsole(
  { db, directory, clock, log }: AdapterParts,
  filesDir: string,
  token: string | null,
): Promise<Console> {
  const { createConsole } = await import("../adapters/console/console.ts");
  const random = (bytes: Uint8Array): Uint8Array => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  return createConsole({ db, filesDir, directory, clock, random, log, ...(token === null ? {} : { token }) });
}

export async function openSlack(parts: AdapterParts, config: SlackConfig): Promise<Slack> {
  const { createSlack } = await import("../adapters/slack/slack.ts");
  const { db, settings, directory, clock, log } = parts;
  return createSlack({
    ...config,
    friends: config.workspaces,
    groups: [...(config.groups ?? []), ...config.deny.groups],
    settings: (place) => settings.effective(place),
    participation: createMap<true>(db, clock, "slack-participation"),
    seen: createMap<number>(db, clock, "slack-seen"),
    directory,
    clock,
    random: Math.random,
    log,
  });
}

/** @param onGateway told whether this process is the one of all replicas that is connected to the gateway */
export async function openDiscord(
  parts: AdapterParts,
  config: DiscordConfig,
  onGateway: (holds: boolean) => void,
): Promise<Discord> {
  const { createDiscord } = await import("../adapters/discord/discord.ts");
  const { db, cipher, settings, directory, alone, clock, log } = parts;
  const tokenMap = "discord-tokens";
  return createDiscord({
    ...config,
    settings: (place) => settings.effective(place),
    maps: {
      joined: createMap(db, clock, "discord-joined"),
      marks: createMap(db, clock, "discord-marks"),
      told: createMap(db, clock, "discord-told"),
      tokens: createSealedMap(createMap<string>(db, clock, tokenMap), cipher, tokenMap),
    },
    directory,
    alone,
    onGateway,
    clock,
    random: Math.random,
    log,
  });
}
