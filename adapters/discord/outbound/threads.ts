/** Threads are made from the message that begins a conversation, at the latest when the first answer is posted there. */
import type { Place } from "../../../src/core/place.ts";
import { discordCodeOf } from "./faults.ts";
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
  const characters = Array.from(words.toWellFormed());
  if (characters.length === 0) return fallbackName;
  return characters.length <= longestName ? characters.join("") : `${characters.slice(0, longestName - 1).join("")}…`;
}

/** Makes the thread of a place from the message that it is named after; one that is there already stays as it is. */
export async function openThread(rest: DiscordRest, { channel, thread }: Place, signal: AbortSignal): Promise<void> {
  const route = `/channels/${channel}/messages/${thread ?? ""}` as const;
  const message = (await rest.call({ method: "GET", route }, signal)) as { content?: unknown };
  const name = threadNameOf(typeof message.content === "string" ? message.content : "");
  try {
    await rest.call(
      { method: "POST", route: `${route}/threads`, body: { name, auto_archive_duration: archivedAfterMinutes } },
      signal,
    );
  } catch (thrown) {
    if (discordCodeOf(thrown) !== threadExists) throw thrown;
  }
}
