/** Bolt's receiver for both transports: shape, inbox, acknowledgement, and then what needs an answer at once. */
import type { App, Receiver, ReceiverEvent } from "@slack/bolt";
import type { Intake } from "../inbound/intake.ts";
import { isWellFormed } from "./shape.ts";

export interface IntakeReceiver extends Receiver {
  /**
   * Takes one delivery in. Acknowledges only what is stored, or is nothing to store.
   * Throws when it could not be stored: the transport then does not acknowledge, and Slack sends it again.
   */
  receive(body: unknown, ack: ReceiverEvent["ack"], retryNum?: number): Promise<void>;
}

export function createReceiver(intake: () => Intake, log: { warn(fields: object, text: string): void }): IntakeReceiver {
  let app: App | undefined;
  return {
    init(bolt) {
      app = bolt;
    },
    // The transports are started and stopped by whoever made them.
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    async receive(body, ack, retryNum) {
      if (!isWellFormed(body)) {
        log.warn({}, "something without the shape of a Slack event was acknowledged and dropped");
        return ack();
      }
      if ((await intake().take(body)) !== "live") return ack();
      // Events need no answer; Bolt's listeners acknowledge the others themselves.
      if (body["event"] !== undefined) await ack();
      await app?.processEvent({ body, ack, ...(retryNum === undefined ? {} : { retryNum }) });
    },
  };
}
