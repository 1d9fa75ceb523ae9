/** Reading what Slack sends: nothing in a payload is taken for granted. */

export type Payload = Readonly<Record<string, unknown>>;

export const isPayload = (value: unknown): value is Payload =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object in a field; an empty one where there is none. */
export const objectIn = (payload: Payload, name: string): Payload => {
  const value = payload[name];
  return isPayload(value) ? value : {};
};

/** The text in a field; empty where there is none. */
export const textIn = (payload: Payload, name: string): string => {
  const value = payload[name];
  return typeof value === "string" ? value : "";
};

/** The objects of a field's list. */
export const objectsIn = (payload: Payload, name: string): readonly Payload[] => {
  const value = payload[name];
  return Array.isArray(value) ? value.filter(isPayload) : [];
};

/** A message's time stamp (`1700000000.000100`) in ms since 1970. */
export const timeOf = (ts: string): number => {
  const seconds = Number(ts);
  return Number.isFinite(seconds) ? Math.floor(seconds * 1000) : 0;
};
