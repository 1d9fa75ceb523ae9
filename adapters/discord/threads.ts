/** The threads of conversations: made from the message that began them, and named after it. */
import type { Place } from "../../src/core/place.ts";
import { discordCodeOf, unknownChannel } from "./outbound/faults.ts";
import type { DiscordRest } from "./outbound/rest.ts";

/** https://docs.discord.com/developers/resources/channel#start-thread-from-message */
const longestName = 100;
/** Minutes without a message after which Discord hides a thread: a day. */
const archiveAfter = 1440;
const threadExists = 160_004;
const fallbackName = "Conversation";
/** Names and threads that are remembered; older ones are asked of Discord. */
const remembered = 2_000;

/** The first line of what was said, as a thread's name. */
export function threadName(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.replace(/\s+/g, " ").trim() ?? "";
  if (line === "") return fallbackName;
  const segments = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  let name = "";
  for (const segment of segments) {
    if (name.length + segment.length > longestName - 1) return `${name.trimEnd()}…`;
    name += segment;
  }
  return name;
}

export interface ThreadMaking {
  /** What the thread of a message will be called, once it is made. */
  name(message: string, text: string): void;
  /** This thread is there. */
  exists(thread: string): void;
  /**
   * The channel to write to for a place. A thread that is not there yet is made from its message, whose id it has.
   * Throws `WriteFault`: `gone` when the message or the right to make threads is gone.
   */
  ready(place: Place, signal: AbortSignal): Promise<string>;
}

/** The oldest is forgotten when there are too many. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > remembered && oldest !== undefined) map.delete(oldest);
}

export function createThreadMaking(rest: Pick<DiscordRest, "call">): ThreadMaking {
  const names = new Map<string, string>();
  const there = new Map<string, true>();

  const isThere = async (thread: string, signal: AbortSignal): Promise<boolean> => {
    try {
      await rest.call({ method: "GET", route: `/channels/${thread}` }, signal);
      return true;
    } catch (thrown) {
      if (discordCodeOf(thrown) === unknownChannel) return false;
      throw thrown;
    }
  };
  const nameOf = async ({ channel, thread }: Place, signal: AbortSignal): Promise<string> => {
    const known = names.get(thread ?? "");
    if (known !== undefined) return known;
    const message = await rest.call({ method: "GET", route: `/channels/${channel}/messages/${thread ?? ""}` }, signal);
    const { content } = message as { readonly content?: unknown };
    return threadName(typeof content === "string" ? content.replace(/<[^>\s]+>|[*_~`>|#]/g, "") : "");
  };

  return {
    name: (message, text) => remember(names, message, threadName(text)),
    exists: (thread) => remember(there, thread, true),
    async ready(place, signal) {
      const { channel, thread } = place;
      if (thread === null) return channel;
      if (there.has(thread)) return thread;
      // A name says that the message is new; without one the thread may well be from before a restart.
      if (names.has(thread) || !(await isThere(thread, signal))) {
        const body = { name: await nameOf(place, signal), auto_archive_duration: archiveAfter };
        try {
          await rest.call({ method: "POST", route: `/channels/${channel}/messages/${thread}/threads`, body }, signal);
        } catch (thrown) {
          if (discordCodeOf(thrown) !== threadExists) throw thrown;
        }
      }
      names.delete(thread);
      remember(there, thread, true);
      return thread;
    },
  };
}
