/** What is counted, for Prometheus. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { tolerated } from "./client/breaker.ts";
import type { CoreMetrics } from "./core/metrics.ts";
import type { RelayMetrics } from "./core/relay/relay.ts";
import { outcomes } from "./core/turns/store.ts";
import { clockMayBeOff } from "./store/clock-watch.ts";

export interface Metrics extends CoreMetrics, RelayMetrics {
  /** How far this machine's clock is ahead of the database's, in ms. */
  clockAhead(ms: number): void;
  /** Whether the workspace has failed so often that this process asks it by one probe at a time. */
  workspaceFails(fails: boolean): void;
  /** Whether this process is the one that is connected to Discord's gateway, or about to be. */
  holdsGateway(holds: boolean): void;
  /** The text that `/metrics` serves. */
  text(): Promise<string>;
  readonly contentType: string;
}

export interface Depth {
  readonly waiting: number;
  readonly running: number;
  readonly oldestWaitingMs: number;
}

const secondsBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Of what all replicas share, each of them tells all of it. */
const shared = "in the store that all replicas share: take their maximum, not their sum";

/** @param depth how many turns wait and run in the store; asked for at each reading. Where it throws, what it would tell is left out. */
export function createMetrics(depth: () => Promise<Depth>): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const received = new Counter({
    name: "parley_turns_received_total",
    help: "Messages, commands and actions stored",
    labelNames: ["platform", "kind"],
    registers,
  });
  const closed = new Counter({
    name: "parley_turns_closed_total",
    help: `Turns ended, by outcome: ${Object.keys(outcomes).join(", ")}`,
    labelNames: ["platform", "kind", "outcome"],
    registers,
  });
  const firstWords = new Histogram({
    name: "parley_first_words_seconds",
    help: "From a reply's beginning to its first acknowledged words",
    buckets: secondsBuckets,
    registers,
  });
  const finish = new Histogram({
    name: "parley_finish_seconds",
    help: "From a reply's final state to its acknowledgement",
    buckets: secondsBuckets,
    registers,
  });
  const staleness = new Histogram({
    name: "parley_staleness_seconds",
    help: "Age of the oldest unseen text when it was acknowledged",
    buckets: secondsBuckets,
    registers,
  });
  const sent = new Counter({ name: "parley_edits_sent_total", help: "Writes acknowledged by platforms", registers });
  const saved = new Counter({ name: "parley_edits_saved_total", help: "Updates that a newer one made needless", registers });
  const held = new Histogram({
    name: "parley_held_back_seconds",
    help: "Pauses that platforms asked for, as they are kept",
    buckets: secondsBuckets,
    registers,
  });
  const leases = new Counter({ name: "parley_leases_lost_total", help: "Turns left to another owner", registers });
  const late = new Counter({
    name: "parley_late_writes_total",
    help: "Writes that ended after their lease; the newest text is written again",
    registers,
  });
  const latePosts = new Counter({
    name: "parley_late_posts_total",
    help: "Posts made after their lease: removed, kept as the answer's own, none after all, or left over",
    labelNames: ["end"],
    registers,
  });
  const errors = new Counter({
    name: "parley_workspace_errors_total",
    help: "Errors of the workspace, by kind",
    labelNames: ["kind"],
    registers,
  });
  const ratings = new Counter({
    name: "parley_ratings_total",
    help: "Answers that people called helpful or not",
    labelNames: ["platform", "verdict"],
    registers,
  });
  const here = new Gauge({ name: "parley_turns_here", help: "Turns that this process has now", registers });
  const waiting = new Gauge({ name: "parley_turns_waiting", help: `Turns waiting now, ${shared}`, registers });
  const running = new Gauge({ name: "parley_turns_running", help: `Turns running now, ${shared}`, registers });
  const oldest = new Gauge({
    name: "parley_oldest_waiting_seconds",
    help: `Age of the turn that has waited longest, ${shared}`,
    registers,
  });
  const failing = new Gauge({
    name: "parley_workspace_failing",
    help: `1 while this process asks the workspace by one probe at a time, as it has failed ${tolerated} times in a row`,
    registers,
  });
  const ahead = new Gauge({
    name: "parley_clock_ahead_seconds",
    help: `How far this machine's clock is ahead of PostgreSQL's; negative: behind. More than ${clockMayBeOff / 1000} either way is too much`,
    registers,
  });
  const gateway = new Gauge({
    name: "parley_discord_gateway",
    help: "1 where this process holds Discord's gateway, 0 where another does or Discord is off: their sum is 1",
    registers,
  });
  const answers = new Gauge({
    name: "parley_store_answers",
    help: "1 where the store could be read just now; at 0 turns waiting, running and the oldest one's age are left out",
    registers,
  });
  const readStore = async (): Promise<void> => {
    try {
      const now = await depth();
      waiting.set(now.waiting);
      running.set(now.running);
      oldest.set(now.oldestWaitingMs / 1000);
      answers.set(1);
    } catch {
      // The gauge tells it, and `/readyz` says why; a number of before would be taken for one of now.
      for (const gauge of [waiting, running, oldest]) gauge.remove();
      answers.set(0);
    }
  };

  return {
    turnReceived: (platform, kind) => received.inc({ platform, kind }),
    turnClosed: (platform, kind, outcome) => closed.inc({ platform, kind, outcome }),
    rated: (platform, verdict) => ratings.inc({ platform, verdict }),
    leaseLost: () => leases.inc(),
    turnsHere: (count) => here.set(count),
    lateWrite: () => late.inc(),
    latePost: (end) => latePosts.inc({ end }),
    workspaceError: (kind) => errors.inc({ kind }),
    firstWords: (ms) => firstWords.observe(ms / 1000),
    staleness: (ms) => staleness.observe(ms / 1000),
    finish: (ms) => finish.observe(ms / 1000),
    editSent: () => sent.inc(),
    editSaved: () => saved.inc(),
    heldBack: (ms) => held.observe(ms / 1000),
    workspaceFails: (fails) => failing.set(fails ? 1 : 0),
    clockAhead: (ms) => ahead.set(ms / 1000),
    holdsGateway: (holds) => gateway.set(holds ? 1 : 0),
    contentType: registry.contentType,
    async text() {
      await readStore();
      return registry.metrics();
    },
  };
}
