/** A strict Discord on 127.0.0.1: REST and gateway of version 10, with its rate limits, its errors and people. */
import { applicationRoutes, type Registered } from "./application-routes.ts";
import { createBuckets, type Rate } from "./buckets.ts";
import { channelRoutes } from "./channel-routes.ts";
import { createGateway, type Gateway } from "./gateway.ts";
import { interactionRoutes, type FakeInteraction } from "./interaction-routes.ts";
import { createPerson, type Person } from "./people.ts";
import { serveRest, type Outcome } from "./server.ts";
import {
  channelView,
  createState,
  historyOf,
  isThread,
  type Commit,
  type FakeChannel,
  type FakeGuild,
  type FakeMessage,
  type FakeUser,
} from "./state.ts";
import { createWriting } from "./writing.ts";

export type { Person } from "./people.ts";
export type { FakeChannel, FakeGuild, FakeMessage } from "./state.ts";
export type { FakeInteraction } from "./interaction-routes.ts";

export interface FakeDiscordOptions {
  /** Milliseconds since 1970; the system's without it. */
  readonly now?: () => number;
  /** By route, such as `PATCH /channels/:channel/messages/:message`; those that are observed without it. */
  readonly rates?: Readonly<Record<string, Rate>>;
  readonly global?: Rate;
  readonly shards?: number;
  readonly heartbeatMs?: number;
  /** How long an interaction waits for its acknowledgement, in ms. Discord gives it 3 s; without this it is longer, as a busy machine is slow and nothing else. */
  readonly acknowledgeMs?: number;
  /** The largest file, in bytes. */
  readonly fileLimit?: number;
}

export interface FakeDiscord {
  /** What DISCORD_API_URL is set to. */
  readonly apiUrl: string;
  readonly token: string;
  readonly bot: FakeUser;
  /** `<@id>` of the bot. */
  readonly mention: string;
  readonly gateway: Gateway;
  readonly commits: readonly Commit[];
  readonly interactions: ReadonlyMap<string, FakeInteraction>;
  /** By guild; those of the whole application under "". */
  readonly commands: ReadonlyMap<string, readonly Registered[]>;
  readonly refusedRequests: number;
  guild(name: string, joined?: boolean): FakeGuild;
  role(guild: FakeGuild, name: string): string;
  text(guild: FakeGuild, name: string): FakeChannel;
  forum(guild: FakeGuild, name: string): FakeChannel;
  /** A thread that a person makes: in a text channel, or as a forum's post. */
  thread(parent: FakeChannel, name: string, by: Person): FakeChannel;
  /** @param guilds where the person is a member, with the roles there */
  person(
    name: string,
    guilds?: readonly {
      readonly guild: FakeGuild;
      readonly nick?: string;
      readonly roles?: readonly string[];
      readonly flags?: number;
    }[],
  ): Person;
  /** Members boost a guild to this tier. */
  boost(guild: FakeGuild, tier: number): void;
  /** Another bot. */
  otherBot(name: string): Person;
  /** The person's direct message with the bot. */
  direct(person: Person): FakeChannel;
  /** The channel with this id, such as the thread made from a message. */
  channel(id: string): FakeChannel | undefined;
  /** A channel or message is deleted by somebody. */
  deleteChannel(channel: FakeChannel): void;
  /** Somebody gives a thread another name. */
  renames(thread: string, name: string): void;
  /** Messages that everybody in the channel sees, oldest first. */
  messages(channel: FakeChannel | string): FakeMessage[];
  /** Messages that only this person sees, oldest first. */
  whispers(person: Person): FakeMessage[];
  message(id: string): FakeMessage | undefined;
  /** Resolves at the acknowledgement of an interaction. */
  acknowledged(interaction: FakeInteraction): Promise<FakeInteraction>;
  /** The next requests of this route, such as `POST /channels/:channel/messages`, come to this. */
  order(route: string, ...outcomes: Outcome[]): void;
  /** Whether the application has been granted the Message Content intent. */
  grantContent(granted: boolean): void;
  close(): Promise<void>;
}

/** Observed by third parties; Discord publishes none. */
const observedRates: Readonly<Record<string, Rate>> = {
  "PATCH /channels/:channel": { count: 2, windowMs: 600_000 },
  "POST /channels/:channel/messages": { count: 5, windowMs: 5_000 },
  "PATCH /channels/:channel/messages/:message": { count: 5, windowMs: 5_000 },
  "DELETE /channels/:channel/messages/:message": { count: 5, windowMs: 1_000 },
  "PATCH /webhooks/:webhook/:token/messages/:message": { count: 5, windowMs: 2_000 },
  "POST /webhooks/:webhook/:token": { count: 5, windowMs: 2_000 },
};

const contentGranted = 1 << 18;
const messageContent = 32_768;

export async function openFakeDiscord(options: FakeDiscordOptions = {}): Promise<FakeDiscord> {
  const state = createState(options.now ?? (() => Date.now()));
  const token = "fake-bot-token";
  let port = 0;
  let gateway: Gateway;
  let grantedFlags = contentGranted;
  const interactions = new Map<string, FakeInteraction>();
  const commands = new Map<string, Registered[]>();
  const waiting = new Map<string, ((interaction: FakeInteraction) => void)[]>();
  const url = (): string => `http://127.0.0.1:${port}`;
  const gatewayUrl = (): string => `ws://127.0.0.1:${port}/gateway`;

  const addUser = (username: string, bot: boolean): FakeUser => {
    const user: FakeUser = {
      id: state.id(),
      username,
      global_name: bot ? null : username,
      discriminator: "0",
      avatar: null,
      bot,
    };
    state.users.set(user.id, user);
    return user;
  };
  const bot = addUser("Parley", true);
  const writing = createWriting({ state, bot, gateway: () => gateway, url, fileLimit: options.fileLimit });

  const addChannel = (channel: Pick<FakeChannel, "type" | "guild" | "name"> & Partial<FakeChannel>): FakeChannel => {
    const made: FakeChannel = {
      id: state.id(),
      parent: null,
      owner: null,
      recipient: null,
      archived: false,
      locked: false,
      denied: new Set(),
      ...channel,
    };
    state.channels.set(made.id, made);
    return made;
  };
  const tellChannel = (type: string, channel: FakeChannel): void =>
    gateway.dispatch({ type, data: channelView(state, channel, bot.id), guild: channel.guild, intent: 1 });
  const directOf = (person: FakeUser): FakeChannel =>
    [...state.channels.values()].find(({ recipient }) => recipient?.id === person.id) ??
    addChannel({ type: 1, guild: null, name: "", recipient: person });

  const guildView = (guild: FakeGuild): Record<string, unknown> => {
    const channels = [...state.channels.values()].filter((channel) => channel.guild === guild.id && !channel.denied.has("view"));
    return {
      id: guild.id,
      name: guild.name,
      owner_id: bot.id,
      roles: guild.roles.map((role) => ({ ...role, permissions: "0", position: 1, color: 0 })),
      emojis: [],
      members: [],
      presences: [],
      voice_states: [],
      stage_instances: [],
      guild_scheduled_events: [],
      member_count: guild.members.size,
      premium_tier: guild.tier,
      channels: channels.filter((channel) => !isThread(channel)).map((channel) => channelView(state, channel, bot.id)),
      threads: channels
        .filter((channel) => isThread(channel) && !channel.archived)
        .map((channel) => channelView(state, channel, bot.id)),
    };
  };

  gateway = createGateway({
    token,
    url: gatewayUrl,
    ready: () => ({ user: bot, application: { id: bot.id, flags: grantedFlags } }),
    guilds: () => [...state.guilds.values()].filter(({ joined }) => joined).map(guildView),
    open: (message) =>
      message["guild_id"] === undefined ||
      (message["author"] as FakeUser | undefined)?.id === bot.id ||
      ((message["mentions"] ?? []) as FakeUser[]).some(({ id }) => id === bot.id),
    heartbeatMs: options.heartbeatMs ?? 45_000,
  });
  const shared = { state, bot, gateway: () => gateway, writing };
  const rest = await serveRest({
    state,
    token,
    buckets: createBuckets({
      rates: { ...observedRates, ...options.rates },
      otherwise: { count: 50, windowMs: 1_000 },
      global: options.global ?? { count: 50, windowMs: 1_000 },
      now: () => state.now(),
    }),
    gateway: () => gateway,
    routes: [
      ...applicationRoutes({ state, bot, gatewayUrl, shards: options.shards ?? 1, commands, flags: () => grantedFlags }),
      ...channelRoutes({ ...shared, direct: directOf }),
      ...interactionRoutes({
        ...shared,
        interactions,
        acknowledgeMs: options.acknowledgeMs ?? 15_000,
        onAcknowledged(interaction) {
          for (const resolve of waiting.get(interaction.id) ?? []) resolve(interaction);
        },
      }),
    ],
  });
  port = rest.port;

  const people = { ...shared, interactions, commands };
  return {
    get apiUrl() {
      return `${url()}/api`;
    },
    token,
    bot,
    mention: `<@${bot.id}>`,
    gateway,
    commits: state.commits,
    interactions,
    commands,
    get refusedRequests() {
      return rest.refusedRequests;
    },
    guild(name, joined = true) {
      const guild: FakeGuild = { id: state.id(), name, joined, tier: 0, roles: [], members: new Map() };
      guild.roles.push({ id: guild.id, name: "@everyone" });
      state.guilds.set(guild.id, guild);
      if (joined) gateway.dispatch({ type: "GUILD_CREATE", data: guildView(guild), guild: guild.id, intent: 1 });
      return guild;
    },
    boost(guild, tier) {
      guild.tier = tier;
      const { id, name } = guild;
      gateway.dispatch({ type: "GUILD_UPDATE", data: { id, name, premium_tier: tier }, guild: id, intent: 1 });
    },
    role(guild, name) {
      const role = { id: state.id(), name };
      guild.roles.push(role);
      return role.id;
    },
    text(guild, name) {
      const channel = addChannel({ type: 0, guild: guild.id, name });
      tellChannel("CHANNEL_CREATE", channel);
      return channel;
    },
    forum(guild, name) {
      const channel = addChannel({ type: 15, guild: guild.id, name });
      tellChannel("CHANNEL_CREATE", channel);
      return channel;
    },
    thread(parent, name, by) {
      const thread = addChannel({ type: 11, guild: parent.guild, name, parent: parent.id, owner: by.user.id });
      tellChannel("THREAD_CREATE", thread);
      return thread;
    },
    person(name, guilds = []) {
      const user = addUser(name, false);
      for (const { guild, nick, roles, flags } of guilds)
        guild.members.set(user.id, { nick: nick ?? null, roles: [...(roles ?? [])], flags: flags ?? 0 });
      return createPerson(user, people);
    },
    otherBot: (name) => createPerson(addUser(name, true), people),
    direct: (person) => directOf(person.user),
    channel: (id) => state.channels.get(id),
    renames(id, name) {
      const channel = state.channels.get(id);
      if (channel === undefined) throw new Error("there is no such thread");
      channel.name = name;
      tellChannel("THREAD_UPDATE", channel);
    },
    deleteChannel(channel) {
      state.channels.delete(channel.id);
      tellChannel(isThread(channel) ? "THREAD_DELETE" : "CHANNEL_DELETE", channel);
    },
    messages: (channel) => historyOf(state, typeof channel === "string" ? channel : channel.id),
    whispers: (person) => [...state.messages.values()].filter((message) => message.onlyFor === person.user.id),
    message: (id) => state.messages.get(id),
    acknowledged: (interaction) =>
      interaction.acknowledged !== null
        ? Promise.resolve(interaction)
        : new Promise((resolve) => void waiting.set(interaction.id, [...(waiting.get(interaction.id) ?? []), resolve])),
    order: (route, ...outcomes) => rest.order(route, ...outcomes),
    grantContent(granted) {
      grantedFlags = granted ? contentGranted : 0;
      gateway.disallow(granted ? 0 : messageContent);
    },
    async close() {
      await gateway.close();
      await rest.close();
    },
  };
}
