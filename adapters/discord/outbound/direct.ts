/** Direct messages to people with whom Parley has no interaction. Many people take none, and Discord counts each refusal. */
import type { Clock } from "../../../src/clock.ts";
import type { Document } from "../../../src/core/document.ts";
import type { Person } from "../../../src/core/inbound.ts";
import type { Place } from "../../../src/core/place.ts";
import { WriteFault } from "../../../src/errors.ts";
import { discordCodeOf, takesNoneCodes } from "./faults.ts";
import { messageOf } from "./message.ts";
import { nonceOf } from "./nonce.ts";
import { channelOf } from "./rates.ts";
import type { DiscordRest } from "./rest.ts";
import { idOf } from "./webhook.ts";

const windowMs = 600_000;
/** People who took none in that time, after which nobody is written to: half of what the breaker leaves for everything. */
const mostRefused = 50;

/** Nobody looks for a direct message again. */
const noMark = "-";

export type SendDirect = (place: Place, person: Person, document: Document, signal: AbortSignal) => Promise<void>;

/** Throws the `WriteFault` of what could not be sent; `gone` also while too many people have taken none. */
export function createDirect(rest: Pick<DiscordRest, "call">, clock: Clock): SendDirect {
  let refusals: number[] = [];

  const send: SendDirect = async (place, person, document, signal) => {
    const direct = idOf(
      await rest.call({ method: "POST", route: "/users/@me/channels", body: { recipient_id: person.id } }, signal),
    );
    const { content, ...around } = messageOf(document, noMark);
    const about = direct === channelOf(place) ? "" : `-# About <#${channelOf(place)}>\n`;
    const whole = about.length + content.length > 2_000 ? content : about + content;
    const nonce = nonceOf(`${direct}:${crypto.randomUUID()}`, 0);
    const body = { ...around, content: whole, nonce, enforce_nonce: true };
    await rest.call({ method: "POST", route: `/channels/${direct}/messages`, body }, signal);
  };

  return async (...message) => {
    const now = clock.now();
    refusals = refusals.filter((at) => now - at < windowMs);
    if (refusals.length >= mostRefused)
      throw new WriteFault("gone", "too many people take no direct messages: nobody is written to for some minutes");
    try {
      await send(...message);
    } catch (thrown) {
      if (takesNoneCodes.has(discordCodeOf(thrown) ?? 0)) refusals.push(clock.now());
      throw thrown;
    }
  };
}
