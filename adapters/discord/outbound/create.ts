/** Creates a message once for each key, in a thread that may have to be made first. */
import type { Place } from "../../../src/core/place.ts";
import type { OutboundFile } from "../../../src/core/platform.ts";
import { buttonIds } from "./buttons.ts";
import { discordCodeOf, unknownChannel, unknownMessage } from "./faults.ts";
import { nonceOf } from "./nonce.ts";
import { channelOf } from "./rates.ts";
import type { DiscordRest } from "./rest.ts";
import { openThread } from "./threads.ts";
import { idOf } from "./webhook.ts";

export interface MessageBody {
  readonly content: string;
  readonly components?: readonly unknown[];
}

export interface Created {
  readonly id: string;
  /** Discord remembered the nonce, and the message that it gave back shows something else. */
  readonly stale: boolean;
}

export interface Creating {
  readonly key: string;
  readonly body: MessageBody;
  readonly files?: readonly OutboundFile[];
  /** How many messages of this key were removed, as far as is known. */
  readonly removals: number;
  /** The thread may not be made yet. */
  readonly opensThread: boolean;
}

/** A message that was removed is not made again with its nonce: so many nonces are tried. */
const mostAttempts = 5;

const isStale = (answer: unknown, body: MessageBody): boolean => {
  const { content, components } = answer as { content?: unknown; components?: unknown };
  const sameText = typeof content !== "string" || content.trim() === body.content.trim();
  return !sameText || buttonIds(components).join("\n") !== buttonIds(body.components).join("\n");
};

export function createCreate(rest: DiscordRest) {
  const post = async (place: Place, { key, body, files, removals }: Creating, signal: AbortSignal): Promise<Created> => {
    const route = `/channels/${channelOf(place)}/messages` as const;
    for (let attempt = removals; ; attempt++) {
      const whole = { ...body, nonce: nonceOf(key, attempt), enforce_nonce: true };
      try {
        const answer = await rest.call({ method: "POST", route, body: whole, ...(files === undefined ? {} : { files }) }, signal);
        return { id: idOf(answer), stale: files === undefined && isStale(answer, body) };
      } catch (thrown) {
        if (discordCodeOf(thrown) !== unknownMessage || attempt >= removals + mostAttempts) throw thrown;
      }
    }
  };

  return async (place: Place, creating: Creating, signal: AbortSignal): Promise<Created> => {
    try {
      return await post(place, creating, signal);
    } catch (thrown) {
      if (place.thread === null || !creating.opensThread || discordCodeOf(thrown) !== unknownChannel) throw thrown;
      await openThread(rest, place, signal);
      return post(place, creating, signal);
    }
  };
}
