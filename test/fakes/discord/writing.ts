/** Messages written, changed and removed, with everything that Discord does beside. */
import { invalid, refuse } from "./errors.ts";
import { intents, type Gateway } from "./gateway.ts";
import { checkMessageBody, pingsOf, type BodyKind } from "./message-body.ts";
import type { ApiRequest } from "./routing.ts";
import {
  isThread,
  messageView,
  type Denied,
  type FakeAttachment,
  type FakeChannel,
  type FakeMessage,
  type FakeUser,
  type State,
} from "./state.ts";

export interface Writing {
  channel(id: string, ...needs: Denied[]): FakeChannel;
  message(channel: string, id: string): FakeMessage;
  /** Puts a message into a channel and tells those who may see it. */
  put(message: FakeMessage): void;
  create(request: ApiRequest, channel: FakeChannel, more: Partial<FakeMessage>, kind: BodyKind): FakeMessage;
  edit(request: ApiRequest, message: FakeMessage): void;
  remove(message: FakeMessage): void;
  /** What a person or a route has attached, stored where its URL says. */
  attach(channel: string, file: { name: string; type: string; bytes: Uint8Array }): FakeAttachment;
  view(message: FakeMessage): Record<string, unknown>;
  tell(type: string, data: Record<string, unknown>, channel: FakeChannel): void;
}

/** Edits that a message of more than an hour still takes. */
const oldEdits = 30;
const hourMs = 3_600_000;
/** How long a nonce is remembered: "a few minutes". */
const nonceMs = 300_000;

export interface WritingOptions {
  readonly state: State;
  readonly bot: FakeUser;
  readonly gateway: () => Gateway;
  readonly url: () => string;
  /** The largest file, in bytes. */
  readonly fileLimit?: number | undefined;
}

export function createWriting({ state, bot, gateway, url, fileLimit }: WritingOptions): Writing {
  const nonces = new Map<string, { readonly message: string; readonly at: number }>();
  const lateEdits = new Map<string, number>();

  const tell = (type: string, data: Record<string, unknown>, channel: FakeChannel): void => {
    if (channel.denied.has("view")) return;
    const guild = channel.guild;
    if (guild !== null && state.guilds.get(guild)?.joined === false) return;
    gateway().dispatch({ type, data, guild, intent: guild === null ? intents.directMessages : intents.guildMessages });
  };
  const view = (message: FakeMessage): Record<string, unknown> => messageView(state, message);
  /** As the gateway tells it: with the guild, and the author's membership. */
  const told = (message: FakeMessage, channel: FakeChannel): Record<string, unknown> => {
    if (channel.guild === null) return view(message);
    const member = state.guilds.get(channel.guild)?.members.get(message.author.id);
    return {
      ...view(message),
      guild_id: channel.guild,
      member: { nick: member?.nick ?? null, roles: member?.roles ?? [], flags: member?.flags ?? 0 },
    };
  };

  const channelOf = (id: string, ...needs: Denied[]): FakeChannel => {
    const channel = state.channels.get(id);
    if (channel === undefined) return refuse(10003);
    const above = channel.parent === null ? undefined : state.channels.get(channel.parent);
    const isDenied = (need: Denied): boolean =>
      channel.denied.has(need) || (isThread(channel) && above?.denied.has(need) === true);
    const guild = channel.guild === null ? undefined : state.guilds.get(channel.guild);
    if (isDenied("view") || guild?.joined === false) refuse(50001);
    for (const need of needs) if (isDenied(need)) refuse(50013);
    return channel;
  };

  const messageOf = (channel: string, id: string): FakeMessage => {
    const message = state.messages.get(id);
    return message === undefined || message.channel !== channel ? refuse(10008) : message;
  };

  const attach: Writing["attach"] = (channel, { name, type, bytes }) => {
    const id = state.id();
    const path = `/attachments/${channel}/${id}/${encodeURIComponent(name)}`;
    state.files.set(path, { bytes, type });
    return { id, filename: name, content_type: type, size: bytes.byteLength, url: `${url()}${path}?ex=68&is=67&hm=ab` };
  };

  const attachAll = (request: ApiRequest, channel: string): FakeAttachment[] => {
    const tier = state.guilds.get(state.channels.get(channel)?.guild ?? "")?.tier ?? 0;
    const most = fileLimit ?? [10, 10, 50, 100][tier]! * 1024 * 1024;
    for (const file of request.files) if (file.bytes.byteLength > most) refuse(40005);
    return request.files.map((file) => attach(channel, file));
  };

  const put = (message: FakeMessage): void => {
    state.messages.set(message.id, message);
    const channel = state.channels.get(message.channel);
    if (channel === undefined) throw new Error(`no channel ${message.channel}`);
    if (message.onlyFor === null)
      tell("MESSAGE_CREATE", { ...told(message, channel), nonce: message.nonce ?? undefined }, channel);
  };

  return {
    channel: channelOf,
    message: messageOf,
    put,
    attach,
    view,
    tell,

    create(request, channel, more, kind) {
      const { body } = request;
      checkMessageBody(body, kind, request.files.length);
      if (![0, 1, 5, 10, 11, 12].includes(channel.type)) refuse(50024);
      if (isThread(channel) && channel.archived) {
        if (channel.locked) refuse(50083);
        channel.archived = false;
      }
      const nonce = body.nonce === undefined ? null : String(body.nonce);
      const nonceKey = `${channel.id}:${nonce}`;
      if (body.enforce_nonce === true && nonce !== null) {
        const before = nonces.get(nonceKey);
        const same = before === undefined || before.at + nonceMs < state.now() ? undefined : state.messages.get(before.message);
        if (same !== undefined) return same;
      }
      const reference = (body.message_reference as { message_id?: string; fail_if_not_exists?: boolean } | undefined)?.message_id;
      if (reference !== undefined && !state.messages.has(reference) && body.message_reference.fail_if_not_exists !== false)
        invalid("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message");
      const content = String(body.content ?? "");
      const message: FakeMessage = {
        id: state.id(),
        channel: channel.id,
        author: bot,
        type: reference === undefined ? 0 : 19,
        content,
        components: body.components ?? [],
        embeds: body.embeds ?? [],
        attachments: attachAll(request, channel.id),
        flags: Number(body.flags ?? 0),
        editedAt: null,
        nonce,
        reference: reference ?? null,
        webhook: null,
        onlyFor: null,
        interaction: null,
        ...more,
      };
      request.pings = pingsOf(content, body.allowed_mentions);
      put(message);
      if (nonce !== null) nonces.set(nonceKey, { message: message.id, at: state.now() });
      return message;
    },

    edit(request, message) {
      const { body } = request;
      const channel = state.channels.get(message.channel);
      if (message.author.id !== bot.id) refuse(50005);
      checkMessageBody(body, "edit", request.files.length);
      if (channel?.archived === true) refuse(50083);
      const madeAt = Date.parse(String(view(message)["timestamp"]));
      if (state.now() - madeAt > hourMs) {
        const late = (lateEdits.get(message.id) ?? 0) + 1;
        if (late > oldEdits) refuse(30046);
        lateEdits.set(message.id, late);
      }
      if (body.content !== undefined) message.content = String(body.content ?? "");
      if (body.components !== undefined) message.components = body.components ?? [];
      if (body.embeds !== undefined) message.embeds = body.embeds ?? [];
      if (body.flags !== undefined) message.flags = Number(body.flags);
      if (body.attachments !== undefined) {
        const kept = (body.attachments as { id: string }[]).map(({ id }) => String(id));
        message.attachments = message.attachments.filter(({ id }) => kept.includes(id));
      }
      message.attachments.push(...attachAll(request, message.channel));
      message.editedAt = state.now();
      // An edit is read for mentions anew.
      request.pings = pingsOf(message.content, body.allowed_mentions);
      if (channel !== undefined && message.onlyFor === null) tell("MESSAGE_UPDATE", told(message, channel), channel);
    },

    remove(message) {
      state.messages.delete(message.id);
      const channel = state.channels.get(message.channel);
      if (channel === undefined || message.onlyFor !== null) return;
      const where = channel.guild === null ? {} : { guild_id: channel.guild };
      tell("MESSAGE_DELETE", { id: message.id, channel_id: message.channel, ...where }, channel);
    },
  };
}
