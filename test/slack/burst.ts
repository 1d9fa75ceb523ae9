/** A burst of signed events at the whole of Parley, with its own store: what the bench measures and the tests count. */
import { performance } from "node:perf_hooks";
import { mention } from "../fakes/slack/people.ts";
import type { World } from "./world.ts";

export interface Burst {
  /** How long each event waited for its acknowledgement, in ms. */
  readonly waits: readonly number[];
  readonly unacknowledged: number;
  /** Keys of the messages that were sent. */
  readonly keys: readonly string[];
}

const threads = 20;

/**
 * Sends mentions in 20 threads, each once as a mention and once as a message, with one retry in ten.
 * @param perSecond events a second; the next is sent whether or not the last is acknowledged
 */
export async function burst({ slack }: Pick<World, "slack">, events: number, perSecond: number): Promise<Burst> {
  const began = performance.now();
  const waits: number[] = [];
  const keys = new Set<string>();
  let unacknowledged = 0;
  const send = async (at: number): Promise<void> => {
    // Two events tell of one message.
    const message = Math.floor(at / 2);
    const thread = `1700000000.${String(message % threads).padStart(6, "0")}`;
    const ts = `1700000001.${String(message).padStart(6, "0")}`;
    keys.add(`slack:T0ACME:C0GENERAL:${ts}:message`);
    const event = {
      type: at % 2 === 0 ? "app_mention" : "message",
      channel: "C0GENERAL",
      channel_type: "channel",
      user: "U0ANN",
      text: `${mention} question ${message}`,
      ts,
      thread_ts: thread,
    };
    const delivered = await slack.delivery.deliver(
      "events_api",
      { type: "event_callback", team_id: "T0ACME", event_id: `Ev${at}`, event },
      at % 10 === 0 ? 1 : 0,
    );
    waits.push(delivered.ms);
    if (!delivered.acknowledged) unacknowledged++;
  };
  const sent: Promise<void>[] = [];
  for (let at = 0; at < events; at++) {
    const due = (at / perSecond) * 1000 - (performance.now() - began);
    if (due > 1) await new Promise((resolve) => setTimeout(resolve, due));
    sent.push(send(at));
  }
  await Promise.all(sent);
  return { waits: waits.toSorted((a, b) => a - b), unacknowledged, keys: [...keys] };
}
