/** "Parley is typing…" while there are no words yet. */
import type { Cancel, Clock } from "../../../src/clock.ts";
import { reasonOf } from "../../../src/errors.ts";
import type { DiscordRest } from "./rest.ts";

/** Discord shows it for ten seconds. */
const againMs = 9_000;
/** Nobody believes in it for longer, in ms. */
const longestMs = 300_000;

export interface Typing {
  begin(channel: string): void;
  end(channel: string): void;
  close(): void;
}

export interface TypingOptions {
  readonly rest: DiscordRest;
  readonly clock: Clock;
  readonly log: { debug(fields: object, text: string): void };
}

export function createTyping({ rest, clock, log }: TypingOptions): Typing {
  const closing = new AbortController();
  const running = new Map<string, Cancel>();

  const type = (channel: string, until: number): void => {
    if (closing.signal.aborted) return;
    // Only a courtesy: nothing depends on it.
    rest.call({ method: "POST", route: `/channels/${channel}/typing` }, closing.signal).catch((thrown: unknown) => {
      log.debug({ channel, reason: reasonOf(thrown) }, "typing could not be shown");
    });
    running.set(
      channel,
      clock.after(againMs, () => {
        if (clock.now() < until) type(channel, until);
        else running.delete(channel);
      }),
    );
  };

  return {
    begin(channel) {
      if (!running.has(channel)) type(channel, clock.now() + longestMs);
    },
    end(channel) {
      running.get(channel)?.();
      running.delete(channel);
    },
    close() {
      closing.abort();
      for (const cancel of running.values()) cancel();
      running.clear();
    },
  };
}
