/**
 * Threads are made from the message that begins a conversation, at the latest when the first answer is posted there.
 * They are named after its words, and once the conversation has a name of its own, after that.
 */
import type { Place } from "../../../src/core/place.ts";
import { discordCodeOf } from "./faults.ts";
import { isThread, type Rooms } from "../gateway/rooms.ts";
import type { ThreadNames } from "../../../src/core/thread-names.ts";
import type { DiscordRest } from "./rest.ts";

/** https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const longestName = 100;
const archivedAfterMinutes = 1440;
const threadExists = 160004;
const fallbackName = "Conversation";

/** A thread's name, after the words of its message: without mentions, emoji codes and Markdown's marks. */
function threadNameOf(content: string): string {
  // What asks for somebody else names the asker on its first line and quotes the question below.
  const quoted = /^>\s*(.+)$/m.exec(content)?.[1];
  const words = (quoted ?? content)
    .replace(/<(?:@[!&]?|#|a?:\w+:|t:)[^>\s]*>/g, " ")
    .replace(/\\([^\w\s])/g, "$1")
    .replace(/[*_~`|]+|^[#>\-\s]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return fitting(words) || fallbackName;
}

/** As long as Discord lets a name be. */
function fitting(words: string): string {
  const characters = Array.from(words.toWellFormed());
  return characters.length <= longestName ? characters.join("") : `${characters.slice(0, longestName - 1).join("")}…`;
}

/** Makes the thread of a place from the message that it is named after; one that is there already stays as it is. */
export async function openThread(rest: DiscordRest, { channel, thread }: Place, signal: AbortSignal): Promise<void> {
  const route = `/channels/${channel}/messages/${thread ?? ""}` as const;
  const name = await firstName(rest, route, signal);
  try {
    await rest.call(
      { method: "POST", route: `${route}/threads`, body: { name, auto_archive_duration: archivedAfterMinutes } },
      signal,
    );
  } catch (thrown) {
    if (discordCodeOf(thrown) !== threadExists) throw thrown;
  }
}

const firstName = async (rest: Pick<DiscordRest, "call">, route: `/${string}`, signal: AbortSignal): Promise<string> => {
  const { content } = (await rest.call({ method: "GET", route }, signal)) as { content?: unknown };
  return threadNameOf(typeof content === "string" ? content : "");
};

/**
 * Discord takes two changes of a channel in ten minutes. A thread gets one: after it, its name is no longer the first.
 * @param bot who Parley is there
 */
export const createThreadNames = (rest: Pick<DiscordRest, "call">, rooms: Rooms, bot: () => string): ThreadNames => ({
  async rename({ channel, thread }, name, signal) {
    if (thread === null) return;
    const room = await rooms.find(thread, signal);
    if (!isThread(room) || room.owner !== bot()) return;
    const first = await firstName(rest, `/channels/${channel}/messages/${thread}`, signal);
    const wanted = fitting(name.replace(/\s+/g, " ").trim());
    if (room.name !== first || wanted === "" || wanted === first) return;
    await rest.call({ method: "PATCH", route: `/channels/${thread}`, body: { name: wanted } }, signal);
  },
});
