/** Replies that only an interaction's token can write: they are whole, or say that they are not, before the token ends. */
import type { Cancel, Clock } from "../../../src/clock.ts";
import type { Document } from "../../../src/core/document.ts";
import { reasonOf, WriteFault } from "../../../src/errors.ts";
import type { Token } from "./tokens.ts";
import type { Webhook } from "./webhook.ts";

/** Minute 14 of 15, in ms before the token ends. */
const sayingMs = 60_000;

const ended =
  "Discord ends a reply like this one after 15 minutes, and this is how far it came. Where Parley is a member, it has no such end.";

/** Whether the token is the only way: Parley is not in the channel, or only the asker sees the reply. */
export const isOnlyWay = ({ tokenOnly, deferred }: Token): boolean => tokenOnly || deferred === "asker";

const isFinal = ({ state }: Document): boolean => state !== "working" && state !== "waiting";

export interface TokenReplies {
  /** Throws when the reply has come to its end. To be called before it is written. */
  check(token: Token): void;
  /** A message now shows `document`; at minute 14 it says so when that is not its last. */
  shown(token: Token, messageId: string, document: Document): void;
  close(): void;
}

export interface TokenReplyOptions {
  readonly webhook: Webhook;
  readonly clock: Clock;
  readonly log: { warn(fields: object, text: string): void };
}

export function createTokenReplies({ webhook, clock, log }: TokenReplyOptions): TokenReplies {
  const closing = new AbortController();
  const ends = new Map<string, Cancel>();

  const say = async (token: Token, messageId: string, document: Document): Promise<void> => {
    const last: Document = {
      ...document,
      state: "failed",
      status: null,
      notice: ended,
      footnotes: [],
      footer: null,
      actions: [],
    };
    try {
      await webhook.edit(token, messageId, last, "-", closing.signal);
    } catch (thrown) {
      log.warn({ reason: reasonOf(thrown) }, "a reply ended with its interaction, and could not say so");
    }
  };

  return {
    check({ expiresAt }) {
      if (clock.now() < expiresAt - sayingMs) return;
      throw new WriteFault("gone", "the interaction is over, and nothing else can write its reply");
    },
    shown(token, messageId, document) {
      ends.get(messageId)?.();
      ends.delete(messageId);
      if (isFinal(document) || closing.signal.aborted) return;
      ends.set(
        messageId,
        clock.after(token.expiresAt - sayingMs - clock.now(), () => {
          ends.delete(messageId);
          void say(token, messageId, document);
        }),
      );
    },
    close() {
      closing.abort();
      for (const cancel of ends.values()) cancel();
      ends.clear();
    },
  };
}
