/** The composition root: names the concrete parts and joins them; adapters and the embedded workspace are put together beside it. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { openAuditFile } from "./audit-file.ts";
import { createAgent } from "./client/agent.ts";
import { createBreaker } from "./client/breaker.ts";
import { createClient } from "./client/index.ts";
import { systemClock } from "./clock.ts";
import { dataFiles, isLoopback, type Config } from "./config.ts";
import { openAccess } from "./core/access.ts";
import { createAllowances } from "./core/allowances.ts";
import { createAccounts } from "./core/accounts.ts";
import { createAloneHere } from "./core/alone.ts";
import { silentBell } from "./core/bell.ts";
import { commands } from "./core/commands/index.ts";
import { createEngine } from "./core/engine.ts";
import { purposes } from "./core/forms/purposes.ts";
import { createPacer } from "./core/relay/pacer.ts";
import { shareBudgets } from "./core/relay/shared.ts";
import { leaseTimes } from "./core/turns/lease.ts";
import { holdDataFolder, makeDataFolder, readSecrets } from "./data-folder.ts";
import { openCipher } from "./encryption.ts";
import { Fault } from "./errors.ts";
import { alive, metricsPage, ready, type Checks } from "./front/health.ts";
import { openFront, type Part } from "./front/server.ts";
import { isWorkspacePath, openLoopback } from "./front/workspace.ts";
import { createLog, type Log } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { openConsole, openDiscord, openSlack, type AdapterParts } from "./open-platforms.ts";
import { openStore } from "./open-store.ts";
import { discordAccess, slackAccess } from "./platform-access.ts";
import { databaseTime, watchClock } from "./store/clock-watch.ts";
import { createCounters } from "./store/allowances.ts";
import { createAlone } from "./store/alone.ts";
import { createAudit } from "./store/audit.ts";
import { createBell } from "./store/bell.ts";
import { openBooks } from "./store/books.ts";
import { createForgetting } from "./store/forgetting.ts";
import { clearExpired } from "./store/key-values.ts";
import { createLinks } from "./store/links.ts";
import { createDivisions } from "./store/divisions.ts";
import { createPulse } from "./store/pulse.ts";
import { createParked } from "./store/parked.ts";
import { createTurnStore } from "./store/turns.ts";
import { dayMs, sweep, watchWorkspace } from "./upkeep.ts";

export interface App {
  /** Where people open it. */
  readonly url: string;
  /** Takes nothing more in, hands running turns over, and closes everything. At most 25 s. */
  stop(): Promise<void>;
}

/** In the console's place, where several replicas share a database. */
const withoutConsole: Part = {
  fetch: () =>
    new Response(
      "Parley is running. The console is not served with DATABASE_URL, as its pages and files belong to one process: talk to Parley in Slack or Discord.\n",
      { headers: { "content-type": "text/plain; charset=utf-8" } },
    ),
};

const clock = systemClock;
/** The longest that a stop takes, in ms. Whoever ends the process by force waits longer. */
export const stopMs = 25_000;
/** Until there is a connection to the workspace, in ms; all accounts share the connections. What a lease permits to send leaves before it ends. */
const connectMs = leaseTimes.margin;

/** Serves everything. What was opened is closed again when a later step fails. */
export async function start(config: Config): Promise<App> {
  const log = createLog(config.logLevel);
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
  // What replicas share is in their database: they keep nothing in a folder.
  if (config.databaseUrl === null) {
    makeDataFolder(config.dataDir);
    opened.push(holdDataFolder(config.dataDir));
  }
  const {
    db,
    patient,
    channel,
    refusedWrites,
    newer,
    close: closeStore,
  } = await openStore(
    config,
    config.databaseUrl === null ? (await import("../adapters/console/schema.ts")).consoleMigrations : [],
  );
  opened.push(closeStore);
  if (newer.length > 0)
    log.warn({ migrations: newer }, "the store was changed by a newer version; this one goes on with what it knows of it");
  const between = channel?.(log);
  if (between !== undefined) opened.push(() => between.close());
  const cipher = openCipher(config);
  const store = createTurnStore(db, cipher);
  const { auditFile, auditDays, retentionDays } = config.keeping;
  const counters = createCounters(db);
  const forgetting = createForgetting(patient, cipher);
  const audit = createAudit(db, clock, auditFile === null ? undefined : openAuditFile(auditFile, log));
  const metrics = createMetrics(() => store.depth(clock.now()));

  const apiKey = config.workspace?.apiKey ?? config.ownerKey ?? readSecrets(config.dataDir).ownerKey;
  const service = config.workspace === null ? await (await import("./embedded.ts")).openEmbedded(config, apiKey, log) : undefined;
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
      if (isWorkspacePath(path))
        return service !== undefined && (loopback || config.workspacePublic) ? { part: service, checkOrigin: true } : undefined;
      return consolePart !== undefined && (loopback || config.consoleToken !== null)
        ? { part: consolePart, checkOrigin: true }
        : undefined;
    },
  });
  opened.push(() => front.close());
  const { url } = front;
  const baseUrl = config.workspace?.baseUrl ?? `${await embeddedOrigin()}/api/v1`;
  service?.setPublicUrl(loopback || config.workspacePublic ? `${url}/api/v1` : baseUrl);

  const agent = createAgent(connectMs);
  opened.push(() => agent.destroy());
  const address = { baseUrl, ...(config.workspace?.mcpUrl != null && { mcpUrl: config.workspace.mcpUrl }) };
  const breaker = createBreaker(clock, Math.random, log, (failing) => metrics.workspaceFails(failing));
  const connect = (key: string) => createClient({ ...address, apiKey: key, dispatcher: agent, breaker, clock, log });
  const client = connect(apiKey);
  opened.push(() => client.close());
  const people = { links: createLinks(db, cipher), parked: createParked(db, cipher), connect };
  const accounts = createAccounts({ shared: client, links: people.links, connect, clock });
  const workspaceState = watchWorkspace(clock, () => client.models.list({ signal: AbortSignal.timeout(5_000) }));
  const alone = config.databaseUrl === null ? createAloneHere() : createAlone({ db, clock, log });
  const divisions = createDivisions(db, () => clock.now());
  const shared = config.databaseUrl === null ? undefined : shareBudgets({ name: randomUUID(), table: divisions, clock, log });
  if (shared !== undefined) opened.push(() => shared.stop());
  if (config.databaseUrl !== null)
    opened.push(watchClock({ ask: () => databaseTime(db), clock, log, told: (ms) => metrics.clockAhead(ms) }));
  const books = openBooks(db, cipher, clock);
  const engine = createEngine({
    ...books,
    store,
    accounts,
    people,
    commands,
    askAbove: config.media.askAbove,
    purposes,
    platforms: () => [console?.platform, slack?.platform, discord].filter((platform) => platform !== undefined),
    threadNames: (platform) => (platform === discord?.name ? discord : undefined),
    access(platform) {
      if (platform === slack?.platform.name) return slackAccess(config.slack, config, () => slack.contact());
      return platform === discord?.name ? discordAccess(config.discord, config) : openAccess;
    },
    forgetting,
    allowances: createAllowances(counters, config.allowances, clock),
    audit,
    pacer: createPacer({ clock, log, ...(shared === undefined ? {} : { shared }) }),
    owner: randomUUID(),
    exclusive: config.databaseUrl === null,
    alone,
    bell: between === undefined ? silentBell : createBell(between, log),
    clock,
    random: Math.random,
    metrics,
    log,
  });
  const adapterParts: AdapterParts = { db, cipher, settings: books.settings, directory: engine.directory, alone, clock, log };
  const console =
    config.databaseUrl === null
      ? await openConsole(adapterParts, dataFiles(config.dataDir).console, loopback ? null : config.consoleToken)
      : undefined;
  if (console !== undefined) {
    opened.push(() => console.close());
    consolePart = {
      fetch: (request) => console.app.fetch(request),
      upgrade: (request, socket, head) => console.upgrade(request, socket, head),
    };
  } else if (loopback) parts.set("/", withoutConsole);
  const slack = config.slack === null ? undefined : await openSlack(adapterParts, config.slack);
  const discord =
    config.discord === null ? undefined : await openDiscord(adapterParts, config.discord, (holds) => metrics.holdsGateway(holds));
  if (slack?.fetch !== undefined) parts.set("/slack/events", { fetch: slack.fetch });

  const ended = new AbortController();
  opened.push(() => ended.abort(new Fault("stopping", "this process is stopping")));
  await console?.platform.start(engine.inbox, ended.signal);
  await engine.start();
  await slack?.platform.start(engine.inbox, ended.signal);
  // What keeps Discord away keeps nothing else away; `/readyz` says it.
  discord?.start(engine.inbox, ended.signal).catch((thrown: unknown) => {
    if (!ended.signal.aborted) log.error({ err: thrown }, "Discord is not connected");
  });
  const clear = async (): Promise<void> => {
    await clearExpired(patient, clock.now());
    await engine.giveUpWaiting();
    await divisions.prune();
    await createCounters(patient).prune(clock.now() - 2 * dayMs);
    await createAudit(patient, clock).prune(clock.now() - auditDays * dayMs);
    while ((await forgetting.prune(clock.now() - retentionDays * dayMs)) > 0);
  };
  opened.push(sweep(clock, store, clear, log));

  const checks: Checks = {
    ...(console === undefined ? {} : { console: () => console.platform.health() }),
    ...(slack === undefined ? {} : { slack: () => slack.platform.health() }),
    ...(discord === undefined ? {} : { discord: () => discord.health() }),
    store: createPulse({ db, clock, refusedWrites }),
    workspace: workspaceState,
  };
  parts.set("/healthz", alive).set("/readyz", ready(checks));
  if (loopback || config.metricsToken !== null)
    parts.set("/metrics", metricsPage(metrics, loopback ? null : config.metricsToken));

  /** Where the client reaches the embedded workspace: this server on loopback, else a loopback port of the workspace's own. */
  async function embeddedOrigin(): Promise<string> {
    if (service === undefined) throw new Fault("workspace", "expected a workspace to act in");
    if (loopback) return url;
    const own = await openLoopback(service, log);
    opened.push(() => own.close());
    return own.url;
  }

  return {
    url,
    async stop() {
      const giveUp = new AbortController();
      const orderly = (async () => {
        await console?.platform.stop();
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
