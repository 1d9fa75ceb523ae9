/** One soak: people ask in many threads on both platforms while requests are spoiled and processes are killed. */
import { setTimeout as wait } from "node:timers/promises";
import { startParley } from "../e2e/parley.ts";
import { openFakeDiscord } from "../fakes/discord/discord.ts";
import { openFakeSlack } from "../fakes/slack/slack.ts";
import { openCluster, type Cluster } from "./cluster.ts";
import { createDiscordStage } from "./discord-stage.ts";
import { aroundOf, causeOf, type Cause, type ReplicaHarm } from "./acknowledging.ts";
import { harm, type Harm } from "./harm.ts";
import { lateRemovals } from "./late-posts.ts";
import { openModel } from "./model.ts";
import { isSettled, judge, type Verdict } from "./oracle.ts";
import { fasterSlack, platformSpeed, slackTries } from "./paces.ts";
import type { Patch } from "./patches.ts";
import { converse, type Talk } from "./people.ts";
import { openFaultProxy, type FaultProxy, type RequestFault } from "./proxy.ts";
import { createRandom } from "./random.ts";
import { loopDelayOf, loopsOf, openProbe, type LoopDelay } from "./probe.ts";
import { lateness, type LoopSecond } from "./probed.ts";
import { startReplica, type Replica } from "./replicas.ts";
import { createSlackStage } from "./slack-stage.ts";
import type { Span } from "./spans.ts";
import type { Try } from "./stage.ts";
import { steadyStretch, type Held, type Stretch } from "./steady.ts";

export interface SoakOptions {
  readonly threads: number;
  readonly turns: number;
  /** SQLite has one replica, PostgreSQL any number. */
  readonly store: "sqlite" | "postgres";
  readonly replicas: number;
  /** The share of requests that are spoiled, 0 to 1. */
  readonly faults: number;
  /** How they are spoiled; in every way without it. */
  readonly kinds?: readonly [RequestFault, ...RequestFault[]];
  readonly kills: number;
  readonly freezes: number;
  readonly databaseRestarts: number;
  /** None without these two. */
  readonly databaseCuts?: number;
  readonly databaseFreezes?: number;
  /** How long there are kills, freezes and harms of the database. */
  readonly minutes: number;
  /**
   * How long people go on afterwards without those, while memory is watched; not at all without it. Where answers are late they
   * go on for a quarter more of the whole time; what is unasked then stays so.
   */
  readonly steadyMinutes?: number;
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
  /** What was to be done, and what of it could not be. */
  readonly wanted: Harm;
  readonly undone: readonly string[];
  /** When the database was harmed. */
  readonly databaseHarmed: readonly Span[];
  /** Of every sending of an event to Parley: what was being harmed on its way. */
  readonly tries: readonly {
    readonly cause: Cause;
    readonly ackMs: number | null;
    /** False: no socket was open. */
    readonly sent: boolean;
    readonly around: string;
  }[];
  readonly talks: readonly Talk[];
  readonly proxies: readonly {
    readonly name: string;
    readonly requests: number;
    readonly spoiled: ReadonlyMap<string, number>;
    /** Upgraded connections that were broken or silenced. */
    readonly spoiledLive: number;
  }[];
  readonly limited: number;
  readonly replicas: readonly Replica[];
  readonly loops: readonly ({ readonly name: string } & ReturnType<typeof loopsOf>)[];
  /** The suite's own: its fakes and its proxies answer late by it, too. */
  readonly ownLoop: LoopDelay | null;
  /** Of the replicas and the workspace, without kills; none without such a time. */
  readonly steady: readonly Stretch[];
  /** Of the workspace, which lives throughout: at the start and at the end. */
  readonly workspace: readonly [start: Held, end: Held];
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
    const slack = await open(openFakeSlack({ rates: true, rateSpeed: platformSpeed, ...slackTries }));
    const discord = await open(openFakeDiscord({ rates: fasterDiscord, acknowledgeMs: 3_000 }));
    const { probe, flags, env: probed } = openProbe();
    opened.push(() => Promise.resolve(probe.close()));
    const workspace = await open(
      startParley(
        { WORKSPACE_API_KEY: workspaceKey, OPENAI_BASE_URL: model.url, OPENAI_MODELS: "soak", LOG_LEVEL: "warn", ...probed },
        { command: "workspace", flags },
      ),
    );
    probe.of(workspace);
    const { kinds } = options;
    const behind = async (target: string): Promise<FaultProxy> =>
      open(openFaultProxy({ target, random: random.fork(), ...(kinds === undefined ? {} : { faults: kinds }) }));
    const proxies = {
      discord: await behind(new URL(discord.apiUrl).origin),
      workspace: await behind(new URL(workspace.url).origin),
    };
    /** Each replica reaches Slack its own way, so that it is known whose a socket is. */
    const ways: FaultProxy[] = [];
    for (let index = 0; index < options.replicas; index++) ways.push(await behind(slack.origin));
    // Files too are reached through a proxy.
    slack.state.origin = ways[0]?.origin ?? slack.origin;
    const cluster: Cluster | undefined = options.store === "postgres" ? await open(openCluster()) : undefined;

    const replicas: Replica[] = [];
    for (let index = 0; index < options.replicas; index++) {
      const replica = await startReplica(
        `replica ${index + 1}`,
        {
          SLACK_BOT_TOKEN: slack.tokens.bot,
          SLACK_APP_TOKEN: slack.tokens.app,
          SLACK_API_URL: `${ways[index]?.origin}/api/`,
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
      opened.push(() => replica.close());
      replicas.push(replica);
    }
    const stages = [createSlackStage(slack, random.fork()), createDiscordStage(discord)] as const;
    await until(
      () => slack.socket.connections > 0 && discord.gateway.connections > 0,
      30_000,
      "no replica has joined the platforms",
    );
    const startedWith = await probe.heap();
    const began = Date.now();
    const looking = new AbortController();
    const looks = lookRegularly(replicas, looking.signal);
    const ownSeconds: LoopSecond[] = [];
    const ownLoop = lateness((second) => void ownSeconds.push(second));
    opened.push(() => Promise.resolve(ownLoop.stop()));

    const allProxies = [...ways, ...Object.values(proxies)];
    for (const proxy of allProxies) proxy.share = options.faults;
    const harmEndsAt = began + options.minutes * 60_000;
    const steadyMs = (options.steadyMinutes ?? 0) * 60_000;
    const endsAt = harmEndsAt + steadyMs;
    const lastAt = endsAt + Math.max(leastExtraMs, (endsAt - began) * extraShare, options.patienceMs ?? 0);
    const wanted = {
      kills: options.kills,
      freezes: options.freezes,
      databaseRestarts: options.databaseRestarts,
      databaseCuts: options.databaseCuts ?? 0,
      databaseFreezes: options.databaseFreezes ?? 0,
    };
    const harming = harm({ replicas, cluster, wanted, endsAt: harmEndsAt, random: random.fork() });
    const watched = [...replicas, { name: "the workspace", probe }];
    const resting = harming.then(() => (steadyMs === 0 ? [] : steadyStretch(watched, endsAt, say)));
    const talks = Array.from({ length: options.threads }, (_, index) =>
      converse({ stage: stages[index % stages.length]!, index, turns: options.turns, endsAt, lastAt, random: random.fork() }),
    );
    const talking = Promise.all(talks.map((talk) => talk.done));
    await Promise.race([talking, progress(talks, say, looking.signal)]);
    const undone = await harming;
    const steady = await resting;
    // What is asked and harmed no more has this long to come to its end; requests are still spoiled.
    const lastAsked = Date.now();
    let settledMs: number | null = null;
    while (settledMs === null && Date.now() - lastAsked < patienceMs) {
      if (talks.every((talk) => isSettled(talk.record()))) settledMs = Date.now() - lastAsked;
      else await wait(250);
    }
    for (const proxy of allProxies) proxy.share = 0;
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
      wanted,
      undone,
      databaseHarmed: cluster?.harmed ?? [],
      tries: triesOf(talks, replicas, ways, cluster?.harmed ?? []),
      talks,
      proxies: [...ways.map((way, index) => [`Slack from replica ${index + 1}`, way] as const), ...Object.entries(proxies)].map(
        ([name, { requests, spoiled, spoiledLive }]) => ({ name, requests, spoiled, spoiledLive: spoiledLive.length }),
      ),
      limited: stages.reduce((sum, stage) => sum + stage.limited(), 0),
      replicas,
      loops: replicas.map(({ name, probe, away }) => ({ name, ...loopsOf(probe, away, began) })),
      ownLoop: loopDelayOf(ownSeconds),
      steady,
      workspace: [startedWith, await probe.heap()],
      tookMs: Date.now() - began,
      lateRemovals: replicas.reduce((sum, { parley }) => sum + lateRemovals(parley.log()), 0),
      errors: errorsIn(replicas.map(({ parley }) => parley.log()).join("")),
    };
  } finally {
    for (const close of opened.toReversed()) await close();
  }
}

/** Each sending of a question, with what was being harmed on its way. */
function triesOf(
  talks: readonly Talk[],
  replicas: readonly Replica[],
  ways: readonly FaultProxy[],
  store: readonly Span[],
): SoakResult["tries"] {
  const harms = replicas.map(({ away }, index): ReplicaHarm => {
    const { origin = "http://nowhere", spoiledLive = [] } = ways[index] ?? {};
    return { host: new URL(origin).host, away, spoiledLive };
  });
  return talks
    .flatMap(({ tries }) => tries)
    .map((one: Try) => ({
      cause: causeOf(one, harms, store),
      ackMs: one.ackMs,
      sent: one.to !== null,
      around: aroundOf(one, harms, store),
    }));
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
    const { level, msg = "" } = JSON.parse(line) as { level?: string; msg?: string };
    if (level === "error" || level === "fatal") counts.set(msg, (counts.get(msg) ?? 0) + 1);
  }
  return counts;
}
