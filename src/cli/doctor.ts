/** `parley doctor`: checks what Parley needs, and says what to do. */
import { existsSync } from "node:fs";
import { createClient } from "../client/index.ts";
import { systemClock, type Clock } from "../clock.ts";
import { dataFiles, isLoopback, type Config } from "../config.ts";
import type { DiscordConfig } from "../config/discord.ts";
import { readSecrets } from "../data-folder.ts";
import { openSqlite } from "../database/sqlite.ts";
import { reasonOf, WorkspaceFault } from "../errors.ts";
import type { StoreSchema } from "../store/schema.ts";
import type { Output } from "./output.ts";

interface Finding {
  readonly ok: boolean;
  readonly text: string;
}

const good = (text: string): Finding => ({ ok: true, text });
const bad = (text: string): Finding => ({ ok: false, text });

function checkConfig(config: Config): Finding[] {
  const { models, host } = config;
  const providers = [
    models.openaiApiKey !== null || models.openaiBaseUrl !== null ? (models.openaiBaseUrl ?? "OpenAI") : null,
    models.anthropicApiKey === null ? null : "Anthropic",
    models.googleApiKey === null ? null : "Google",
  ].filter((name) => name !== null);
  return [
    good(`configuration: listens on ${host}:${config.port}, data in ${config.dataDir}`),
    ...(isLoopback(host)
      ? []
      : [
          good(
            `beyond loopback: console ${config.consoleToken === null ? "closed (CONSOLE_TOKEN opens it)" : "open with its token"}, workspace ${config.workspacePublic ? "open" : "closed"}, metrics ${config.metricsToken === null ? "closed" : "open with their token"}`,
          ),
        ]),
    config.workspace !== null || providers.length > 0
      ? good(config.workspace === null ? `models: ${providers.join(", ")}` : `workspace: hosted, ${config.workspace.baseUrl}`)
      : good(
          "models: only the built-in offline one; set OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY or OPENAI_BASE_URL for a language model",
        ),
  ];
}

async function checkStore(path: string, name: string): Promise<Finding> {
  if (!existsSync(path)) return good(`${name}: none yet; made at the first start`);
  try {
    await openSqlite(path).destroy();
    return good(`${name}: ${path} is sound`);
  } catch (thrown) {
    return bad(`${name}: ${reasonOf(thrown)}`);
  }
}

/** The database that replicas share; looked at, not changed. */
async function checkDatabase(url: string, clock: Clock): Promise<Finding[]> {
  const { expectPostgres, isReadOnly, openPostgres } = await import("../database/postgres.ts");
  const { clockAhead, databaseTime, wrongClock } = await import("../store/clock-watch.ts");
  const { host } = new URL(url);
  const db = await openPostgres<StoreSchema>(url, { deadlineMs: 10_000, connections: 1 });
  try {
    await expectPostgres(db, url);
    const wrong = wrongClock(await clockAhead(clock, () => databaseTime(db)));
    return [
      (await isReadOnly(db))
        ? bad(`store: PostgreSQL at ${host} is read-only, as a standby is; name the one that takes writes in DATABASE_URL`)
        : good(`store: PostgreSQL at ${host} answers`),
      wrong === null ? good("clock: as the database's") : bad(`clock: ${wrong}`),
    ];
  } catch (thrown) {
    return [bad(`store: ${reasonOf(thrown)}`)];
  } finally {
    await db.destroy();
  }
}

/** Where this machine reaches a server that listens on `host`: one that listens on every address, on loopback. */
function rootOf({ host, port }: Config): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** The running server as it sees itself, where its workspace is closed to all but itself. */
async function checkServer(root: string): Promise<Finding[]> {
  let answer: Response;
  try {
    answer = await fetch(`${root}/readyz`, { signal: AbortSignal.timeout(10_000) });
  } catch (thrown) {
    return [good(`workspace: embedded; no server answers at ${root} (${reasonOf(thrown)})`)];
  }
  try {
    const { checks } = (await answer.json()) as { checks: Record<string, string> };
    return Object.entries(checks).map(([name, state]) =>
      state === "ready" ? good(`server: its ${name} is ready`) : bad(`server: its ${name} is not ready: ${state}`),
    );
  } catch (thrown) {
    return [bad(`server: something else than Parley answers at ${root} (${reasonOf(thrown)}); stop it, or set PORT`)];
  }
}

/** The workspace as the running server's client would reach it. */
async function checkWorkspace(config: Config): Promise<Finding[]> {
  const embedded = config.workspace === null;
  if (embedded && !isLoopback(config.host) && !config.workspacePublic) return checkServer(rootOf(config));
  const baseUrl = config.workspace?.baseUrl ?? `${rootOf(config)}/api/v1`;
  const secretsThere = existsSync(dataFiles(config.dataDir).secrets);
  if (embedded && config.ownerKey === null && !secretsThere) return [good("workspace: embedded; not started yet")];
  const apiKey = config.workspace?.apiKey ?? config.ownerKey ?? readSecrets(config.dataDir).ownerKey;
  const client = createClient({ baseUrl, apiKey });
  try {
    const models = await client.models.list({ signal: AbortSignal.timeout(10_000) });
    const usable = models.filter((model) => model.selectable && !model.deprecated);
    return [
      good(`workspace: answers at ${baseUrl}, and accepts the key`),
      usable.length > 0
        ? good(`models: ${usable.length} can be chosen, such as ${usable[0]?.name ?? ""}`)
        : bad("models: none can be chosen; see the workspace's model access and residency rules (npm run parley -- rules)"),
      await client.conversations.list({ size: 1, signal: AbortSignal.timeout(10_000) }).then(
        () => good("key: may read conversations, so replies can be followed"),
        (thrown: unknown) =>
          bad(
            `key: conversations cannot be read (${reasonOf(thrown)}); Parley needs conversations_get beside conversations_manage`,
          ),
      ),
    ];
  } catch (thrown) {
    if (thrown instanceof WorkspaceFault && thrown.kind === "unreachable" && embedded)
      return [good(`workspace: embedded; no server is running at ${baseUrl}`)];
    if (thrown instanceof WorkspaceFault && thrown.kind === "unauthorized")
      return [bad(`workspace: ${baseUrl} does not accept the key; set WORKSPACE_API_KEY to a live one`)];
    return [bad(`workspace: ${baseUrl} does not answer as it should: ${reasonOf(thrown)}`)];
  } finally {
    await client.close();
  }
}

/** discord.js is loaded only where Discord is configured. */
async function checkDiscord(discord: DiscordConfig): Promise<readonly Finding[]> {
  const [adapter, { commands }] = await Promise.all([
    import("../../adapters/discord/doctor.ts"),
    import("../core/commands/index.ts"),
  ]);
  return adapter.checkDiscord(discord, commands);
}

/** Prints a line for each check; false when something has to be done. Changes nothing. */
export async function doctor(config: Config, output: Output, clock: Clock = systemClock): Promise<boolean> {
  const files = dataFiles(config.dataDir);
  const findings = [
    ...checkConfig(config),
    ...(config.databaseUrl === null ? [await checkStore(files.store, "store")] : await checkDatabase(config.databaseUrl, clock)),
    ...(config.workspace === null ? [await checkStore(files.workspace, "workspace's database")] : []),
    ...(await checkWorkspace(config)),
    // The SDK is loaded only where Slack is configured.
    ...(config.slack === null ? [] : await (await import("../../adapters/slack/doctor.ts")).checkSlack(config.slack)),
    ...(config.discord === null ? [] : await checkDiscord(config.discord)),
  ];
  for (const { ok, text } of findings) output.line(`${ok ? "ok  " : "FIX "} ${text}`);
  return findings.every(({ ok }) => ok);
}
