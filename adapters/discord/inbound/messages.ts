/** Messages that are for Parley, as what the inbox stores: mentions, replies to Parley, its threads, direct messages. */
import type { ContextMessage, Inbound, InboundMessage } from "../../../src/core/inbound.ts";
import type { KeyValueMap } from "../../../src/core/maps.ts";
import { placeKey, type Place } from "../../../src/core/place.ts";
import type { FollowUps } from "../../../src/core/settings.ts";
import { isAllowed, needsRoles, type IdLists } from "../access.ts";
import { isDirect, isThread, type Room, type Rooms } from "../gateway/rooms.ts";
import { directTenant, messageKey, placeOf, timeOf } from "../ids.ts";
import type { DiscordRest } from "../outbound/rest.ts";
import { displayName, filesOf, isSaid, personOf, type MemberPayload, type MessagePayload } from "./payload.ts";
import { plainText, readText, type Names, type Reading } from "./text.ts";

export interface MessageReading {
  /** The inbound of a message; undefined when it is not for Parley. Throws `WriteFault` where Discord had to be asked and failed. */
  said(message: MessagePayload, signal: AbortSignal): Promise<InboundMessage | undefined>;
  edited(message: MessagePayload, signal: AbortSignal): Promise<Inbound | undefined>;
  deleted(
    message: { readonly id: string; readonly channel: string },
    at: number,
    signal: AbortSignal,
  ): Promise<Inbound | undefined>;
  /** Where a message is, and where it is answered. */
  whereOf(message: MessagePayload, signal: AbortSignal): Promise<Where>;
  namesOf(message: MessagePayload): Names;
}

export interface Where {
  readonly room: Room;
  readonly tenant: string;
  /** A mention in a channel begins a thread at its own message. */
  readonly place: Place;
}

export interface MessageReadingOptions {
  readonly bot: () => string;
  readonly rest: Pick<DiscordRest, "call">;
  readonly rooms: Rooms;
  /** Keys of the threads in which Parley takes part, so that what is said there is for it. */
  readonly joined: KeyValueMap<true>;
  readonly allow: IdLists;
  readonly deny: IdLists;
  /** Whether what is said in a thread of Parley's is for it without a mention. */
  readonly followUps: (place: Place) => Promise<FollowUps>;
  /** A message in a thread of Parley's came without its words, which Discord keeps from it. */
  readonly onUnreadable: (place: Place) => void;
}

const remembered = 5_000;

export function createMessageReading(options: MessageReadingOptions): MessageReading {
  const { bot, rest, rooms, joined, allow, deny, followUps, onUnreadable } = options;
  /** Parley's own messages, whose removal is nothing that anybody said. */
  const own = new Set<string>();
  const rememberOwn = (id: string): void => {
    own.add(id);
    const [oldest] = own;
    if (own.size > remembered && oldest !== undefined) own.delete(oldest);
  };

  const namesOf = ({ mentions = [] }: MessagePayload): Names => ({
    person: (id) => {
      const user = mentions.find((one) => one.id === id);
      return user === undefined ? undefined : displayName(user, user.member);
    },
    channel: (id) => rooms.known(id)?.name,
    role: (id) => rooms.roleName(id),
  });

  const whereOf = async (message: { readonly id: string; readonly channel_id: string }, signal: AbortSignal): Promise<Where> => {
    const room = await rooms.find(message.channel_id, signal);
    const tenant = room.guild ?? directTenant;
    if (isDirect(room)) return { room, tenant, place: placeOf(tenant, room.id, null) };
    if (isThread(room)) return { room, tenant, place: placeOf(tenant, room.parent ?? room.id, room.id) };
    return { room, tenant, place: placeOf(tenant, room.id, message.id) };
  };

  /** What is said in the place is for Parley, or a message has begun a thread with it. */
  const takesPart = async ({ room, place }: Where): Promise<boolean> =>
    isDirect(room) || (isThread(room) && room.owner === bot()) || (await joined.get(placeKey(place))) === true;

  /** What names or replies to somebody else in a thread is between these people. */
  const isFollowUp = async (message: MessagePayload, { room, place }: Where): Promise<boolean> => {
    if (isDirect(room)) return true;
    if ((message.mentions ?? []).length > 0 || (message.referenced_message ?? null) !== null) return false;
    return (await followUps(place)) === "thread";
  };

  const isReplyToSelf = ({ referenced_message: to }: MessagePayload): boolean => to?.author?.id === bot();

  const read = (message: MessagePayload, { room }: Where): Reading =>
    readText(message.content ?? "", { id: bot(), role: rooms.ownRole(room.guild ?? "", bot()) }, namesOf(message));

  /** The gateway says who somebody is in the guild; of a message that was fetched Discord has to be asked. */
  const rolesOf = async ({ author, member }: MessagePayload, room: Room, signal: AbortSignal): Promise<readonly string[]> => {
    if (member !== undefined || author === undefined || room.guild === null || !needsRoles({ allow, deny }))
      return member?.roles ?? [];
    const found = await rest.call({ method: "GET", route: `/guilds/${room.guild}/members/${author.id}` }, signal);
    return (found as MemberPayload).roles ?? [];
  };

  const allowed = async (message: MessagePayload, { room }: Where, signal: AbortSignal): Promise<boolean> =>
    isAllowed(
      { allow, deny },
      {
        user: message.author?.id ?? "",
        roles: await rolesOf(message, room, signal),
        guild: room.guild,
        channels: [room.id, ...(room.parent === null ? [] : [room.parent])],
      },
    );

  /** The message that this one replies to, which the thread that it begins does not show. */
  const repliedTo = ({ referenced_message: to }: MessagePayload): readonly ContextMessage[] => {
    if (to?.author === undefined) return [];
    const text = plainText(to.content ?? "", namesOf(to));
    return text === "" ? [] : [{ author: displayName(to.author, to.member), text, at: timeOf(to.id) }];
  };

  return {
    whereOf,
    namesOf,
    async said(message, signal) {
      const { author } = message;
      if (author?.id === bot()) rememberOwn(message.id);
      // Judged before anything is looked up: most of what is said is not for Parley.
      if (author === undefined || author.bot === true || message.webhook_id !== undefined || !isSaid(message)) return undefined;
      const where = await whereOf(message, signal);
      const { room, tenant, place } = where;
      const reading = read(message, where);
      const files = filesOf(message);
      // A message that began a thread, by a mention or from its menu, is no follow-up to itself.
      const takingPart = (isDirect(room) || isThread(room)) && (await takesPart(where));
      if (!reading.mentioned && !isReplyToSelf(message) && !(takingPart && (await isFollowUp(message, where)))) return undefined;
      if (!(await allowed(message, where, signal))) return undefined;
      // Without the Message Content intent a message that does not mention Parley comes without its words and files.
      if (reading.runs.length === 0 && files.length === 0 && !reading.mentioned) {
        if (takingPart) onUnreadable(place);
        return undefined;
      }
      const context = isThread(room) ? [] : repliedTo(message);
      if (!takingPart) await joined.set(placeKey(place), true);
      return {
        kind: "message",
        key: messageKey(tenant, room.id, message.id),
        place,
        author: personOf(author, message.member),
        at: timeOf(message.id),
        ...(isDirect(room) ? { direct: true } : {}),
        ...(rooms.readers(room) === undefined ? {} : { readers: "members" }),
        message: message.id,
        runs: reading.runs,
        files,
        ...(context.length === 0 ? {} : { context }),
        ...(isThread(room) && !takingPart ? { joins: true } : {}),
      };
    },

    async edited(message, signal) {
      const { author, edited_timestamp: edited } = message;
      // A preview that Discord adds is an update too, without the time of an edit.
      if (author === undefined || author.bot === true || typeof edited !== "string") return undefined;
      const where = await whereOf(message, signal);
      const { room, tenant, place } = where;
      if (!(await takesPart(where))) return undefined;
      const { runs } = read(message, where);
      if (runs.length === 0) return undefined;
      const at = Date.parse(edited);
      return {
        kind: "edit",
        key: messageKey(tenant, room.id, message.id, `edit:${at}`),
        target: messageKey(tenant, room.id, message.id),
        place,
        author: personOf(author, message.member),
        at,
        ...(isDirect(room) ? { direct: true } : {}),
        runs,
      };
    },

    async deleted({ id, channel }, at, signal) {
      if (own.delete(id)) return undefined;
      const where = await whereOf({ id, channel_id: channel }, signal);
      const { room, tenant, place } = where;
      if (!(await takesPart(where))) return undefined;
      return {
        kind: "delete",
        key: messageKey(tenant, room.id, id, "delete"),
        target: messageKey(tenant, room.id, id),
        place,
        // Discord does not say who it was.
        author: { id: "unknown", name: "somebody" },
        at,
        ...(isDirect(room) ? { direct: true } : {}),
      };
    },
  };
}
