/** What was said before in a channel or thread, read from Discord. */
import type { ContextMessage } from "../../../src/core/inbound.ts";
import { timeOf } from "../ids.ts";
import { isThread, type Room, type Rooms } from "../gateway/rooms.ts";
import type { DiscordRest } from "../outbound/rest.ts";
import { displayName, isMessage, type MessagePayload } from "./payload.ts";
import { plainText } from "./text.ts";

/** Messages that go along as context, within both bounds, the newest first to be kept. */
const contextMessages = 50;
const contextCharacters = 20_000;
/** The most that Discord gives at once. */
const pageSize = 100;

export interface History {
  /** What people said in a thread before `message`, oldest first; with the message that the thread was made from. */
  before(room: Room, message: string, signal: AbortSignal): Promise<readonly ContextMessage[]>;
  /** What people said in a channel from `message` on, oldest first, at most 100 messages. */
  from(channel: string, message: string, signal: AbortSignal): Promise<readonly ContextMessage[]>;
  /** The messages of a channel behind `message`, oldest first, at most 100. */
  after(channel: string, message: string, signal: AbortSignal): Promise<readonly MessagePayload[]>;
  /** The newest messages of a channel, oldest first, at most 100. */
  newest(channel: string, signal: AbortSignal): Promise<readonly MessagePayload[]>;
  /** The message with this id, where it is still there. */
  one(channel: string, message: string, signal: AbortSignal): Promise<readonly MessagePayload[]>;
  /** As context, within its bounds: the oldest are left out first. */
  asContext(messages: readonly MessagePayload[]): readonly ContextMessage[];
}

const inOrder = (messages: readonly MessagePayload[]): MessagePayload[] =>
  messages.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));

export function createHistory(rest: Pick<DiscordRest, "call">, rooms: Rooms): History {
  const read = async (
    channel: string,
    query: Readonly<Record<string, string | number>>,
    signal: AbortSignal,
  ): Promise<MessagePayload[]> => {
    const found = await rest.call({ method: "GET", route: `/channels/${channel}/messages`, query }, signal);
    return inOrder(Array.isArray(found) ? found.filter(isMessage) : []);
  };
  const one = async (channel: string, message: string, signal: AbortSignal): Promise<MessagePayload[]> =>
    (await read(channel, { around: message, limit: 1 }, signal)).filter(({ id }) => id === message);
  /** The message that a thread was made from stands in the channel, under the thread's own id; a forum's post has none there. */
  const starterOf = async (room: Room, signal: AbortSignal): Promise<MessagePayload[]> => {
    const parent = room.parent === null ? undefined : rooms.known(room.parent);
    if (!isThread(room) || parent === undefined || parent.type === 15 || parent.type === 16) return [];
    return one(parent.id, room.id, signal);
  };

  const asContext = (messages: readonly MessagePayload[]): readonly ContextMessage[] => {
    const context: ContextMessage[] = [];
    let left = contextCharacters;
    for (const message of messages.toReversed()) {
      const { author, member, content = "", mentions = [] } = message;
      const text = plainText(content, {
        person: (id) => {
          const user = mentions.find((one) => one.id === id);
          return user === undefined ? undefined : displayName(user, user.member);
        },
        channel: (id) => rooms.known(id)?.name,
        role: (id) => rooms.roleName(id),
      });
      if (author === undefined || text === "") continue;
      left -= text.length;
      if (left < 0 || context.length >= contextMessages) break;
      context.unshift({ author: displayName(author, member), text, at: timeOf(message.id) });
    }
    return context;
  };

  return {
    async before(room, message, signal) {
      const [starter, earlier] = await Promise.all([
        starterOf(room, signal),
        read(room.id, { before: message, limit: contextMessages }, signal),
      ]);
      return asContext([...starter, ...earlier]);
    },
    async from(channel, message, signal) {
      const behind = { after: String(BigInt(message) - 1n), limit: pageSize };
      return asContext(await read(channel, behind, signal));
    },
    after: (channel, message, signal) => read(channel, { after: message, limit: pageSize }, signal),
    newest: (channel, signal) => read(channel, { limit: pageSize }, signal),
    one,
    asContext,
  };
}
