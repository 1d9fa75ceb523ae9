/**
 * Shows something to one person. With an interaction of theirs that is still good it is ephemeral; without one it goes to them as a
 * direct message, which alone keeps it private; and where they take none it is left out, and the log says so.
 */
import type { Document } from "../../../src/core/document.ts";
import type { Person } from "../../../src/core/inbound.ts";
import type { Place } from "../../../src/core/place.ts";
import { WriteFault } from "../../../src/errors.ts";
import type { SendDirect } from "./direct.ts";
import type { Token, Tokens } from "./tokens.ts";
import type { Webhook } from "./webhook.ts";

export interface WhisperOptions {
  readonly direct: SendDirect;
  readonly tokens: Tokens;
  readonly webhook: Webhook;
  readonly log: { warn(fields: object, text: string): void };
}

/** Nobody looks for a whisper again. */
const noMark = "-";

export function createWhisper({ direct, tokens, webhook, log }: WhisperOptions) {
  const withToken = async (token: Token, document: Document, signal: AbortSignal): Promise<void> => {
    if (!token.filled && token.deferred === "asker") {
      return tokens.wrote(token, await webhook.fill(token, document, noMark, signal));
    }
    if (!token.filled) {
      // The message that everybody sees waiting would become the whisper.
      await webhook.drop(token, signal);
      await tokens.wrote(token, null);
    }
    await webhook.follow(token, true, document, noMark, signal);
  };

  return async (place: Place, person: Person, document: Document, signal: AbortSignal): Promise<void> => {
    const token = await tokens.ofPerson(place, person.id);
    try {
      if (token !== undefined && (await tokens.usable(token, signal))) return await withToken(token, document, signal);
    } catch (thrown) {
      if (!(thrown instanceof WriteFault) || thrown.outcome !== "gone") throw thrown;
    }
    try {
      await direct(place, person, document, signal);
    } catch (thrown) {
      if (!(thrown instanceof WriteFault) || thrown.outcome !== "gone") throw thrown;
      log.warn(
        { place, reason: thrown.message },
        "something meant for one person could not be shown to them alone, and is left out",
      );
    }
  };
}
