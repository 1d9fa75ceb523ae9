/** People in the fake Discord who ask in many threads. */
import { setTimeout as wait } from "node:timers/promises";
import type { FakeChannel, FakeDiscord, FakeMessage } from "../fakes/discord/discord.ts";
import type { Stage, StageThread } from "./stage.ts";

const channelCount = 10;
/** For the thread that Parley makes of the first question, in ms. */
const longestWaitMs = 120_000;

const isWorking = ({ components }: FakeMessage): boolean => JSON.stringify(components).includes('"label":"Stop"');

export function createDiscordStage(discord: FakeDiscord): Stage {
  const guild = discord.guild("Soak");
  const channels = Array.from({ length: channelCount }, (_, index) => discord.text(guild, `soak-${index}`));
  const people = ["Ann", "Ben"].map((name) => discord.person(name, [{ guild }]));
  /** The bot's messages of a thread, as long as nothing is written there, and when it was. */
  const shown = new Map<string, FakeMessage[]>();
  const quiet = new Map<string, number>();
  const ids = new Map<StageThread, string>();
  /** The first questions, whose threads have their ids. */
  const roots = new Set<string>();
  /** The last words that were written into a message, or seen in it. */
  const words = new Map<string, string>();
  const takenAway = new Map<string, string[]>();
  const elsewhere: string[] = [];
  let read = 0;
  const contentOf = (body: unknown): string => (body as { readonly content?: string } | undefined)?.content ?? "";
  const catchUp = (): void => {
    for (; read < discord.commits.length; read++) {
      const { method, path, status, at, body } = discord.commits[read]!;
      const [, id, message] = /^\/channels\/(\d+)\/messages(?:\/(\d+))?$/.exec(path) ?? [];
      if (id === undefined || method === "GET" || status >= 300) continue;
      // Direct messages are for one person.
      const isDirect = discord.channel(id)?.recipient !== null;
      if (method === "POST" && !roots.has(id) && !isDirect) elsewhere.push(contentOf(body));
      if (method === "PATCH" && message !== undefined) words.set(message, contentOf(body));
      if (method === "DELETE" && message !== undefined) {
        const before = shown.get(id)?.find((one) => one.id === message)?.content;
        const last = words.get(message) ?? before ?? "a message that was gone before it was looked at";
        takenAway.set(id, [...(takenAway.get(id) ?? []), last]);
      }
      shown.delete(id);
      quiet.set(id, at);
    }
  };
  const messagesOf = (id: string): FakeMessage[] => {
    catchUp();
    const known = shown.get(id) ?? discord.messages(id).filter(({ author }) => author.id === discord.bot.id);
    shown.set(id, known);
    return known;
  };

  return {
    name: "discord",
    limited: () => discord.commits.filter(({ status }) => status === 429).length,
    elsewhere() {
      catchUp();
      return elsewhere;
    },
    quietSince(thread) {
      catchUp();
      return quiet.get(ids.get(thread) ?? "") ?? 0;
    },
    openThread(index) {
      const channel = channels[index % channelCount]!;
      const person = people[index % people.length]!;
      let root: string | undefined;
      const thread: StageThread = {
        async ask(text) {
          if (root === undefined) {
            root = person.says(channel, `${discord.mention} ${text}`).id;
            ids.set(thread, root);
            roots.add(root);
            return { acknowledged: true, ackMs: null, tries: [] };
          }
          // The thread of a message has its id, and is there as soon as Parley has begun it.
          let place: FakeChannel | undefined;
          for (const end = Date.now() + longestWaitMs; (place = discord.channel(root)) === undefined; await wait(100))
            if (Date.now() > end) return "nowhere";
          person.says(place, `${discord.mention} ${text}`);
          return { acknowledged: true, ackMs: null, tries: [] };
        },
        seen: () =>
          root === undefined ? [] : messagesOf(root).map((message) => ({ text: message.content, working: isWorking(message) })),
        takenAway() {
          catchUp();
          return takenAway.get(root ?? "") ?? [];
        },
      };
      return thread;
    },
  };
}
