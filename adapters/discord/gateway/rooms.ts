/** The channels, threads and roles that Discord has told of: what a message's bare channel id stands for. */
import type { DiscordRest } from "../outbound/rest.ts";

export interface Room {
  readonly id: string;
  /** https://docs.discord.com/developers/resources/channel#channel-object-channel-types */
  readonly type: number;
  /** Null: a direct message. */
  readonly guild: string | null;
  readonly name: string;
  /** Of a thread: the channel that it is in. */
  readonly parent: string | null;
  /** Of a thread: who made it. */
  readonly owner: string | null;
  readonly archived: boolean;
  readonly lastMessage: string | null;
  /** Not everybody of the guild sees it; a thread that everybody may see is hidden with its channel. */
  readonly hidden: boolean;
}

export interface Rooms {
  /** Takes in what an event of the gateway says of channels and roles. */
  observe(type: string, data: unknown): void;
  /** What is known of a channel, asked of Discord where nothing is. Throws `WriteFault`, `gone` for what Parley may not see. */
  find(id: string, signal: AbortSignal): Promise<Room>;
  known(id: string): Room | undefined;
  all(): Iterable<Room>;
  /** Who reads what is said in a room, where that is not everybody of its guild. */
  readers(room: Room): "members" | undefined;
  /** How far members have boosted a guild: 0 to 3. */
  boostTier(guild: string): number;
  roleName(id: string): string | undefined;
  /** The role that Discord gave Parley in a guild, which people mention as they mention Parley itself. */
  ownRole(guild: string, bot: string): string | undefined;
}

interface Payload {
  readonly id?: unknown;
  readonly [field: string]: unknown;
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const listOf = (value: unknown): readonly Payload[] => (Array.isArray(value) ? (value as Payload[]) : []);

export const isThread = ({ type }: Room): boolean => type >= 10 && type <= 12;
export const isDirect = ({ guild }: Room): boolean => guild === null;

const privateThread = 12;
const viewChannel = 1n << 10n;
/** The role that everybody has bears the guild's id. */
const hides = (overwrites: readonly Payload[], guild: string | undefined): boolean =>
  overwrites.some(({ id, deny }) => id === guild && typeof deny === "string" && (BigInt(deny) & viewChannel) !== 0n);

/** A channel as an event, an interaction or an answer shows it; undefined for what is none. */
export function roomOf(channel: unknown, guild?: string): Room | undefined {
  const { id, type, guild_id, name, parent_id, owner_id, thread_metadata, last_message_id, permission_overwrites } = (channel ??
    {}) as Payload;
  if (typeof id !== "string" || typeof type !== "number") return undefined;
  return {
    id,
    type,
    guild: textOf(guild_id) ?? guild ?? null,
    name: textOf(name) ?? "",
    parent: textOf(parent_id),
    owner: textOf(owner_id),
    archived: (thread_metadata as { archived?: unknown } | undefined)?.archived === true,
    lastMessage: textOf(last_message_id),
    hidden: type === privateThread || hides(listOf(permission_overwrites), textOf(guild_id) ?? guild),
  };
}

interface Role {
  readonly name: string;
  readonly guild: string;
  /** The bot that has it to itself. */
  readonly bot: string | null;
}

export function createRooms(rest: Pick<DiscordRest, "call">): Rooms {
  const rooms = new Map<string, Room>();
  const roles = new Map<string, Role>();
  const tiers = new Map<string, number>();

  const put = (channel: unknown, guild?: string): void => {
    const room = roomOf(channel, guild);
    if (room !== undefined) rooms.set(room.id, room);
  };
  const putRole = (role: Payload, guild: string): void => {
    const id = textOf(role.id);
    if (id === null) return;
    roles.set(id, { name: textOf(role["name"]) ?? "", guild, bot: textOf((role["tags"] as Payload | undefined)?.["bot_id"]) });
  };
  const putTier = ({ id, premium_tier: tier }: Payload): void => {
    if (typeof id === "string" && typeof tier === "number") tiers.set(id, tier);
  };
  const forget = (guild: string): void => {
    for (const [id, room] of rooms) if (room.guild === guild) rooms.delete(id);
    for (const [id, role] of roles) if (role.guild === guild) roles.delete(id);
    tiers.delete(guild);
  };

  return {
    observe(type, payload) {
      const data = (payload ?? {}) as Payload;
      const guild = textOf(data["guild_id"]) ?? undefined;
      switch (type) {
        case "GUILD_CREATE": {
          const id = textOf(data.id) ?? "";
          putTier(data);
          for (const channel of [...listOf(data["channels"]), ...listOf(data["threads"])]) put(channel, id);
          for (const role of listOf(data["roles"])) putRole(role, id);
          return;
        }
        case "GUILD_UPDATE":
          return putTier(data);
        case "GUILD_DELETE":
          // An outage is no departure.
          if (data["unavailable"] !== true) forget(textOf(data.id) ?? "");
          return;
        case "GUILD_ROLE_CREATE":
        case "GUILD_ROLE_UPDATE":
          return putRole((data["role"] ?? {}) as Payload, guild ?? "");
        case "CHANNEL_CREATE":
        case "CHANNEL_UPDATE":
        case "THREAD_CREATE":
        case "THREAD_UPDATE":
          return put(data, guild);
        case "THREAD_LIST_SYNC":
          for (const thread of listOf(data["threads"])) put(thread, guild);
          return;
        case "CHANNEL_DELETE":
        case "THREAD_DELETE":
          rooms.delete(textOf(data.id) ?? "");
          return;
        default:
      }
    },
    async find(id, signal) {
      const known = rooms.get(id);
      if (known !== undefined) return known;
      const found = roomOf(await rest.call({ method: "GET", route: `/channels/${id}` }, signal));
      if (found === undefined) throw new TypeError("Discord described a channel without id or type");
      rooms.set(found.id, found);
      return found;
    },
    known: (id) => rooms.get(id),
    all: () => rooms.values(),
    readers: (room) => (room.hidden || (room.parent !== null && rooms.get(room.parent)?.hidden === true) ? "members" : undefined),
    boostTier: (guild) => tiers.get(guild) ?? 0,
    roleName: (id) => roles.get(id)?.name,
    ownRole: (guild, bot) => [...roles].find(([, role]) => role.guild === guild && role.bot === bot)?.[0],
  };
}
