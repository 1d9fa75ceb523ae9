/** Reads what a person filled into a modal. */
import type { InboundFile } from "../../../src/core/inbound.ts";
import { inboundFiles } from "../inbound/files.ts";
import { isPayload, objectIn, objectsIn, textIn, type Payload } from "../payload.ts";
import type { ModalOrigin } from "./modals.ts";

/** Values by block id, of selects of several all of them; empty where nothing was filled in. */
export function submittedLists(state: Payload): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(objectIn(state, "values")).map(([block, actions]) => {
      const [element] = isPayload(actions) ? Object.values(actions) : [];
      if (!isPayload(element)) return [block, []];
      const several = objectsIn(element, "selected_options").map((option) => textIn(option, "value"));
      return [block, [...several, valueOf(element)].filter((value) => value !== "")];
    }),
  );
}

/** Values by block id; empty where nothing was filled in. */
export const submittedValues = (view: Payload): Record<string, string> =>
  Object.fromEntries(
    Object.entries(submittedLists(objectIn(view, "state"))).map(([block, [value = ""]]): [string, string] => [block, value]),
  );

/** Files that were given, in whatever block. */
export const submittedFiles = (view: Payload): readonly InboundFile[] =>
  Object.values(objectIn(objectIn(view, "state"), "values")).flatMap((actions) => {
    const [element] = isPayload(actions) ? Object.values(actions) : [];
    return isPayload(element) ? inboundFiles(element) : [];
  });

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
