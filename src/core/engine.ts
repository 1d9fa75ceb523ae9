/** The core put together: what comes in is stored, waits in its lane, is run, and is shown. */
import type { Clock } from "../clock.ts";
import { Fault, reasonOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { judge } from "./access.ts";
import { commands } from "./commands/index.ts";
import type { Command } from "./commands/table.ts";
import type { Directory } from "./commands/types.ts";
import { createLists } from "./directory.ts";
import type { Inbound, InboundAction, Inbox } from "./inbound.ts";
import { createLanes } from "./lanes.ts";
import type { CoreMetrics } from "./metrics.ts";
import { placeKey } from "./place.ts";
import type { ChatPlatform } from "./platform.ts";
import type { Pacer } from "./relay/pacer.ts";
import { openRelay, type Delivery, type Relay, type RelayMetrics, type WriteGuard } from "./relay/relay.ts";
import type { SettingsBook } from "./settings.ts";
import { suggestions } from "./suggestions.ts";
import type { Threads } from "./threads.ts";
import { runCommand } from "./turns/command.ts";
import { converse, type Ending } from "./turns/converse.ts";
import { cancel, change, retryOf } from "./turns/control.ts";
import type { Progress } from "./turns/progress.ts";
import type { Lease, TurnRun } from "./turns/run.ts";
import type { StoredTurn, TurnStore } from "./turns/store.ts";
import { createSigns, type Sign } from "./turns/waiting.ts";
import type { Workspace } from "./workspace.ts";

export interface EngineOptions {
  readonly store: TurnStore;
  readonly workspace: Workspace;
  readonly threads: Threads;
  readonly settings: SettingsBook;
  readonly platforms: () => readonly ChatPlatform[];
  readonly pacer: Pacer;
  /** This process's name among the owners of leases. */
  readonly owner: string;
  /** True when no other process can have the store open. */
  readonly exclusive: boolean;
  readonly clock: Clock;
  /** From 0 up to 1, for the jitter of waits. */
  readonly random: () => number;
  readonly metrics: CoreMetrics & RelayMetrics;
  readonly log: Log;
}

export interface Engine {
  readonly inbox: Inbox;
  readonly directory: Directory;
  start(): Promise<void>;
  /** Gives running turns back; what is stored is gone on with at the next start. */
  drain(): Promise<void>;
}

/** A turn whose platform this process does not have is looked at again after this, in ms. */
const absentMs = 60_000;

export function createEngine(options: EngineOptions): Engine {
  const { store, workspace, threads, settings, clock, metrics, log } = options;
  const lists = createLists(workspace, clock);
  const platformOf = (name: string): ChatPlatform | undefined => options.platforms().find((platform) => platform.name === name);
  const conversing = { workspace, lists, threads, settings, clock, metrics };
  /** Turns that this process received and has shown nothing of: nothing can have been posted for them. */
  const fresh = new Set<string>();

  const open = (
    platform: ChatPlatform,
    place: Inbound["place"],
    key: string,
    delivery: Delivery,
    resumed: boolean,
    guard: WriteGuard,
    journal: (delivery: Delivery) => Promise<void>,
  ): Relay =>
    openRelay({
      platform,
      place,
      key,
      delivery,
      resumed,
      guard,
      journal,
      pacer: options.pacer,
      clock,
      random: options.random,
      metrics,
      log,
    });

  const signs = createSigns(
    store,
    (key, { guard, journal }) => {
      const waiting = received.get(key);
      const platform = waiting === undefined ? undefined : platformOf(waiting.place.platform);
      if (waiting === undefined || platform === undefined) throw new Fault("sign", "expected a message that was just received");
      return open(platform, waiting.place, key, { messages: [], attached: null }, false, guard, journal);
    },
    log,
  );
  const received = new Map<string, Inbound>();

  const enqueue = async (inbound: Inbound): Promise<"new" | "known"> => {
    const lane = laneOf(inbound);
    const stored = await store.put(inbound, lane, clock.now());
    if (stored === "known") return stored;
    metrics.turnReceived(inbound.place.platform, inbound.kind);
    fresh.add(inbound.key);
    void announce(inbound, lane).catch((thrown: unknown) =>
      log.warn(
        { turn: inbound.key, reason: reasonOf(thrown) },
        "a stored turn could not be begun at once; the poll will find it",
      ),
    );
    return stored;
  };
  /** Begins a turn, or shows that it waits. */
  const announce = async (inbound: Inbound, lane: string): Promise<void> => {
    try {
      await lanes.wake(lane);
      if (!fresh.has(inbound.key) || inbound.kind !== "message") return;
      fresh.delete(inbound.key);
      received.set(inbound.key, inbound);
      await signs.show(inbound.key, lane);
    } finally {
      fresh.delete(inbound.key);
      received.delete(inbound.key);
    }
  };
  const laneOf = (inbound: Inbound): string => {
    const inOrder =
      inbound.kind === "message" ||
      (inbound.kind === "action" && inbound.action === "retry") ||
      (inbound.kind === "command" && commandOf(inbound.name)?.order === "lane");
    return inOrder ? placeKey(inbound.place) : `now:${inbound.key}`;
  };
  const commandOf = (name: string): Command | undefined => commands.find((command) => command.name === name.toLowerCase());
  const stop = async (key: string): Promise<void> => {
    lanes.stop(key);
    if (await store.requestStop(key, clock.now())) return;
    log.info({ turn: key }, "a turn that was to be stopped had ended");
  };

  /** The run of a claimed turn, with a reply that goes on where an earlier owner or a waiting sign left it. */
  const takeUp = (turn: StoredTurn, lease: Lease, platform: ChatPlatform): TurnRun => {
    const resumed = !fresh.delete(turn.key);
    const sign = signs.take(turn.key);
    let progress: Progress = sign === undefined ? turn.progress : { ...turn.progress, delivery: sign.delivery };
    let relay: Relay | undefined;
    const save = async (change: Partial<Progress>): Promise<void> => {
      const next = { ...progress, ...change };
      if (!(await store.saveProgress(turn, next))) throw new Fault("lease_lost", "another process has the turn");
      progress = next;
    };
    const journal = (delivery: Delivery): Promise<void> => save({ delivery });
    const adopt = (found: Sign): Relay => {
      found.guard = lease;
      found.journal = journal;
      return found.relay;
    };
    return {
      turn,
      lease,
      platform,
      log,
      save,
      progress: () => progress,
      relay: () =>
        (relay ??=
          sign === undefined
            ? open(platform, turn.inbound.place, progress.origin ?? turn.key, progress.delivery, resumed, lease, journal)
            : adopt(sign)),
    };
  };

  const handle = async (run: TurnRun): Promise<Ending> => {
    const { inbound } = run.turn;
    switch (inbound.kind) {
      case "message":
        return converse(run, inbound, run.turn.key, conversing);
      case "command":
        return runCommand(run, inbound, {
          clock,
          commands,
          context: (command, signal) => ({ command, workspace, lists, threads, settings, store, clock, signal }),
          enqueue: async (message) => void (await enqueue(message)),
          stop,
          retry: async (key, command) => {
            const { place, author, at } = command;
            await enqueue({ kind: "action", key: `${command.key}/retry`, place, author, at, action: "retry", turn: key });
          },
        });
      case "action":
        return act(run, inbound);
      case "edit":
        return change(store, inbound);
      case "delete":
        return cancel(store, inbound.target, clock.now(), stop, async (key) => withdrawSign(run, key));
    }
  };
  const act = async (run: TurnRun, action: InboundAction): Promise<Ending> => {
    if (action.action === "stop") return cancel(store, action.turn, clock.now(), stop, async (key) => withdrawSign(run, key));
    if (action.action === "retry") {
      const origin = await retryOf(run, store, action.turn);
      if (origin !== undefined) return converse(run, origin, action.turn, conversing);
    }
    log.info({ turn: run.turn.key, action: action.action }, "an action that means nothing any more was ignored");
    return { outcome: "done", keepText: false };
  };
  /** Takes the sign of a waiting turn away. */
  const withdrawSign = async (run: TurnRun, key: string): Promise<void> => {
    const sign = signs.take(key);
    if (sign === undefined) return;
    sign.relay.close();
    for (const posted of sign.delivery.messages) await run.platform.remove(posted, run.lease.permit());
  };

  const lanes = createLanes({
    store,
    owner: options.owner,
    exclusive: options.exclusive,
    clock,
    metrics,
    log,
    async run(turn, lease) {
      const platform = platformOf(turn.inbound.place.platform);
      if (platform === undefined) {
        log.warn({ turn: turn.key, platform: turn.inbound.place.platform }, "a turn waits for a platform that is not configured");
        await store.release(turn, clock.now() + absentMs);
        return;
      }
      const run = takeUp(turn, lease, platform);
      try {
        const ending = await handle(run);
        lease.over.throwIfAborted();
        if (!(await store.close(turn, clock.now(), ending.outcome, ending.keepText)))
          throw new Fault("lease_lost", "another process has the turn");
        metrics.turnClosed(platform.name, turn.inbound.kind, ending.outcome);
        log.info({ turn: turn.key, outcome: ending.outcome, ms: clock.now() - turn.createdAt }, "turn closed");
      } finally {
        run.relay().close();
        await signs.refresh(turn.lane);
      }
    },
  });

  return {
    inbox: { receive: async (inbound) => (judge(inbound) === "ignore" ? "known" : enqueue(inbound)) },
    directory: { commands, suggest: (source, query) => suggestions(lists, source, query, log) },
    start: () => lanes.start(),
    async drain() {
      signs.close();
      await lanes.drain();
    },
  };
}
