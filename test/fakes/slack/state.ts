/** What the fake Slack workspace holds: people, channels, messages, files, views. */
import { refuse } from "./errors.ts";

export interface FakeUser {
  readonly id: string;
  readonly name: string;
  readonly team: string;
  readonly bot?: boolean;
  readonly guest?: boolean;
  /** Of another organisation, met through a shared channel. */
  readonly stranger?: boolean;
}

export interface FakeChannel {
  readonly id: string;
  readonly name: string;
  readonly type: "channel" | "group" | "im" | "mpim";
  readonly members: Set<string>;
  archived: boolean;
  /** Other organisations have it, too. */
  readonly connected?: boolean;
  /** The person of a direct message. */
  readonly user?: string;
}

/** `streaming` until it is stopped, by whom, or has expired. */
export type StreamState = "streaming" | "stopped" | "stopped_by_user" | "expired";

export interface FakeMessage {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  readonly thread_ts?: string;
  text: string;
  blocks: readonly Json[] | undefined;
  metadata: Json | undefined;
  readonly files: readonly string[];
  readonly subtype?: string;
  readonly bot: boolean;
  edited: boolean;
  /** Links are shown with a preview. */
  readonly unfurls: boolean;
  /** Native streams only. */
  stream?: { state: StreamState; readonly startedAt: number; mode: "chunks" | "markdown_text"; tasks: Map<string, Json> };
}

export interface FakeFile {
  readonly id: string;
  readonly name: string;
  readonly mimetype: string;
  readonly user: string;
  bytes: Uint8Array | undefined;
  /** Uploaded in full and shared. */
  complete: boolean;
  readonly length: number;
  readonly external?: boolean;
  shares: { readonly channel: string; readonly ts: string }[];
}

export type Json = Record<string, unknown>;

/** A field as text; empty where it is none. */
export const str = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

export const team = "T0ACME";
export const botUser = "U0PARLEY";
export const botId = "B0PARLEY";
export const appId = "A0PARLEY";
export const tokens = { bot: "xoxb-fake-bot", app: "xapp-fake-app", signing: "fake-signing-secret" } as const;

const users: readonly FakeUser[] = [
  { id: botUser, name: "Parley", team, bot: true },
  { id: "U0ANN", name: "Ann", team },
  { id: "U0BEN", name: "Ben", team },
  { id: "U0GUEST", name: "Gil Guest", team, guest: true },
  { id: "U0ROBOT", name: "Other bot", team, bot: true },
  { id: "U0OTHER", name: "Olga Other", team: "T0OTHER", stranger: true },
];

const everyone = ["U0ANN", "U0BEN", "U0GUEST", "U0ROBOT", "U0OTHER"];
const channels = (): FakeChannel[] => [
  { id: "C0GENERAL", name: "general", type: "channel", members: new Set([botUser, ...everyone]), archived: false },
  { id: "C0RANDOM", name: "random", type: "channel", members: new Set([botUser, ...everyone]), archived: false },
  { id: "C0SECRET", name: "secret", type: "group", members: new Set([botUser, "U0ANN"]), archived: false },
  {
    id: "C0SHARED",
    name: "shared-with-other",
    type: "channel",
    members: new Set([botUser, ...everyone]),
    archived: false,
    connected: true,
  },
  { id: "C0APART", name: "apart", type: "channel", members: new Set(everyone), archived: false },
  { id: "C0OLD", name: "old", type: "channel", members: new Set([botUser, ...everyone]), archived: true },
  { id: "D0ANN", name: "", type: "im", members: new Set([botUser, "U0ANN"]), archived: false, user: "U0ANN" },
  { id: "D0BEN", name: "", type: "im", members: new Set([botUser, "U0BEN"]), archived: false, user: "U0BEN" },
  { id: "G0GROUP", name: "mpdm-ann--ben", type: "mpim", members: new Set([botUser, "U0ANN", "U0BEN"]), archived: false },
];

export interface State {
  /** Where the fake's HTTP server is: for uploads, files and sockets. */
  origin: string;
  /** What the bot token may do, as Slack names it beside each answer. */
  scopes: readonly string[];
  readonly users: Map<string, FakeUser>;
  readonly channels: Map<string, FakeChannel>;
  /** Members of user groups. */
  readonly groups: Map<string, Set<string>>;
  /** Oldest first. */
  readonly messages: FakeMessage[];
  readonly files: Map<string, FakeFile>;
  /** Seen by one person only, oldest first. */
  readonly ephemerals: {
    readonly channel: string;
    readonly user: string;
    readonly text: string;
    readonly blocks: readonly Json[] | undefined;
    readonly thread_ts?: string;
  }[];
  /** Open modals and published home tabs. */
  readonly views: Map<string, { readonly id: string; readonly user: string; view: Json; readonly type: string; open: boolean }>;
  /** Trigger ids that may still open a view, with the person they belong to. */
  readonly triggers: Map<string, { readonly user: string; readonly at: number }>;
  readonly statuses: Map<string, string>;
  /** Answers to a response_url. */
  readonly responses: { readonly url: string; readonly body: Json }[];
  now(): number;
  /** A time stamp that no other message has. */
  nextTs(): string;
  nextId(prefix: string): string;
}

export function createState(now: () => number): State {
  let lastTs = 0;
  let ids = 0;
  return {
    origin: "",
    scopes: [],
    users: new Map(users.map((user) => [user.id, user])),
    channels: new Map(channels().map((channel) => [channel.id, channel])),
    groups: new Map([["S0TEAM", new Set(["U0ANN"])]]),
    messages: [],
    files: new Map(),
    ephemerals: [],
    views: new Map(),
    triggers: new Map(),
    statuses: new Map(),
    responses: [],
    now,
    nextTs() {
      lastTs = Math.max(Math.floor(now() * 1000), lastTs + 1);
      return `${Math.floor(lastTs / 1_000_000)}.${String(lastTs % 1_000_000).padStart(6, "0")}`;
    },
    nextId: (prefix) => `${prefix}${String(++ids).padStart(6, "0")}`,
  };
}

/** The channel, or Slack's refusal: unknown, without the bot, archived. */
export function writable(state: State, id: unknown): FakeChannel {
  const channel = state.channels.get(String(id)) ?? [...state.channels.values()].find(({ user }) => user === id);
  if (channel === undefined || (channel.type === "group" && !channel.members.has(botUser))) return refuse("channel_not_found");
  if (!channel.members.has(botUser)) return refuse("not_in_channel");
  return channel.archived ? refuse("is_archived") : channel;
}

export function readable(state: State, id: unknown): FakeChannel {
  const channel = state.channels.get(String(id));
  if (channel === undefined) return refuse("channel_not_found");
  return channel.members.has(botUser) ? channel : refuse("not_in_channel");
}

export const messageAt = (state: State, channel: unknown, ts: unknown): FakeMessage | undefined =>
  // From the end: in a long run most are asked for soon after they came.
  state.messages.findLast((message) => message.channel === channel && message.ts === ts);

/** As `conversations.history` and events give it. */
export function shape(state: State, message: FakeMessage, { metadata = false } = {}): Json {
  const isReply = message.thread_ts !== undefined && message.thread_ts !== message.ts;
  const replies = isReply
    ? []
    : state.messages.filter((one) => one.channel === message.channel && one.thread_ts === message.ts && one.ts !== message.ts);
  return {
    type: "message",
    ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
    user: message.user,
    ...(message.bot
      ? { bot_id: message.user === botUser ? botId : "B0ROBOT", app_id: message.user === botUser ? appId : "A0ROBOT" }
      : {}),
    team: state.users.get(message.user)?.team ?? team,
    text: message.text,
    ts: message.ts,
    ...(message.blocks === undefined ? {} : { blocks: message.blocks }),
    ...(message.thread_ts === undefined
      ? replies.length > 0
        ? { thread_ts: message.ts }
        : {}
      : { thread_ts: message.thread_ts }),
    ...(replies.length > 0 ? { reply_count: replies.length, latest_reply: replies.at(-1)?.ts } : {}),
    ...(message.edited ? { edited: { user: message.user, ts: message.ts } } : {}),
    ...(message.files.length === 0 ? {} : { files: message.files.map((id) => fileShape(state, id)) }),
    ...(metadata && message.metadata !== undefined ? { metadata: message.metadata } : {}),
    ...(message.stream?.state === "streaming" ? { streaming_state: "in_progress" } : {}),
  };
}

export function fileShape(state: State, id: string): Json {
  const file = state.files.get(id);
  if (file === undefined) return refuse("file_not_found");
  const url = `${state.origin}/files-pri/${team}-${file.id}/${encodeURIComponent(file.name)}`;
  return {
    id: file.id,
    name: file.name,
    title: file.name,
    mimetype: file.mimetype,
    filetype: file.name.split(".").at(-1) ?? "",
    user: file.user,
    size: file.length,
    mode: file.external === true ? "external" : "hosted",
    is_external: file.external === true,
    url_private: file.external === true ? "https://elsewhere.example/file" : url,
    url_private_download:
      file.external === true ? "https://elsewhere.example/file" : url.replace("/files-pri/", "/files-pri/download/"),
    shares:
      file.shares.length === 0 ? {} : { public: Object.fromEntries(file.shares.map(({ channel, ts }) => [channel, [{ ts }]])) },
  };
}
