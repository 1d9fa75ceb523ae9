/** Reads what a person filled into a modal. */
import { isPayload, objectIn, textIn, type Payload } from "../payload.ts";
import type { ModalOrigin } from "./modals.ts";

/** Values by block id; empty where nothing was filled in. */
export function submittedValues(view: Payload): Record<string, string> {
  const blocks = objectIn(objectIn(view, "state"), "values");
  return Object.fromEntries(
    Object.entries(blocks).map(([block, actions]) => {
      const [element] = isPayload(actions) ? Object.values(actions) : [];
      return [block, isPayload(element) ? valueOf(element) : ""];
    }),
  );
}

const valueOf = (element: Payload): string =>
  textIn(element, "value") || textIn(objectIn(element, "selected_option"), "value") || textIn(element, "selected_conversation");

/** Undefined for a modal that is none of ours, or was tampered with. */
export function originOf(view: Payload): ModalOrigin | undefined {
  try {
    const origin: unknown = JSON.parse(textIn(view, "private_metadata"));
    if (!isPayload(origin) || typeof origin["channel"] !== "string" || typeof origin["command"] !== "string") return undefined;
    return {
      channel: origin["channel"],
      thread: typeof origin["thread"] === "string" ? origin["thread"] : null,
      command: origin["command"],
      ...(origin["joins"] === true ? { joins: true } : {}),
    };
  } catch {
    return undefined;
  }
}
