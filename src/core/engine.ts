/** The core put together: what comes in is stored, waits in its lane, is run, and is shown. */
import type { Clock } from "../clock.ts";
import { Fault, reasonOf } from "../errors.ts";
import type { Log } from "../log.ts";
import { judge, mayDo, refuseAccess, type AccessRules } from "./access.ts";
import { commands } from "./commands/index.ts";
import type { Directory } from "./commands/types.ts";
import { createLists } from "./directory.ts";
import type { Inbound, InboundAction, InboundNotice, Inbox } from "./inbound.ts";
import { createLanes } from "./lanes.ts";
import type { CoreMetrics } from "./metrics.ts";
import { placeKey } from "./place.ts";
import type { ChatPlatform } from "./platform.ts";
import type { Pacer } from "./relay/pacer.ts";
import { emptyDelivery, openRelay, type Relay, type RelayMetrics } from "./relay/relay.ts";
import type { SettingsBook } from "./settings.ts";
import { suggestions } from "./suggestions.ts";
import type { Threads } from "./threads.ts";
import { runCommand } from "./turns/command.ts";
import { cancel, change, rate, retryOf, verdictOf } from "./turns/control.ts";
import { converse } from "./turns/converse.ts";
import { deny, greet } from "./turns/notices.ts";
import { withdraw, type Ending } from "./turns/settle.ts";
import type { Lease, TurnRun } from "./turns/run.ts";
import type { StoredTurn, TurnStore } from "./turns/store.ts";
import { takeUp, type ReplyStart } from "./turns/take-up.ts";
import { createSigns } from "./turns/waiting.ts";
import type { Workspace } from "./workspace.ts";

export interface EngineOptions {
  readonly store: TurnStore;
  readonly workspace: Workspace;
  readonly threads: Threads;
  readonly settings: SettingsBook;
  readonly platforms: () => readonly ChatPlatform[];
  /** Who may use Parley on a platform. */
  readonly access: (platform: string) => AccessRules;
  /** Deletes everything that is kept of a tenant, but the turn that asks for it. */
  readonly purge: (platform: string, tenant: string, except: string) => Promise<void>;
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

const orderOf = (name: string): "lane" | "now" => commands.find((command) => command.name === name.toLowerCase())?.order ?? "now";

/** What has to wait for the place's earlier turns is in the place's lane; anything else has a lane of its own. */
function laneOf(inbound: Inbound): string {
  const inOrder =
    inbound.kind === "message" ||
    (inbound.kind === "action" && inbound.action === "retry") ||
    (inbound.kind === "command" && orderOf(inbound.name) === "lane");
  return inOrder ? placeKey(inbound.place) : `now:${inbound.key}`;
}

export function createEngine(options: EngineOptions): Engine {
  const { store, workspace, threads, settings, clock, metrics, log } = options;
  const lists = createLists(workspace, clock);
  const conversing = { workspace, lists, threads, settings, clock, metrics };
  /** Turns that this process received and has shown nothing of: nothing can have been posted for them. */
  const fresh = new Set<string>();

  const platformOf = (name: string): ChatPlatform | undefined => options.platforms().find((platform) => platform.name === name);
  const openReply = (start: ReplyStart): Relay =>
    openRelay({ ...start, pacer: options.pacer, clock, random: options.random, metrics, log });
  const signs = createSigns({
    store,
    log,
    open(inbound, guard, journal) {
      const platform = platformOf(inbound.place.platform);
      if (platform === undefined) return undefined;
      return openReply({
        platform,
        place: inbound.place,
        key: inbound.key,
        delivery: emptyDelivery,
        resumed: false,
        guard,
        journal,
      });
    },
  });

  const enqueue = async (inbound: Inbound): Promise<"new" | "known"> => {
    const lane = laneOf(inbound);
    const stored = await store.put(inbound, lane, clock.now());
    if (stored === "known") return stored;
    metrics.turnReceived(inbound.place.platform, inbound.kind);
    fresh.add(inbound.key);
    announce(inbound, lane).catch((thrown: unknown) => {
      log.warn(
        { turn: inbound.key, reason: reasonOf(thrown) },
        "a stored turn could not be begun at once; the poll will find it",
      );
    });
    return stored;
  };
  /** Begins a turn, or shows that it waits. */
  const announce = async (inbound: Inbound, lane: string): Promise<void> => {
    try {
      await lanes.wake(lane);
      if (fresh.delete(inbound.key) && inbound.kind === "message") await signs.show(inbound, lane);
    } finally {
      fresh.delete(inbound.key);
    }
  };

  const stop = async (key: string): Promise<void> => {
    lanes.stop(key);
    if (!(await store.requestStop(key, clock.now()))) log.info({ turn: key }, "a turn that was to be stopped had ended");
  };
  /** Takes the sign of a waiting turn away. */
  const takeAway = async (run: TurnRun, key: string): Promise<void> => {
    const sign = signs.take(key);
    if (sign === undefined) return;
    await withdraw(sign.adopt(run.lease, () => Promise.resolve()));
    await signs.refresh(laneOf(sign.inbound));
  };
  const end = (run: TurnRun, key: string): Promise<Ending> =>
    cancel(store, key, clock.now(), stop, (waiting) => takeAway(run, waiting));

  const act = async (run: TurnRun, action: InboundAction): Promise<Ending> => {
    if (action.action === "stop") return end(run, action.turn);
    const verdict = verdictOf(action.action);
    if (verdict !== undefined) return rate(run, action, verdict, { store, clock, metrics });
    const words = action.action === "retry" ? await retryOf(run, store, action.turn) : undefined;
    if (words !== undefined) {
      const message = await run.platform.complete(words, run.lease.over);
      if (message.kind === "message") return converse(run, message, run.turn.key, conversing);
    }
    log.info({ turn: run.turn.key, action: action.action }, "an action that means nothing any more was ignored");
    return { outcome: "done", keepText: false };
  };
  /** Something that happened to Parley itself. */
  const notice = async (run: TurnRun, { place, notice: what }: InboundNotice): Promise<Ending> => {
    if (what === "joined") return greet(run, clock);
    await options.purge(place.platform, place.tenant, run.turn.key);
    return { outcome: "done", keepText: false };
  };
  const handle = async (run: TurnRun): Promise<Ending> => {
    const received = run.turn.inbound;
    if (received.kind === "edit") return change(store, received);
    if (received.kind === "delete") return end(run, received.target);
    if (received.kind === "notice") return notice(run, received);
    const inbound = await run.platform.complete(received, run.lease.over);
    const access = options.access(inbound.place.platform);
    const refused = await refuseAccess(inbound, access);
    if (refused !== null) return deny(run, inbound, refused.refusal);
    switch (inbound.kind) {
      case "message":
        return converse(run, inbound, run.turn.key, conversing);
      case "command":
        return runCommand(run, inbound, {
          clock,
          commands,
          context: (command, signal) => ({
            command,
            workspace,
            lists,
            threads,
            settings,
            store,
            clock,
            signal,
            may: (permission) => mayDo(command.author, permission, access),
          }),
          enqueue,
          stop,
          access,
        });
      case "action":
        return act(run, inbound);
      case "edit":
      case "delete":
      case "notice":
        throw new Fault("completed_otherwise", `a platform completed a ${received.kind} to another kind of turn`);
    }
  };

  const runTurn = async (turn: StoredTurn, lease: Lease): Promise<void> => {
    const platform = platformOf(turn.inbound.place.platform);
    if (platform === undefined) {
      log.warn({ turn: turn.key, platform: turn.inbound.place.platform }, "a turn waits for a platform that is not configured");
      await store.release(turn, clock.now() + absentMs);
      return;
    }
    const resumed = !fresh.delete(turn.key);
    const run = takeUp({ turn, lease, platform, sign: signs.take(turn.key), resumed, store, openReply, log });
    try {
      const ending = await handle(run);
      lease.over.throwIfAborted();
      const closed = await store.close(turn, clock.now(), ending.outcome, ending.keepText);
      if (!closed) throw new Fault("lease_lost", "another process has the turn");
      metrics.turnClosed(platform.name, turn.inbound.kind, ending.outcome);
      log.info({ turn: turn.key, outcome: ending.outcome, ms: clock.now() - turn.createdAt }, "a turn has ended");
    } finally {
      run.close();
      await signs.refresh(turn.lane);
    }
  };
  const lanes = createLanes({ store, owner: options.owner, exclusive: options.exclusive, clock, metrics, log, run: runTurn });

  return {
    inbox: { receive: async (inbound) => (judge(inbound) === "ignore" ? "known" : enqueue(inbound)) },
    directory: {
      commands,
      suggest(source, query, place, person) {
        // What the key's owner has in projects is the operators' to see.
        const hidden = source === "projects" && !mayDo(person, "operator", options.access(place.platform));
        return hidden ? Promise.resolve([]) : suggestions(lists, source, query, log);
      },
    },
    start: () => lanes.start(),
    async drain() {
      signs.close();
      await lanes.drain();
    },
  };
}
