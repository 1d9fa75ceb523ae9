/** The one way in, for both transports: reads what came, writes the inbox, and only then lets it be acknowledged. */
import type { Inbound, Inbox } from "../../../src/core/inbound.ts";
import { objectIn, textIn, type Payload } from "../payload.ts";
import type { Identity } from "./address.ts";
import { readEvent } from "./events.ts";
import type { createInteractionReading } from "./interactions.ts";
import type { createMessageReading } from "./messages.ts";
import type { Participation } from "./participation.ts";

/** `live`: what needs an answer at once, and nothing stored. */
export type Taken = "stored" | "ignored" | "live";

export interface Intake {
  /** Throws when it cannot be stored: do not acknowledge. */
  take(body: Payload): Promise<Taken>;
  /** Stores what was made of an answer to a modal. Throws when it cannot be stored. */
  store(inbound: Inbound): Promise<void>;
}

export interface IntakeOptions {
  readonly self: Identity;
  /** Null while nothing is taken in. */
  readonly inbox: () => Inbox | null;
  readonly participation: Participation;
  readonly readMessage: ReturnType<typeof createMessageReading>;
  readonly readInteraction: ReturnType<typeof createInteractionReading>["read"];
}

/** Events that Bolt's listeners answer; nothing of them is lost when they are. */
const liveEvents: ReadonlySet<string> = new Set(["app_home_opened"]);

export function createIntake({ self, inbox, participation, readMessage, readInteraction }: IntakeOptions): Intake {
  const store = async (inbound: Inbound): Promise<void> => {
    const open = inbox();
    if (open === null) throw new Error("nothing is taken in any more");
    // Before the turn: the thread's next message may be here before this one is answered.
    if (inbound.kind === "message" || inbound.kind === "command") await participation.join(inbound.place);
    await open.receive(inbound);
  };

  const read = (body: Payload): Inbound | null | Promise<Inbound | null> => {
    const event = objectIn(body, "event");
    switch (event["type"]) {
      case "app_mention":
      case "message":
        return readMessage(event);
      default:
        return readEvent(event, textIn(body, "event_id"), self);
    }
  };

  return {
    store,
    async take(body) {
      if (body["event"] === undefined) {
        const inbound = readInteraction(body);
        if (inbound === null) return "live";
        await store(inbound);
        return "stored";
      }
      if (liveEvents.has(textIn(objectIn(body, "event"), "type"))) return "live";
      const inbound = await read(body);
      if (inbound === null) return "ignored";
      await store(inbound);
      return "stored";
    },
  };
}
