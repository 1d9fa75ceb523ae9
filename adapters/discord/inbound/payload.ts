/** Discord's messages as far as they are read, and people and files in them. */
import { directTenant } from "../ids.ts";
import type { InboundFile, Person } from "../../../src/core/inbound.ts";

export interface UserPayload {
  readonly id: string;
  readonly username?: string;
  readonly global_name?: string | null;
  readonly bot?: boolean;
}

export interface MemberPayload {
  readonly nick?: string | null;
  readonly roles?: readonly string[];
  /** https://docs.discord.com/developers/resources/guild#guild-member-object-guild-member-flags */
  readonly flags?: number;
}

export interface AttachmentPayload {
  readonly id: string;
  readonly filename: string;
  readonly content_type?: string;
  readonly size?: number;
  readonly url: string;
}

export const isAttachment = (value: unknown): value is AttachmentPayload => {
  const { url, filename } = (value ?? {}) as { url?: unknown; filename?: unknown };
  return typeof url === "string" && typeof filename === "string";
};

/** https://docs.discord.com/developers/resources/message#message-object */
export interface MessagePayload {
  readonly id: string;
  readonly channel_id: string;
  readonly guild_id?: string;
  readonly type?: number;
  readonly author?: UserPayload;
  readonly member?: MemberPayload;
  readonly content?: string;
  readonly edited_timestamp?: string | null;
  readonly mentions?: readonly (UserPayload & { readonly member?: MemberPayload })[];
  readonly attachments?: readonly AttachmentPayload[];
  readonly webhook_id?: string;
  readonly referenced_message?: MessagePayload | null;
}

/** Said by a person: ordinary messages and replies. Anything else is Discord's own notice, or the answer to a command. */
const saidTypes: ReadonlySet<number> = new Set([0, 19]);

export const isSaid = ({ type = 0 }: MessagePayload): boolean => saidTypes.has(type);

type Check = (value: unknown) => boolean;
export const isId: Check = (value) => typeof value === "string" && /^\d{1,20}$/.test(value);
const isText: Check = (value) => typeof value === "string";
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shape =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(fields).every(([name, check]) => check((value as Readonly<Record<string, unknown>>)[name]));

const user = { id: isId, username: maybe(isText), global_name: maybe(isText) };
const member = { nick: maybe(isText), roles: maybe(listOf(isText)) };
const attachment = { id: isId, filename: isText, content_type: maybe(isText), url: isText };
const message = {
  id: isId,
  channel_id: isId,
  guild_id: maybe(isId),
  author: maybe(shape(user)),
  member: maybe(shape(member)),
  content: maybe(isText),
  mentions: maybe(listOf(shape({ ...user, member: maybe(shape(member)) }))),
  attachments: maybe(listOf(shape(attachment))),
};

export const isMember = maybe(shape({ ...member, user: maybe(shape(user)) }));
export const isUser = maybe(shape(user));
/** What is not of this shape is none of Discord's: read again and again it would keep everything behind it back. */
export const isMessage = (value: unknown): value is MessagePayload =>
  shape({ ...message, referenced_message: maybe(shape(message)) })(value);

export const displayName = (user: UserPayload, member?: MemberPayload): string =>
  member?.nick ?? user.global_name ?? user.username ?? "somebody";

/** Let into one voice channel of the guild, by an invitation as a guest. */
const guestFlag = 1 << 4;
const isGuest = (member: MemberPayload | undefined): boolean => ((member?.flags ?? 0) & guestFlag) !== 0;

export const personOf = (user: UserPayload, member: MemberPayload | undefined, webhook = false): Person => ({
  id: user.id,
  name: displayName(user, member),
  // People are the same in all of Discord.
  home: directTenant,
  ...(isGuest(member) ? { external: true, guest: true } : {}),
  ...(user.bot === true || webhook ? { bot: true } : {}),
});

/** The id of a file is its address, from which its bytes are read: Discord gives out files by no other name. */
export const filesOf = ({ attachments = [] }: Pick<MessagePayload, "attachments">): InboundFile[] =>
  attachments.map(({ filename, content_type, size, url }) => ({
    id: url,
    name: filename,
    mediaType: content_type?.split(";", 1)[0]?.trim() ?? "application/octet-stream",
    bytes: size ?? null,
  }));
