/** The composition root: the only file that names concrete parts and joins them. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { consoleMigrations, createConsole } from "../adapters/console/console.ts";
import { createClient } from "./client/index.ts";
import { systemClock } from "./clock.ts";
import { dataFiles, isLoopback, type Config, type DiscordConfig, type SlackConfig } from "./config.ts";
import { openAccess } from "./core/access.ts";
import type { Directory } from "./core/commands/types.ts";
import { createEngine } from "./core/engine.ts";
import { createPacer } from "./core/relay/pacer.ts";
import { createSettings, type Settings } from "./core/settings.ts";
import { createThreads, type Thread } from "./core/threads.ts";
import { holdDataFolder, makeDataFolder, readSecrets } from "./data-folder.ts";
import { migrate } from "./database/migrate.ts";
import { openSqlite } from "./database/sqlite.ts";
import { Fault, reasonOf } from "./errors.ts";
import { alive, metricsPage, ready, type Checks } from "./front/health.ts";
import { openFront, type Front, type Part } from "./front/server.ts";
import { createLog, type Log } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { discordAccess, slackAccess } from "./platform-access.ts";
import { ensureOwnerKey, keepSampleAgents } from "./service/admin.ts";
import { configuredProviders } from "./service/providers/configured.ts";
import { createService, type Service } from "./service/service.ts";
import { createCipher } from "./store/cipher.ts";
import { clearExpired, createMap } from "./store/key-values.ts";
import { purgeTenant } from "./store/purge.ts";
import { storeMigrations, type StoreSchema } from "./store/schema.ts";
import { createSealedMap } from "./store/sealed-map.ts";
import { createTurnStore } from "./store/turns.ts";
import { sweep, watchWorkspace } from "./upkeep.ts";

export interface App {
  /** Where people open it. */
  readonly url: string;
  /** Takes nothing more in, hands running turns over, and closes everything. At most 25 s. */
  stop(): Promise<void>;
}

const random = (bytes: Uint8Array): Uint8Array => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
const clock = systemClock;
const stopMs = 25_000;

/** An address that a URL can hold. */
const inUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** The embedded workspace, with the owner's key registered. */
async function embed(config: Config, ownerKey: string, log: Log): Promise<Service> {
  const service = await createService({
    dataDir: config.dataDir,
    providers: configuredProviders(config.models, clock),
    clock,
    random,
    log,
  });
  await ensureOwnerKey(service.ctx, ownerKey);
  await keepSampleAgents(service.ctx);
  return service;
}

/** Serves the embedded workspace alone. */
export async function startWorkspace(config: Config): Promise<App> {
  const log = createLog(config.logLevel);
  makeDataFolder(config.dataDir);
  const letGo = holdDataFolder(config.dataDir);
  const service = await embed(config, config.ownerKey ?? readSecrets(config.dataDir).ownerKey, log);
  const loopback = isLoopback(config.host);
  const checks: Checks = { workspace: () => null };
  const parts = new Map<string, Part>([
    ["/healthz", alive],
    ["/readyz", ready(checks)],
  ]);
  const front = await openFront({
    host: config.host,
    port: config.port,
    rules: { loopback },
    log,
    partOf: (path) => {
      const part = parts.get(path);
      if (part !== undefined) return { part, checkOrigin: false };
      return path.startsWith("/api/v1/") && (loopback || config.workspacePublic)
        ? { part: service, checkOrigin: true }
        : undefined;
    },
  });
  const url = `http://${inUrl(config.host)}:${front.port}`;
  service.setPublicUrl(`${url}/api/v1`);
  return {
    url: `${url}/api/v1`,
    async stop() {
      await front.close();
      await service.close();
      letGo();
    },
  };
}

/** Serves everything. What was opened is closed again when a later step fails. */
export async function start(config: Config): Promise<App> {
  const log = createLog(config.logLevel);
  makeDataFolder(config.dataDir);
  const opened: Array<() => Promise<void> | void> = [];
  const close = async (): Promise<void> => {
    for (const end of opened.toReversed()) {
      try {
        await end();
      } catch (thrown) {
        log.error({ err: thrown }, "a part could not be closed");
      }
    }
  };
  try {
    return await assemble(config, log, opened, close);
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function assemble(
  config: Config,
  log: Log,
  opened: Array<() => Promise<void> | void>,
  close: () => Promise<void>,
): Promise<App> {
  const files = dataFiles(config.dataDir);
  opened.push(holdDataFolder(config.dataDir));
  const db = openSqlite<StoreSchema>(files.store);
  opened.push(() => db.destroy());
  await migrate(db, [...storeMigrations, ...consoleMigrations]);
  const secrets =
    config.encryptionKey === null || (config.workspace === null && config.ownerKey === null)
      ? readSecrets(config.dataDir)
      : undefined;
  const cipher = createCipher(config.encryptionKey ?? Buffer.from(secrets?.encryptionKey ?? "", "base64"));
  const store = createTurnStore(db, cipher);
  const metrics = createMetrics(() => store.depth(clock.now()));

  const apiKey = config.workspace?.apiKey ?? config.ownerKey ?? secrets?.ownerKey ?? "";
  const service = config.workspace === null ? await embed(config, apiKey, log) : undefined;
  if (service !== undefined) opened.push(() => service.close());

  const loopback = isLoopback(config.host);
  const parts = new Map<string, Part>();
  let consolePart: Part | undefined;
  const front = await openFront({
    host: config.host,
    port: config.port,
    rules: { loopback },
    log,
    partOf: (path) => {
      const part = parts.get(path);
      if (part !== undefined) return { part, checkOrigin: path === "/metrics" };
      const api = path.startsWith("/api/v1/") || path.startsWith("/mcp/");
      if (api)
        return service !== undefined && (loopback || config.workspacePublic) ? { part: service, checkOrigin: true } : undefined;
      return consolePart !== undefined && (loopback || config.consoleToken !== null)
        ? { part: consolePart, checkOrigin: true }
        : undefined;
    },
  });
  opened.push(() => front.close());
  const url = `http://${inUrl(config.host)}:${front.port}`;
  const baseUrl = config.workspace?.baseUrl ?? (await reachable(service, loopback ? url : undefined, log, opened));
  service?.setPublicUrl(loopback || config.workspacePublic ? `${url}/api/v1` : baseUrl);

  const client = createClient({ baseUrl, apiKey, clock, log });
  opened.push(() => client.close());
  const workspaceState = watchWorkspace(clock, () => client.models.list({ signal: AbortSignal.timeout(5_000) }));
  const settings = createSettings(createMap<Settings>(db, clock, "settings"));
  const threads = createThreads(createMap<Thread>(db, clock, "threads"), createMap<string>(db, clock, "conversations"));
  const engine = createEngine({
    store,
    workspace: client,
    threads,
    settings,
    platforms: () => [console.platform, slack?.platform, discord].filter((platform) => platform !== undefined),
    access(platform) {
      if (platform === slack?.platform.name) return slackAccess(config.slack, () => slack.contact());
      return platform === discord?.name ? discordAccess(config.discord) : openAccess;
    },
    purge: (platform, tenant, except) => purgeTenant(db, platform, tenant, except),
    pacer: createPacer({ clock, log }),
    owner: randomUUID(),
    exclusive: true,
    clock,
    random: Math.random,
    metrics,
    log,
  });
  const console = createConsole({
    db,
    filesDir: files.console,
    directory: engine.directory,
    clock,
    random,
    log,
    ...(loopback || config.consoleToken === null ? {} : { token: config.consoleToken }),
  });
  opened.push(() => console.close());
  consolePart = {
    fetch: (request) => console.app.fetch(request),
    upgrade: (request, socket, head) => console.upgrade(request, socket, head),
  };

  const slack = config.slack === null ? undefined : await openSlack(config.slack, engine.directory);
  const discord = config.discord === null ? undefined : await openDiscord(config.discord, engine.directory);
  if (slack?.fetch !== undefined) parts.set("/slack/events", { fetch: slack.fetch });

  const ended = new AbortController();
  opened.push(() => ended.abort(new Fault("stopping", "this process is stopping")));
  await console.platform.start(engine.inbox, ended.signal);
  await engine.start();
  await slack?.platform.start(engine.inbox, ended.signal);
  // What keeps Discord away keeps nothing else away; `/readyz` says it.
  discord?.start(engine.inbox, ended.signal).catch((thrown: unknown) => {
    if (!ended.signal.aborted) log.error({ err: thrown }, "Discord is not connected");
  });
  opened.push(sweep(clock, store, () => clearExpired(db, clock.now()), log));

  const checks: Checks = {
    console: () => console.platform.health(),
    ...(slack === undefined ? {} : { slack: () => slack.platform.health() }),
    ...(discord === undefined ? {} : { discord: () => discord.health() }),
    store: () =>
      store.depth(clock.now()).then(
        () => null,
        (thrown: unknown) => `the store cannot be read: ${reasonOf(thrown)}`,
      ),
    workspace: workspaceState,
  };
  parts.set("/healthz", alive).set("/readyz", ready(checks));
  if (loopback || config.metricsToken !== null)
    parts.set("/metrics", metricsPage(metrics, loopback ? null : config.metricsToken));

  /** The adapter and the SDK are loaded only where Slack is configured. */
  async function openSlack(settled: SlackConfig, directory: Directory) {
    const { createSlack } = await import("../adapters/slack/slack.ts");
    return createSlack({
      ...settled,
      friends: settled.workspaces,
      settings: (place) => settings.effective(place),
      participation: createMap<true>(db, clock, "slack-participation"),
      seen: createMap<number>(db, clock, "slack-seen"),
      directory,
      clock,
      random: Math.random,
      log,
    });
  }

  /** The adapter and discord.js are loaded only where Discord is configured. */
  async function openDiscord(settled: DiscordConfig, directory: Directory) {
    const { createDiscord } = await import("../adapters/discord/discord.ts");
    const tokenMap = "discord-tokens";
    return createDiscord({
      ...settled,
      settings: (place) => settings.effective(place),
      maps: {
        joined: createMap(db, clock, "discord-joined"),
        marks: createMap(db, clock, "discord-marks"),
        told: createMap(db, clock, "discord-told"),
        tokens: createSealedMap(createMap<string>(db, clock, tokenMap), cipher, tokenMap),
      },
      directory,
      clock,
      random: Math.random,
      log,
    });
  }

  return {
    url,
    async stop() {
      const giveUp = new AbortController();
      const orderly = (async () => {
        await console.platform.stop();
        await slack?.platform.stop();
        await discord?.stop();
        await engine.drain();
        await close();
        giveUp.abort();
      })();
      const late = delay(stopMs, undefined, { signal: giveUp.signal }).then(
        () => log.error({ afterMs: stopMs }, "stopping took too long; what is left is gone on with at the next start"),
        () => {},
      );
      await Promise.race([orderly, late]);
    },
  };
}

/** Where the client reaches the embedded workspace: this server on loopback, else a loopback port of the workspace's own. */
async function reachable(
  service: Service | undefined,
  url: string | undefined,
  log: Log,
  opened: Array<() => Promise<void> | void>,
): Promise<string> {
  if (service === undefined) throw new Fault("workspace", "expected a workspace to act in");
  if (url !== undefined) return `${url}/api/v1`;
  const own: Front = await openFront({
    host: "127.0.0.1",
    port: 0,
    rules: { loopback: true },
    log,
    partOf: (path) => (path.startsWith("/api/v1/") ? { part: service, checkOrigin: true } : undefined),
  });
  opened.push(() => own.close());
  return `http://127.0.0.1:${own.port}/api/v1`;
}
