/** The writing half of the adapter over the fake Discord, with a server, a channel, a thread and somebody in it. */
import { onTestFinished } from "vitest";
import type { Interaction } from "../../../adapters/discord/interactions.ts";
import { createOutbound, type Outbound } from "../../../adapters/discord/outbound/outbound.ts";
import { createRest, type DiscordRest } from "../../../adapters/discord/outbound/rest.ts";
import { createTokens, type TokenMap, type Tokens } from "../../../adapters/discord/outbound/tokens.ts";
import { systemClock, type Clock } from "../../../src/clock.ts";
import { emptyDocument, paragraph, type Document } from "../../../src/core/document.ts";
import type { Place } from "../../../src/core/place.ts";
import { WriteFault } from "../../../src/errors.ts";
import {
  openFakeDiscord,
  type FakeChannel,
  type FakeDiscord,
  type FakeDiscordOptions,
  type FakeInteraction,
  type Person,
} from "../../fakes/discord/discord.ts";

export interface Opened {
  readonly discord: FakeDiscord;
  readonly rest: DiscordRest;
  readonly tokens: Tokens;
  readonly outbound: Outbound;
  readonly ana: Person;
  readonly channel: FakeChannel;
  /** A thread of the channel. */
  readonly place: Place;
  /** The channel itself. */
  readonly open: Place;
  readonly warned: string[];
  /** As a restart leaves it: what was stored is there, what was only remembered is not. */
  restarted(): Outbound;
}

export const signal = (): AbortSignal => new AbortController().signal;
export const saying = (text: string, change: Partial<Document> = {}): Document => ({
  ...emptyDocument,
  blocks: [paragraph(text)],
  ...change,
});
export const thinking: Document = {
  ...emptyDocument,
  state: "working",
  status: "Thinking…",
  actions: [{ action: "stop", label: "Stop", turn: "turn-1" }],
};

export const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (thrown: unknown) => (thrown instanceof WriteFault ? thrown.outcome : `threw ${String(thrown)}`),
  );

/** Fast enough that tests need not wait: rates are tested where they are the subject. */
const unlimited = {
  "POST /channels/:channel/messages": { count: 1_000, windowMs: 1_000 },
  "PATCH /channels/:channel/messages/:message": { count: 1_000, windowMs: 1_000 },
};

function mapOf(): TokenMap {
  const entries = new Map<string, string>();
  return {
    get: (key) => Promise.resolve(entries.has(key) ? (JSON.parse(entries.get(key) ?? "") as never) : undefined),
    set: (key, value) => Promise.resolve(entries.set(key, JSON.stringify(value))),
  };
}

export async function open(
  options: FakeDiscordOptions & { readonly clock?: Clock; readonly token?: string; readonly fileBytes?: number } = {},
): Promise<Opened> {
  const clock = options.clock ?? systemClock;
  const discord = await openFakeDiscord({ rates: unlimited, now: () => clock.now(), ...options });
  const warned: string[] = [];
  const log = { warn: (_: object, text: string) => void warned.push(text), debug: () => {} };
  const rest = createRest({ token: options.token ?? discord.token, apiUrl: discord.apiUrl, clock });
  const map = mapOf();
  const tokens = createTokens(map, clock);
  const outbounds: Outbound[] = [];
  const write = (some: Tokens): Outbound => {
    const made = createOutbound({ rest, tokens: some, fileBytes: () => options.fileBytes ?? 10 * 1024 * 1024, clock, log });
    outbounds.push(made);
    return made;
  };
  onTestFinished(async () => {
    for (const made of outbounds) made.close();
    rest.close();
    await discord.close();
  });
  const guild = discord.guild("Harbour");
  const ana = discord.person("Ana", [{ guild }]);
  const channel = discord.text(guild, "general");
  const thread = discord.thread(channel, "ships", ana);
  const channelPlace: Place = { platform: "discord", tenant: guild.id, channel: channel.id, thread: null };
  return {
    discord,
    rest,
    tokens,
    outbound: write(tokens),
    ana,
    channel,
    place: { ...channelPlace, thread: thread.id },
    open: channelPlace,
    warned,
    restarted: () => write(createTokens(map, clock)),
  };
}

/** What the receiving half notes of an interaction, which is then acknowledged as `deferred` says. */
export async function deferred(
  { discord, rest, tokens, open: place }: Opened,
  interaction: FakeInteraction,
  change: Partial<Interaction> = {},
): Promise<Interaction> {
  const noted: Interaction = {
    id: interaction.id,
    applicationId: discord.bot.id,
    token: interaction.token,
    key: `discord:${interaction.id}`,
    place,
    person: interaction.user.id,
    expiresAt: interaction.at + 15 * 60_000,
    deferred: "everybody",
    tokenOnly: false,
    fileBytes: null,
    ...change,
  };
  await tokens.opened(noted);
  const data = noted.deferred === "asker" ? { flags: 64 } : {};
  const body = { type: noted.deferred === "none" ? 6 : 5, data };
  await rest.call({ method: "POST", route: `/interactions/${noted.id}/${noted.token}/callback`, body, auth: false }, signal());
  tokens.acknowledged(noted.id, true);
  return noted;
}
