/** What a Discord holds: people, guilds, channels, messages, as its REST interface shows them. */

export interface FakeUser {
  readonly id: string;
  readonly username: string;
  readonly global_name: string | null;
  readonly discriminator: string;
  readonly avatar: null;
  readonly bot: boolean;
}

/** What the bot may not do in a channel. */
export type Denied = "view" | "send" | "threads" | "sendInThreads" | "attach" | "history";

export interface FakeChannel {
  readonly id: string;
  /** 0 text, 1 direct message, 11 public thread, 15 forum. */
  readonly type: number;
  readonly guild: string | null;
  name: string;
  readonly parent: string | null;
  readonly owner: string | null;
  /** Of a direct message. */
  readonly recipient: FakeUser | null;
  archived: boolean;
  locked: boolean;
  readonly denied: Set<Denied>;
  /** The bot has Manage Messages there. */
  managed?: boolean;
}

export interface FakeGuild {
  readonly id: string;
  name: string;
  /** The bot is a member; false for a guild in which somebody only uses their own installation. */
  joined: boolean;
  /** How far it is boosted: 0 to 3. */
  tier: number;
  readonly roles: { readonly id: string; readonly name: string }[];
  /** Of each person, by id. */
  readonly members: Map<string, { nick: string | null; roles: string[]; flags: number }>;
}

export interface FakeAttachment {
  readonly id: string;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  readonly url: string;
  readonly description?: string;
}

export interface FakeMessage {
  readonly id: string;
  readonly channel: string;
  readonly author: FakeUser;
  /** 0 ordinary, 19 reply, 20 answer to a command. */
  readonly type: number;
  content: string;
  components: readonly unknown[];
  embeds: readonly unknown[];
  attachments: FakeAttachment[];
  flags: number;
  editedAt: number | null;
  readonly nonce: string | null;
  readonly reference: string | null;
  readonly webhook: string | null;
  /** Of an ephemeral message: the only one who sees it. */
  readonly onlyFor: string | null;
  /** The interaction that it answers. */
  readonly interaction: string | null;
}

/** One thing that Discord carried out or refused, in order: what tests ask about. */
export interface Commit {
  readonly at: number;
  readonly method: string;
  /** As a template: `/channels/:channel/messages`. */
  readonly route: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
  /** Whom a written message pinged. */
  readonly pings: readonly string[];
}

const discordEpoch = 1_420_070_400_000;

export interface State {
  readonly users: Map<string, FakeUser>;
  readonly guilds: Map<string, FakeGuild>;
  readonly channels: Map<string, FakeChannel>;
  readonly messages: Map<string, FakeMessage>;
  readonly files: Map<string, { readonly bytes: Uint8Array; readonly type: string }>;
  readonly commits: Commit[];
  /** A new id, which says when it was made. */
  id(): string;
  now(): number;
}

export function createState(now: () => number): State {
  let counter = 0;
  return {
    users: new Map(),
    guilds: new Map(),
    channels: new Map(),
    messages: new Map(),
    files: new Map(),
    commits: [],
    now,
    id: () => String((BigInt(now() - discordEpoch) << 22n) | BigInt(counter++ % 4_194_304)),
  };
}

export const isThread = (channel: FakeChannel): boolean => channel.type >= 10 && channel.type <= 12;

export function channelView(state: State, channel: FakeChannel, bot: string): Record<string, unknown> {
  const base = { id: channel.id, type: channel.type, last_message_id: historyOf(state, channel.id).at(-1)?.id ?? null };
  if (channel.recipient !== null) return { ...base, recipients: [channel.recipient] };
  const inGuild = { ...base, guild_id: channel.guild, name: channel.name, parent_id: channel.parent };
  if (!isThread(channel)) return { ...inGuild, position: 0, permission_overwrites: [], nsfw: false, topic: null };
  return {
    ...inGuild,
    owner_id: channel.owner,
    message_count: [...state.messages.values()].filter((message) => message.channel === channel.id).length,
    member_count: 1,
    rate_limit_per_user: 0,
    flags: 0,
    thread_metadata: {
      archived: channel.archived,
      locked: channel.locked,
      auto_archive_duration: 1440,
      archive_timestamp: new Date(state.now()).toISOString(),
    },
    ...(channel.owner === bot
      ? { member: { id: channel.id, user_id: bot, join_timestamp: new Date(state.now()).toISOString(), flags: 0 } }
      : {}),
  };
}

const mentioned = (content: string, pattern: RegExp): string[] => [
  ...new Set([...content.matchAll(pattern)].map(([, id = ""]) => id)),
];

/** A message as REST and gateway show it; `depth` ends the chain of replies. */
export function messageView(state: State, message: FakeMessage, depth = 0): Record<string, unknown> {
  const reference = message.reference === null ? undefined : state.messages.get(message.reference);
  const thread = state.channels.get(message.id);
  const replied = reference === undefined || message.type !== 19 ? [] : [reference.author];
  const named = mentioned(message.content, /<@!?(\d+)>/g).flatMap((id) => state.users.get(id) ?? []);
  const users = [...new Map([...named, ...replied].map((user) => [user.id, user])).values()];
  return {
    id: message.id,
    type: message.type,
    channel_id: message.channel,
    author: message.author,
    content: message.content,
    timestamp: new Date(Number((BigInt(message.id) >> 22n) + BigInt(discordEpoch))).toISOString(),
    edited_timestamp: message.editedAt === null ? null : new Date(message.editedAt).toISOString(),
    tts: false,
    mention_everyone: false,
    mentions: users,
    mention_roles: mentioned(message.content, /<@&(\d+)>/g),
    attachments: message.attachments,
    embeds: message.embeds,
    components: message.components,
    pinned: false,
    flags: message.flags | (thread === undefined ? 0 : 32),
    ...(message.webhook === null ? {} : { webhook_id: message.webhook }),
    ...(message.reference === null
      ? {}
      : {
          message_reference: { type: 0, channel_id: message.channel, message_id: message.reference },
          ...(depth === 0 && message.type === 19
            ? { referenced_message: reference === undefined ? null : messageView(state, reference, 1) }
            : {}),
        }),
  };
}

/** Messages that stand in a channel's history, oldest first. */
export const historyOf = (state: State, channel: string): FakeMessage[] =>
  [...state.messages.values()]
    .filter((message) => message.channel === channel && message.onlyFor === null)
    .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
