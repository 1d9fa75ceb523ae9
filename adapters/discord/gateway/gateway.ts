/** The connection to Discord's gateway, by discord.js: kept up, begun anew where discord.js gives up, and read as plain payloads. */
import { Client, Events, GatewayIntentBits, Options, SimpleShardingStrategy, Status } from "discord.js";
import { sleep, type Clock } from "../../../src/clock.ts";
import { Fault, reasonOf } from "../../../src/errors.ts";
import type { DiscordRest } from "../outbound/rest.ts";

export interface GatewayOptions {
  readonly token: string;
  readonly rest: Pick<DiscordRest, "options">;
  /** How long the gateway may take to say hello, in ms. */
  readonly helloMs?: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: {
    info(fields: object, text: string): void;
    warn(fields: object, text: string): void;
    error(fields: object, text: string): void;
  };
  /** Every event, in the order in which Discord sent it. */
  readonly onEvent: (type: string, data: unknown) => void;
  /** A new session: what happened before it was not told. */
  readonly onSession: () => void;
}

export interface Gateway {
  /** Connects, and stays connected until `signal` ends. Resolves at the first connection; throws a Fault `discord_token` for a refused token. */
  connect(signal: AbortSignal): Promise<void>;
  /** Resolves when what `connect` began has ended. */
  ended(): Promise<void>;
  close(): Promise<void>;
  /** Null while connected, else why not. */
  health(): string | null;
  /** Whether messages that do not mention Parley come with their words. */
  readonly readsContent: boolean;
  /** Everything that Discord sent before this moment has arrived, in ms since 1970. */
  heardUntil(): number;
}

const needed = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages | GatewayIntentBits.DirectMessages;

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const authenticationFailed = 4004;
const disallowedIntents = 4014;

/** discord.js would wait for a minute on a connection that says nothing, in ms. */
const usualHelloMs = 15_000;

/** Before a connection is tried again, in ms; doubled at each try. Each try costs one of 1,000 identifies a day. */
const retryMs = 2_000;
const retryLimitMs = 120_000;

/** Nothing of Discord's is kept but what discord.js needs to stay connected. */
const keepNothing = Options.cacheWithLimits(
  Object.fromEntries(
    [
      "ApplicationCommandManager",
      "ApplicationEmojiManager",
      "AutoModerationRuleManager",
      "BaseGuildEmojiManager",
      "DMMessageManager",
      "EntitlementManager",
      "GuildBanManager",
      "GuildEmojiManager",
      "GuildForumThreadManager",
      "GuildInviteManager",
      "GuildMemberManager",
      "GuildMessageManager",
      "GuildScheduledEventManager",
      "GuildStickerManager",
      "GuildTextThreadManager",
      "MessageManager",
      "PresenceManager",
      "ReactionManager",
      "ReactionUserManager",
      "StageInstanceManager",
      "ThreadManager",
      "ThreadMemberManager",
      "UserManager",
      "VoiceStateManager",
    ].map((name) => [name, 0]),
  ),
);

/** How a connection ended for good: by a close code that discord.js does not recover from. */
type End = number | "closed";

export function createGateway({
  token,
  rest,
  helloMs = usualHelloMs,
  clock,
  random,
  log,
  onEvent,
  onSession,
}: GatewayOptions): Gateway {
  let client: Client | undefined;
  let readsContent = true;
  let state = "not connected yet";
  /** When the last event of each shard came. */
  const heard = new Map<number, number>();

  /** One client, from its login to its end. */
  const run = async (signal: AbortSignal, onReady: () => void): Promise<End> => {
    const intents = readsContent ? needed | GatewayIntentBits.MessageContent : needed;
    const mine = new Client({
      intents,
      rest: rest.options,
      shards: "auto",
      makeCache: keepNothing,
      ws: {
        // The one place where discord.js lets the options of its connections be reached.
        buildStrategy(manager) {
          manager.options.helloTimeout = helloMs;
          return new SimpleShardingStrategy(manager);
        },
      },
    });
    client = mine;
    heard.clear();
    const ended = Promise.withResolvers<End>();
    let closeCode: number | undefined;
    mine.on(Events.Error, (error) => log.warn({ reason: error.message }, "Discord's gateway met an error"));
    mine.on(Events.ShardError, (error) => log.warn({ reason: error.message }, "a connection to Discord's gateway failed"));
    mine.on(Events.ShardReconnecting, () => log.info({}, "connecting to Discord's gateway again"));
    mine.on(Events.ShardDisconnect, ({ code }) => {
      closeCode = code;
      ended.resolve(code);
    });
    mine.on(Events.ShardReady, () => onSession());
    mine.once(Events.ClientReady, onReady);
    mine.on(Events.Raw, (packet: { readonly t?: unknown; readonly d?: unknown }, shard: number) => {
      heard.set(shard, clock.now());
      if (typeof packet.t === "string") onEvent(packet.t, packet.d);
    });
    tolerate(mine, log);
    const onAbort = (): void => ended.resolve("closed");
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await Promise.race([mine.login(token), ended.promise]);
      return await ended.promise;
    } catch (thrown) {
      if (closeCode !== undefined) return closeCode;
      throw thrown;
    } finally {
      signal.removeEventListener("abort", onAbort);
      await mine.destroy();
      if (client === mine) client = undefined;
    }
  };

  /** Connects again and again, until it is closed or Discord refuses the token. */
  const keepConnected = async (signal: AbortSignal, onReady: () => void): Promise<void> => {
    let failures = 0;
    const ready = (): void => {
      failures = 0;
      onReady();
    };
    while (!signal.aborted) {
      try {
        const end = await run(signal, ready);
        if (end === "closed") return;
        if (end === authenticationFailed) throw refusedToken();
        if (end === disallowedIntents && readsContent) {
          readsContent = false;
          log.warn(
            {},
            "Discord does not grant the Message Content intent: in threads Parley reads only messages that mention it. Switch it on under Bot in the Developer Portal",
          );
          continue;
        }
        state = `Discord closed the connection with code ${end}`;
      } catch (thrown) {
        if (thrown instanceof Fault && thrown.code === "discord_token") throw thrown;
        if ((thrown as { code?: unknown }).code === "TokenInvalid") throw refusedToken(thrown);
        state = reasonOf(thrown);
      }
      const wait = Math.min(retryMs * 2 ** failures++, retryLimitMs) * (0.5 + random());
      log.warn({ reason: state, tryAgainMs: Math.round(wait) }, "Discord cannot be reached and is tried again");
      await sleep(clock, wait, signal).catch(() => {});
    }
  };

  const closing = new AbortController();
  let running: Promise<void> = Promise.resolve();

  return {
    connect(signal) {
      const first = Promise.withResolvers<void>();
      const until = AbortSignal.any([signal, closing.signal]);
      running = keepConnected(until, () => first.resolve()).then(
        () => first.reject(new Fault("discord_closed", "the connection to Discord was closed before it was made")),
        (thrown: unknown) => {
          state = reasonOf(thrown);
          log.error({ err: thrown }, "Discord is not connected any more");
          first.reject(thrown as Error);
        },
      );
      return first.promise;
    },
    ended: () => running,
    async close() {
      closing.abort(new Fault("discord_closed", "this platform is stopping"));
      state = "stopped";
      await running;
    },
    health() {
      if (client?.isReady() === true && client.ws.shards.every(({ status }) => status === Status.Ready)) return null;
      return client === undefined ? state : "connecting to Discord";
    },
    get readsContent() {
      return readsContent;
    },
    heardUntil() {
      const shards = [...(client?.ws.shards.values() ?? [])];
      // An acknowledged heartbeat says that everything before it has arrived, as an event does.
      return Math.min(...shards.map((shard) => Math.max(shard.lastPingTimestamp, heard.get(shard.id) ?? 0)));
    },
  };
}

const refusedToken = (cause?: unknown): Fault =>
  new Fault("discord_token", "Discord refuses the token: set DISCORD_BOT_TOKEN to the one under Bot in the Developer Portal", {
    cause,
  });

/** discord.js throws where a payload is not as its structures expect, outside of anything that could catch it: the process would end. */
function tolerate(client: Client, log: GatewayOptions["log"]): void {
  const ws = client.ws as unknown as { handlePacket(...packet: unknown[]): boolean };
  const handle = ws.handlePacket.bind(ws);
  ws.handlePacket = (...packet) => {
    try {
      return handle(...packet);
    } catch (thrown) {
      log.warn({ reason: reasonOf(thrown) }, "discord.js could not read an event of Discord's gateway");
      return false;
    }
  };
}
