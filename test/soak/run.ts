/** One soak: people ask in many threads on both platforms while requests are spoiled and processes are killed. */
import { setTimeout as wait } from "node:timers/promises";
import { startParley } from "../e2e/parley.ts";
import { openFakeDiscord } from "../fakes/discord/discord.ts";
import { openFakeSlack } from "../fakes/slack/slack.ts";
import { openCluster, type Cluster } from "./cluster.ts";
import { createDiscordStage } from "./discord-stage.ts";
import { harm, type Harm } from "./harm.ts";
import { lateRemovals } from "./late-posts.ts";
import { openModel } from "./model.ts";
import { isSettled, judge, type Verdict } from "./oracle.ts";
import { fasterSlack, platformSpeed } from "./paces.ts";
import type { Patch } from "./patches.ts";
import { converse, type Talk } from "./people.ts";
import { openFaultProxy, type FaultProxy } from "./proxy.ts";
import { createRandom } from "./random.ts";
import { startReplica, usageOf, type Replica, type Usage } from "./replicas.ts";
import { createSlackStage } from "./slack-stage.ts";

export interface SoakOptions {
  readonly threads: number;
  readonly turns: number;
  /** SQLite has one replica, PostgreSQL any number. */
  readonly store: "sqlite" | "postgres";
  readonly replicas: number;
  /** The share of requests that are spoiled, 0 to 1. */
  readonly faults: number;
  readonly kills: number;
  /** Replicas that are stopped for longer than a lease, and go on. */
  readonly freezes: number;
  readonly databaseRestarts: number;
  /** How long people ask, and a quarter more where answers are late. What is unasked then stays so. */
  readonly minutes: number;
  readonly seed: number;
  /** Questions are asked and answers waited for this much longer where they are late, in ms; as long as the table says without it. */
  readonly patienceMs?: number;
  /** A safeguard taken out, for the suite's check of itself. */
  readonly patches?: readonly Patch[];
  readonly say?: (line: string) => void;
}

export interface SoakResult {
  readonly verdict: Verdict;
  /** From the last question to the last settled thread, in ms; null: not within `patienceMs`. */
  readonly settledMs: number | null;
  readonly harm: Harm;
  readonly talks: readonly Talk[];
  readonly proxies: readonly {
    readonly name: string;
    readonly requests: number;
    readonly spoiled: ReadonlyMap<string, number>;
  }[];
  readonly limited: number;
  readonly replicas: readonly Replica[];
  readonly before: readonly (Usage | null)[];
  readonly after: readonly (Usage | null)[];
  readonly tookMs: number;
  /** Late posts that the replicas say they have taken away, or may have. */
  readonly lateRemovals: number;
  /** What the replicas logged at `error`. */
  readonly errors: ReadonlyMap<string, number>;
}

/** Orphans are counted this long after the last question. */
const usualPatienceMs = 60_000;
const lookMs = 5_000;
const extraShare = 0.25;
const leastExtraMs = 45_000;
const workspaceKey = `PARLEY-API-${"s".repeat(64)}`;
const encryptionKey = Buffer.alloc(32, 7).toString("base64");

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const say = options.say ?? (() => {});
  const { patienceMs = usualPatienceMs } = options;
  const random = createRandom(options.seed);
  const opened: (() => Promise<unknown>)[] = [];
  const open = async <T extends { close(): Promise<unknown> }>(opening: Promise<T>): Promise<T> => {
    const one = await opening;
    opened.push(() => one.close());
    return one;
  };
  try {
    const model = await open(openModel({ random: random.fork(), least: 300, most: 3_000 }));
    const slack = await open(openFakeSlack({ rates: true, rateSpeed: platformSpeed, ackMs: 3_000, tries: 20 }));
    const discord = await open(openFakeDiscord({ rates: fasterDiscord, acknowledgeMs: 3_000 }));
    const workspace = await open(
      startParley(
        { WORKSPACE_API_KEY: workspaceKey, OPENAI_BASE_URL: model.url, OPENAI_MODELS: "soak", LOG_LEVEL: "warn" },
        { command: "workspace" },
      ),
    );
    const behind = async (target: string): Promise<FaultProxy> => open(openFaultProxy({ target, random: random.fork() }));
    const proxies = {
      slack: await behind(slack.origin),
      discord: await behind(new URL(discord.apiUrl).origin),
      workspace: await behind(new URL(workspace.url).origin),
    };
    // Sockets and files too are reached through the proxy.
    slack.state.origin = proxies.slack.origin;
    const cluster: Cluster | undefined = options.store === "postgres" ? await open(openCluster()) : undefined;

    const replicas: Replica[] = [];
    for (let index = 0; index < options.replicas; index++) {
      const replica = await startReplica(
        `replica ${index + 1}`,
        {
          SLACK_BOT_TOKEN: slack.tokens.bot,
          SLACK_APP_TOKEN: slack.tokens.app,
          SLACK_API_URL: `${proxies.slack.origin}/api/`,
          DISCORD_BOT_TOKEN: discord.token,
          DISCORD_API_URL: `${proxies.discord.origin}/api`,
          WORKSPACE_BASE_URL: `${proxies.workspace.origin}/api/v1`,
          WORKSPACE_API_KEY: workspaceKey,
          PARLEY_ENCRYPTION_KEY: encryptionKey,
          LOG_LEVEL: "info",
          ...(cluster === undefined ? {} : { DATABASE_URL: cluster.url }),
        },
        [...fasterSlack, ...(options.patches ?? [])],
      );
      opened.push(() => replica.parley.close());
      replicas.push(replica);
    }
    const stages = [createSlackStage(slack, random.fork()), createDiscordStage(discord)] as const;
    await until(
      () => slack.socket.connections > 0 && discord.gateway.connections > 0,
      30_000,
      "no replica has joined the platforms",
    );
    const usage = (): (Usage | null)[] => [...replicas.map((one) => one.usage()), usageOf(workspace.pid())];
    const before = usage();
    const began = Date.now();
    const looking = new AbortController();
    const looks = lookRegularly(replicas, looking.signal);

    for (const proxy of Object.values(proxies)) proxy.share = options.faults;
    const endsAt = began + options.minutes * 60_000;
    const lastAt = endsAt + Math.max(leastExtraMs, options.minutes * 60_000 * extraShare, options.patienceMs ?? 0);
    const { kills, freezes, databaseRestarts } = options;
    const harming = harm({ replicas, cluster, kills, freezes, databaseRestarts, endsAt, random: random.fork(), say });
    const talks = Array.from({ length: options.threads }, (_, index) =>
      converse({ stage: stages[index % stages.length]!, index, turns: options.turns, endsAt, lastAt, random: random.fork() }),
    );
    const talking = Promise.all(talks.map((talk) => talk.done));
    await Promise.race([talking, progress(talks, say, looking.signal)]);
    const harmed = await harming;
    // What is asked and harmed no more has this long to come to its end; requests are still spoiled.
    const lastAsked = Date.now();
    let settledMs: number | null = null;
    while (settledMs === null && Date.now() - lastAsked < patienceMs) {
      if (talks.every((talk) => isSettled(talk.record()))) settledMs = Date.now() - lastAsked;
      else await wait(250);
    }
    for (const proxy of Object.values(proxies)) proxy.share = 0;
    // A message posted twice would come late: nothing may come any more.
    await wait(2_000);
    await Promise.all(replicas.map((one) => one.look()));
    looking.abort();
    await looks;

    return {
      verdict: judge(
        talks.map((talk) => talk.record()),
        model.calls,
        stages.flatMap((stage) => stage.elsewhere()),
      ),
      settledMs,
      harm: harmed,
      talks,
      proxies: Object.entries(proxies).map(([name, { requests, spoiled }]) => ({ name, requests, spoiled })),
      limited: stages.reduce((sum, stage) => sum + stage.limited(), 0),
      replicas,
      before,
      after: usage(),
      tookMs: Date.now() - began,
      lateRemovals: replicas.reduce((sum, { parley }) => sum + lateRemovals(parley.log()), 0),
      errors: errorsIn(replicas.map(({ parley }) => parley.log()).join("")),
    };
  } finally {
    for (const close of opened.toReversed()) await close();
  }
}

/** Five in a quarter of a second, where Discord has them in five seconds. */
const fasterDiscord = Object.fromEntries(
  ["POST /channels/:channel/messages", "PATCH /channels/:channel/messages/:message"].map((route) => [
    route,
    { count: 5, windowMs: 5_000 / platformSpeed },
  ]),
);

async function until(holds: () => boolean, ms: number, otherwise: string): Promise<void> {
  for (const end = Date.now() + ms; !holds(); await wait(50)) if (Date.now() > end) throw new Error(otherwise);
}

async function lookRegularly(replicas: readonly Replica[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await Promise.all(replicas.map((one) => one.look()));
    await wait(lookMs, undefined, { signal }).catch(() => {});
  }
}

/** Says every ten seconds how far it is. Never resolves before the signal. */
async function progress(talks: readonly Talk[], say: (line: string) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(10_000, undefined, { signal }).catch(() => {});
    const records = talks.map((talk) => talk.record());
    const asked = records.reduce((sum, { questions }) => sum + questions.length, 0);
    const shown = records.reduce((sum, { seen }) => sum + seen.filter(({ working }) => !working).length, 0);
    say(`asked ${asked}, ended ${shown}`);
  }
}

function errorsIn(log: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of log.split("\n")) {
    if (!line.startsWith("{")) continue;
    const { level, msg = "" } = JSON.parse(line) as { level?: number; msg?: string };
    if (level !== undefined && level >= 50) counts.set(msg, (counts.get(msg) ?? 0) + 1);
  }
  return counts;
}
