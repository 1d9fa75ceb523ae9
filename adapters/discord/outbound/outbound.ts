/** Discord's half of the platform port that writes. */
import type { Clock } from "../../../src/clock.ts";
import type { Document } from "../../../src/core/document.ts";
import type { Place } from "../../../src/core/place.ts";
import type { ChatPlatform, Posted } from "../../../src/core/platform.ts";
import { WriteFault } from "../../../src/errors.ts";
import { createCreate } from "./create.ts";
import { createDirect } from "./direct.ts";
import { discordCodeOf, overCodes, requestTooLarge, unknownChannel, unknownMessage } from "./faults.ts";
import { fileMessages, type FileMessage } from "./files.ts";
import { findMessage } from "./find.ts";
import { discordLimits } from "./limits.ts";
import { messageOf, quietly } from "./message.ts";
import { markOf } from "./nonce.ts";
import { channelOf } from "./rates.ts";
import { createRecentPosts } from "./recent-posts.ts";
import type { DiscordRest } from "./rest.ts";
import { createTokenReplies, isOnlyWay } from "./token-replies.ts";
import type { Token, Tokens } from "./tokens.ts";
import { createTyping } from "./typing.ts";
import { createWebhook, withFiles } from "./webhook.ts";
import { createWhisper } from "./whisper.ts";

export interface OutboundOptions {
  readonly rest: DiscordRest;
  readonly tokens: Tokens;
  /** The largest file in a guild. */
  readonly fileBytes: (guild: string) => number;
  readonly clock: Clock;
  readonly log: { warn(fields: object, text: string): void; debug(fields: object, text: string): void };
}

type Writing = Pick<ChatPlatform, "limits" | "post" | "edit" | "remove" | "attach" | "find" | "whisper">;

export interface Outbound extends Writing {
  /** Ends what runs by itself: typing, and the ends of replies that only a token can write. */
  close(): void;
}

/** Of a message that was journaled before this process began, and is looked for no more. */
const noMark = "-";

const isThinking = ({ state, blocks }: Document): boolean => state === "working" && blocks.length === 0;
/** The relay numbers a turn's messages, and anew once one of them was removed. */
const isFirst = (key: string): boolean => /\/0(?:\.\d+)?$/.test(key);
/** The message that was deferred when the interaction came in is the first of its turn. */
const fills = (token: Token, key: string): boolean => key === `${token.key}/0` && token.deferred !== "none";

export function createOutbound({ rest, tokens, fileBytes, clock, log }: OutboundOptions): Outbound {
  const recent = createRecentPosts();
  const create = createCreate(rest);
  const webhook = createWebhook(rest);
  const typing = createTyping({ rest, clock, log });
  const tokenReplies = createTokenReplies({ webhook, clock, log });

  const shows = (place: Place, document: Document): void =>
    isThinking(document) ? typing.begin(channelOf(place)) : typing.end(channelOf(place));
  const messageRoute = ({ place, id }: Posted) => `/channels/${channelOf(place)}/messages/${id}` as const;
  /** An edit leaves the mark where it is: the sign of a waiting turn is looked for after any number of edits. */
  const markIn = (posted: Posted): string => {
    const key = recent.keyOf(posted);
    return key === undefined ? noMark : markOf(key);
  };
  const patch = (posted: Posted, document: Document, signal: AbortSignal): Promise<unknown> =>
    rest.call({ method: "PATCH", route: messageRoute(posted), body: messageOf(document, markIn(posted)) }, signal);

  /** A message that a thread begins with has its id, and is in the channel that the thread is in; in a forum it is in the thread. */
  const removeAt = async (posted: Posted, signal: AbortSignal): Promise<void> => {
    try {
      await rest.call({ method: "DELETE", route: messageRoute(posted) }, signal);
    } catch (thrown) {
      const { place, id } = posted;
      const elsewhere = discordCodeOf(thrown) === unknownMessage || discordCodeOf(thrown) === unknownChannel;
      if (place.thread !== id || !elsewhere) throw thrown;
      await rest.call({ method: "DELETE", route: `/channels/${place.channel}/messages/${id}` }, signal);
    }
  };

  /** Writes with the token as long as it is good; `undefined` once the ordinary way has to be taken. */
  const whileGood = async <T>(token: Token, signal: AbortSignal, write: () => Promise<T>): Promise<T | undefined> => {
    const only = isOnlyWay(token);
    if (only) tokenReplies.check(token);
    if (!(await tokens.usable(token, signal))) {
      if (only)
        throw new WriteFault("gone", "the interaction was not acknowledged in time, and nothing else can write its reply");
      return undefined;
    }
    try {
      return await write();
    } catch (thrown) {
      if (only || !overCodes.has(discordCodeOf(thrown) ?? 0)) throw thrown;
      return undefined;
    }
  };

  const postWithToken = async (token: Token, document: Document, key: string, signal: AbortSignal) => {
    const filling = fills(token, key) && !token.filled;
    if (!filling && !isOnlyWay(token)) return undefined;
    const id = await whileGood(token, signal, () =>
      filling
        ? webhook.fill(token, document, markOf(key), signal)
        : webhook.follow(token, token.deferred === "asker", document, markOf(key), signal),
    );
    if (id === undefined) return undefined;
    await tokens.wrote(token, id);
    if (isOnlyWay(token)) tokenReplies.shown(token, id, document);
    return id;
  };

  return {
    limits: { ...discordLimits, budgets: (method, place) => rest.rates.budgets(method, place) },

    async post(place, document, key, signal) {
      const known = recent.get(key);
      if (known !== undefined) return known;
      const token = await tokens.ofKey(key);
      const written = token && (await postWithToken(token, document, key, signal));
      if (written !== undefined) {
        recent.set(key, { place, id: written });
        return { place, id: written };
      }
      const { id, stale } = await create(
        place,
        { key, body: messageOf(document, markOf(key)), removals: recent.removals(key), opensThread: isFirst(key) },
        signal,
      );
      const posted: Posted = { place, id };
      recent.found(key, posted);
      if (stale) await patch(posted, document, signal);
      recent.set(key, posted);
      shows(place, document);
      return posted;
    },

    async edit(posted, document, signal) {
      const token = await tokens.ofMessage(posted.id);
      if (token !== undefined) {
        const done = await whileGood(token, signal, async () => {
          await webhook.edit(token, posted.id, document, markIn(posted), signal);
          return true;
        });
        if (isOnlyWay(token)) tokenReplies.shown(token, posted.id, document);
        if (done === true) return;
      }
      await patch(posted, document, signal);
      shows(posted.place, document);
    },

    async remove(posted, signal) {
      try {
        const token = await tokens.ofMessage(posted.id);
        const only = token !== undefined && isOnlyWay(token);
        if (only) await webhook.remove(token, posted.id, signal);
        else await removeAt(posted, signal);
      } catch (thrown) {
        if (discordCodeOf(thrown) !== unknownMessage) throw thrown;
      }
      recent.removed(posted);
    },

    async attach(place, files, key, signal) {
      const known = recent.get(key);
      if (known !== undefined) return known;
      const token = await tokens.ofKey(key);
      const only = token !== undefined && isOnlyWay(token) ? token : undefined;
      const send = async (message: FileMessage, name: string): Promise<string> => {
        if (only !== undefined) {
          tokenReplies.check(only);
          return webhook.attach(only, only.deferred === "asker", message, signal);
        }
        const removals = recent.removals(name);
        return (await create(place, { key: name, ...withFiles(message, quietly), removals, opensThread: true }, signal)).id;
      };
      /** Discord may take less than it says: what it refuses for its size is sent as what it takes anywhere, and named. */
      const sendOrName = async (message: FileMessage, name: string): Promise<string> => {
        try {
          return await send(message, name);
        } catch (thrown) {
          if (discordCodeOf(thrown) !== requestTooLarge) throw thrown;
          log.warn({ place, reason: (thrown as Error).message }, "Discord takes smaller files here than it says");
          const [smaller, ...rest] = fileMessages(message.files);
          const id = await send(smaller, name);
          for (const [index, one] of rest.entries()) await send(one, `${name}~${index + 1}`);
          return id;
        }
      };
      const [first, ...more] = fileMessages(files, only?.fileBytes ?? fileBytes(place.tenant));
      const posted: Posted = { place, id: await sendOrName(first, key) };
      for (const [index, message] of more.entries()) await sendOrName(message, `${key}#${index + 1}`);
      // Noted when all of its messages are there; after a failure the nonces give back those that are.
      recent.set(key, posted);
      return posted;
    },

    async find(place, key, signal, besides = []) {
      const isMeant = (id: string): boolean => !besides.includes(id);
      const recently = recent.get(key);
      const known = recently !== undefined && isMeant(recently.id) ? recently : undefined;
      const token = await tokens.ofKey(key);
      if (token !== undefined && fills(token, key) && token.messageId !== null && isMeant(token.messageId))
        return { place, id: token.messageId };
      if (token !== undefined && isOnlyWay(token)) return known;
      const id = known?.id ?? (await findMessage(rest, place, key, signal, besides));
      if (id === undefined) return undefined;
      recent.found(key, { place, id });
      return { place, id };
    },

    whisper: createWhisper({ direct: createDirect(rest, clock), tokens, webhook, log }),

    close() {
      typing.close();
      tokenReplies.close();
    },
  };
}
