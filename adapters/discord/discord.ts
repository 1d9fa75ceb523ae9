/** Discord as a chat platform: the gateway's events in, REST out. */
import type { Clock } from "../../src/clock.ts";
import type { Alone } from "../../src/core/alone.ts";
import type { Directory } from "../../src/core/commands/types.ts";
import { emptyDocument } from "../../src/core/document.ts";
import type { Inbox } from "../../src/core/inbound.ts";
import type { KeyValueMap } from "../../src/core/maps.ts";
import { placeKey, type Place } from "../../src/core/place.ts";
import type { ChatPlatform } from "../../src/core/platform.ts";
import type { FollowUps, Settings } from "../../src/core/settings.ts";
import type { ThreadNames } from "../../src/core/thread-names.ts";
import { Fault, reasonOf } from "../../src/errors.ts";
import type { IdLists } from "./access.ts";
import { definitionsOf } from "./commands/definitions.ts";
import { registerCommands } from "./commands/register.ts";
import { createGateway } from "./gateway/gateway.ts";
import { createRooms } from "./gateway/rooms.ts";
import { discordName } from "./ids.ts";
import { createCatchUp, type Mark } from "./inbound/catch-up.ts";
import { createCompleting } from "./inbound/complete.ts";
import { createFileOpening } from "./inbound/files.ts";
import { createHistory } from "./inbound/history.ts";
import { createIntake } from "./inbound/intake.ts";
import { createRecentFiles } from "./inbound/recent-files.ts";
import { createInteractionTaking } from "./inbound/interactions.ts";
import { createMessageReading } from "./inbound/messages.ts";
import { fileBytesOf } from "./outbound/limits.ts";
import { createOutbound } from "./outbound/outbound.ts";
import { createRest } from "./outbound/rest.ts";
import { createThreadNames } from "./outbound/threads.ts";
import { createTokens, type TokenMap } from "./outbound/tokens.ts";

export interface DiscordOptions {
  readonly token: string;
  /** Without a version: `https://discord.com/api`. */
  readonly apiUrl: string;
  /** Where commands are registered; null: everywhere. */
  readonly guild: string | null;
  readonly allow: IdLists;
  readonly deny: IdLists;
  /** Whether messages that were sent while Parley was away are answered. */
  readonly catchUp: boolean;
  /** Whether messages in Parley's threads are for it without a mention, where nothing else was chosen. */
  readonly followUps: FollowUps;
  /** What a place has chosen. */
  readonly settings: (place: Place) => Promise<Settings>;
  readonly directory: Directory;
  /** Of all processes with this token, one is connected to the gateway; every one writes. */
  readonly alone: Alone;
  /** Told whether this process is that one. */
  readonly onGateway: (holds: boolean) => void;
  readonly maps: {
    readonly joined: KeyValueMap<true>;
    readonly marks: KeyValueMap<Mark>;
    readonly told: KeyValueMap<true>;
    readonly tokens: TokenMap;
  };
  /** How long the gateway may take to say hello, in ms; 15 s where it is not given. */
  readonly helloMs?: number;
  readonly clock: Clock;
  /** From 0 up to 1, for the spread of retries. */
  readonly random: () => number;
  readonly log: Record<"debug" | "info" | "warn" | "error", (fields: object, text: string) => void>;
}

/** How long a stop waits for what has come to be taken in, in ms. */
const settleMs = 5_000;

/** A platform whose threads have names. */
export type Discord = ChatPlatform & ThreadNames;

export function createDiscord(options: DiscordOptions): Discord {
  const { token, apiUrl, allow, deny, directory, maps, clock, random, log } = options;
  const rest = createRest({ token, apiUrl, clock });
  const tokens = createTokens(maps.tokens, clock);
  const rooms = createRooms(rest);
  const outbound = createOutbound({ rest, tokens, fileBytes: (guild) => fileBytesOf(rooms.boostTier(guild)), clock, log });
  const history = createHistory(rest, rooms);
  const threadNames = createThreadNames(rest, rooms, () => bot);
  const stopping = new AbortController();
  let bot = "";
  let live: AbortSignal = stopping.signal;
  /** Another process is connected to the gateway; this one takes over when it is gone. */
  let standsBy = false;
  let keeping: Promise<void> = Promise.resolve();

  /** Said once in a guild: from then on people know. */
  const tellUnreadable = async (place: Place): Promise<void> => {
    const guild = placeKey({ ...place, channel: "", thread: null });
    if ((await maps.told.get(guild)) === true) return;
    await maps.told.set(guild, true);
    const notice =
      "Here I can only read messages that mention me. Mention me with every question, or have the Message Content intent switched on for this bot.";
    await outbound.post(place, { ...emptyDocument, notice }, `${discordName}:unreadable:${placeKey(place)}`, live);
  };

  const messages = createMessageReading({
    bot: () => bot,
    rest,
    rooms,
    joined: maps.joined,
    allow,
    deny,
    followUps: async (place) => (await options.settings(place)).followUps ?? options.followUps,
    onUnreadable(place) {
      if (gateway.readsContent) return;
      tellUnreadable(place).catch((thrown: unknown) =>
        log.warn({ reason: reasonOf(thrown) }, "a thread could not be told that its messages cannot be read"),
      );
    },
  });
  const interactions = createInteractionTaking({
    rest,
    notes: tokens,
    directory,
    history,
    names: (message) => messages.namesOf(message),
    joined: maps.joined,
    allow,
    deny,
    clock,
    log,
  });
  const intake = createIntake({
    messages,
    interactions,
    clock,
    random,
    log,
    onBehind: () => void catchUp.run(live),
    before: (channel) => catchUp.before(channel),
  });

  const register = async (application: string): Promise<void> => {
    try {
      const done = await registerCommands(rest, definitionsOf(directory.commands), { application, guild: options.guild }, live);
      log.info({ commands: done }, "Discord has Parley's commands");
    } catch (thrown) {
      log.error({ err: thrown }, "Parley's commands could not be registered with Discord; it is tried again at the next start");
    }
  };

  const gateway = createGateway({
    token,
    rest,
    ...(options.helloMs === undefined ? {} : { helloMs: options.helloMs }),
    clock,
    random,
    log,
    onEvent(type, data) {
      rooms.observe(type, data);
      if (type === "READY") {
        const { user } = data as { readonly user: { readonly id: string } };
        if (bot === "") void register(user.id);
        bot = user.id;
      }
      if (type === "MESSAGE_CREATE") noteDirect(data);
      intake.take(type, data);
    },
    onSession: () => void catchUp.run(live),
  });
  const noteDirect = (data: unknown): void => {
    const { channel_id: channel, guild_id: guild } = (data ?? {}) as { channel_id?: unknown; guild_id?: unknown };
    if (typeof channel === "string" && guild === undefined) catchUp.direct(channel);
  };
  const catchUp = createCatchUp({
    map: maps.marks,
    rooms,
    history,
    intake,
    heardUntil: () => gateway.heardUntil(),
    enabled: options.catchUp,
    clock,
    log,
  });

  /** What has come is taken in before it is noted that it was; what the inbox cannot take is fetched at the next start. */
  const settle = async (): Promise<void> => {
    const late = Promise.withResolvers<void>();
    const cancel = clock.after(settleMs, () => late.resolve());
    await Promise.race([intake.settled(), late.promise]);
    cancel();
    await catchUp.note();
  };

  /** Connects as long as no other process does. Resolves at the first connection; throws when there can be none. */
  const connected = (): Promise<void> => {
    const first = Promise.withResolvers<void>();
    const connect = async (held: AbortSignal): Promise<void> => {
      standsBy = false;
      options.onGateway(true);
      log.info({}, "this process has Discord's gateway now");
      try {
        await gateway.connect(held);
        first.resolve();
        await gateway.ended();
      } finally {
        options.onGateway(false);
        log.info({}, "this process no longer has Discord's gateway");
      }
    };
    const keep = async (): Promise<void> => {
      while (!live.aborted) {
        standsBy = true;
        try {
          await options.alone("discord-gateway", live, connect);
        } catch (thrown) {
          // Unless another process has taken over, there is nothing to wait for: the token is refused.
          const taken = thrown instanceof Fault && thrown.code === "discord_closed" && !live.aborted;
          if (!taken) return first.reject(thrown as Error);
        }
      }
      first.reject(live.reason as Error);
    };
    keeping = keep();
    return first.promise;
  };

  const close = (): void => {
    outbound.close();
    rest.close();
  };

  return {
    name: discordName,
    limits: outbound.limits,
    post: outbound.post,
    edit: outbound.edit,
    remove: outbound.remove,
    attach: outbound.attach,
    find: outbound.find,
    whisper: outbound.whisper,
    rename: (place, name, signal) => threadNames.rename(place, name, signal),
    complete: createCompleting({ rooms, history }),
    recentFiles: createRecentFiles(history),
    open: createFileOpening({ apiUrl, clock }),

    async start(inbox: Inbox, signal: AbortSignal) {
      live = AbortSignal.any([signal, stopping.signal]);
      live.throwIfAborted();
      // Until then writes still work, so that running answers come to their end.
      signal.addEventListener("abort", close, { once: true });
      intake.begin(inbox, live);
      catchUp.watch(live);
      await connected();
    },
    async stop() {
      if (stopping.signal.aborted) return;
      await settle();
      stopping.abort(new Fault("discord_closed", "this platform is stopping"));
      await gateway.close();
      await keeping;
    },
    health: () => (standsBy ? null : gateway.health()) ?? rest.health(),
  };
}
