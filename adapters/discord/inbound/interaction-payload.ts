/** Discord's interactions as far as they are read. https://docs.discord.com/developers/interactions/receiving-and-responding */
import { isThread, roomOf, type Room } from "../gateway/rooms.ts";
import { directTenant, placeOf } from "../ids.ts";
import type { Place } from "../../../src/core/place.ts";
import {
  isId,
  isMember,
  isUser,
  type AttachmentPayload,
  type MemberPayload,
  type MessagePayload,
  type UserPayload,
} from "./payload.ts";

export const interactionTypes = { command: 2, component: 3, autocomplete: 4, modal: 5 } as const;
/** What a callback does. */
export const callbackTypes = { message: 4, deferredMessage: 5, deferredUpdate: 6, choices: 8, modal: 9 } as const;
export const ephemeral = 64;

export interface OptionPayload {
  readonly name: string;
  readonly value?: unknown;
  readonly focused?: boolean;
}

/** What was given for an option, whatever its type. */
export const textOf = (option: OptionPayload | undefined): string => {
  const value = option?.value;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
};

export interface InteractionPayload {
  readonly id: string;
  readonly application_id: string;
  readonly type: number;
  readonly token: string;
  readonly guild_id?: string;
  readonly channel_id?: string;
  readonly channel?: unknown;
  readonly member?: MemberPayload & { readonly user?: UserPayload };
  readonly user?: UserPayload;
  readonly app_permissions?: string;
  readonly authorizing_integration_owners?: Readonly<Record<string, string>>;
  readonly context?: number;
  readonly attachment_size_limit?: number;
  readonly data?: {
    readonly name?: string;
    readonly type?: number;
    readonly options?: readonly OptionPayload[];
    readonly custom_id?: string;
    readonly components?: unknown;
    readonly target_id?: string;
    readonly resolved?: {
      readonly messages?: Readonly<Record<string, MessagePayload>>;
      /** Files that were given with options, whose values are their ids. */
      readonly attachments?: Readonly<Record<string, AttachmentPayload>>;
    };
  };
}

export const isInteraction = (value: unknown): value is InteractionPayload => {
  const { id, token, type, user, member } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return isId(id) && typeof token === "string" && typeof type === "number" && isUser(user) && isMember(member);
};

/** https://docs.discord.com/developers/topics/permissions */
const viewChannel = 1n << 10n;
const sendMessages = 1n << 11n;
const sendInThreads = 1n << 38n;
/** A direct message or group that Parley is not in. */
const privateChannel = 2;

/** Where an interaction came from. */
export interface Scene {
  readonly user: UserPayload;
  readonly member: MemberPayload | undefined;
  readonly room: Room;
  readonly place: Place;
  /** Everything that is said goes to one place, without threads. */
  readonly direct: boolean;
  /** Parley cannot write there but with the interaction's token. */
  readonly tokenOnly: boolean;
}

function canWrite(
  { app_permissions: permissions, context, guild_id, authorizing_integration_owners: owners }: InteractionPayload,
  room: Room,
): boolean {
  if (context === privateChannel) return false;
  if (guild_id === undefined) return true;
  if (owners !== undefined && owners["0"] === undefined) return false;
  if (permissions === undefined || !/^\d+$/.test(permissions)) return true;
  const needed = viewChannel | (isThread(room) ? sendInThreads : sendMessages);
  return (BigInt(permissions) & needed) === needed;
}

/** Undefined for an interaction that does not say who and where. */
export function sceneOf(interaction: InteractionPayload): Scene | undefined {
  const user = interaction.member?.user ?? interaction.user;
  const room = roomOf(interaction.channel ?? { id: interaction.channel_id, type: 0 }, interaction.guild_id);
  if (user === undefined || room === undefined) return undefined;
  const tokenOnly = !canWrite(interaction, room);
  const direct = interaction.guild_id === undefined || tokenOnly;
  const tenant = interaction.guild_id ?? directTenant;
  const thread = !direct && isThread(room);
  const place = thread ? placeOf(tenant, room.parent ?? room.id, room.id) : placeOf(tenant, room.id, null);
  return { user, member: interaction.member, room, place, direct, tokenOnly };
}
