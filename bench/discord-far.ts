/**
 * The fake Discord of a run, and the distance to it, in a process of its own: what they take is not taken from Parley.
 * Started by `openFarDiscord`, and told over the channel between the two processes what there is to be.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { openFakeDiscord } from "../test/fakes/discord/discord.ts";
import { openDistance } from "./distance.ts";

/** What a run needs of its Discord. */
export interface FarDiscord {
  readonly apiUrl: string;
  readonly token: string;
  readonly guild: string;
  readonly channel: string;
  /** Of the channel, one for each reply. */
  readonly threads: readonly string[];
  /** Channels of their own, one for each reply, for what goes before. */
  readonly before: readonly string[];
}

/** Requests that have been answered so far. */
export interface Counted {
  readonly calls: number;
  readonly rateLimited: number;
}

export interface OpenFarDiscord {
  readonly far: FarDiscord;
  readonly count: () => Promise<Counted>;
  readonly close: () => Promise<void>;
}

type Asked = { readonly kind: "open"; readonly replies: number; readonly roundTripMs: number } | { readonly kind: "count" };

/** @throws when the other process ends before it is asked to */
export async function openFarDiscord(replies: number, roundTripMs: number): Promise<OpenFarDiscord> {
  const child = fork(fileURLToPath(import.meta.url));
  const ended = once(child, "exit");
  const ask = async (asked: Asked): Promise<unknown> => {
    child.send(asked);
    const [answer] = (await Promise.race([
      once(child, "message"),
      ended.then(() => Promise.reject(new Error("the fake Discord's process has ended"))),
    ])) as [unknown];
    return answer;
  };
  return {
    far: (await ask({ kind: "open", replies, roundTripMs })) as FarDiscord,
    count: async () => (await ask({ kind: "count" })) as Counted,
    async close(): Promise<void> {
      child.disconnect();
      await ended;
    },
  };
}

/** The other process: one Discord, until the channel to its parent ends. */
async function serve(answer: (message: FarDiscord | Counted) => void): Promise<void> {
  const discord = await openFakeDiscord({ acknowledgeMs: 3_000 });
  const guild = discord.guild("Bench");
  const channel = discord.text(guild, "general");
  const person = discord.person("Ana", [{ guild }]);
  const open = async ({ replies, roundTripMs }: Extract<Asked, { kind: "open" }>): Promise<void> => {
    const distance = await openDistance(new URL(discord.apiUrl).origin, roundTripMs);
    const many = <Value>(make: (index: number) => Value): Value[] => Array.from({ length: replies }, (_, index) => make(index));
    answer({
      apiUrl: `${distance.origin}/api`,
      token: discord.token,
      guild: guild.id,
      channel: channel.id,
      threads: many((index) => discord.thread(channel, `thread ${index}`, person).id),
      before: many((index) => discord.text(guild, `before ${index}`).id),
    });
  };
  process.on("message", (asked: Asked) => {
    if (asked.kind === "open") void open(asked);
    else {
      const { commits } = discord;
      answer({ calls: commits.length, rateLimited: commits.filter(({ status }) => status === 429).length });
    }
  });
  process.once("disconnect", () => process.exit());
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url))
  await serve((message) => void process.send?.(message));
