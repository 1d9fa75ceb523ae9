/** Messages, edits and deletions: which of them are for Parley, and what they become. */
import type { Inbound, InboundCommand, InboundMessage, Run } from "../../../src/core/inbound.ts";
import type { Place } from "../../../src/core/place.ts";
import type { FollowUps } from "../../../src/core/settings.ts";
import { isPayload, objectIn, textIn, timeOf, type Payload } from "../payload.ts";
import { isDirect, keyOf, messageKey, placeOf, type Identity } from "./address.ts";
import { authorOf, isBot, isOwn } from "./author.ts";
import { inboundFiles } from "./files.ts";
import { readMessage } from "./mrkdwn.ts";
import { readReference } from "./names.ts";
import type { Participation } from "./participation.ts";

export interface MessageReading {
  readonly self: Identity;
  readonly participation: Participation;
  /** Whether messages of a thread that Parley takes part in are for it without a mention. */
  readonly followUps: (place: Place) => Promise<FollowUps>;
}

/** Subtypes that are something a person said. */
const said: ReadonlySet<string> = new Set(["", "file_share", "thread_broadcast", "me_message"]);

const command = /^\/([a-z][a-z0-9_-]{0,31})(?:\s+([^]*))?$/i;

export function createMessageReading({ self, participation, followUps }: MessageReading) {
  const placeFor = (message: Payload, channel: string): Place => {
    const thread = textIn(message, "thread_ts");
    return placeOf(self.team, channel, thread !== "" ? thread : isDirect(channel) ? null : textIn(message, "ts"));
  };

  const isForOthers = ([first]: readonly Run[]): boolean =>
    first !== undefined && "name" in first && readReference(first.name)?.kind === "user";

  /** How a message is addressed to Parley; null when it is not. */
  const addressed = async (
    message: Payload,
    channel: string,
  ): Promise<{ readonly runs: readonly Run[]; readonly mentioned: boolean } | null> => {
    if (!said.has(textIn(message, "subtype")) || isBot(message) || isOwn(message, self) || textIn(message, "user") === "")
      return null;
    const read = readMessage(message, self.user);
    if (isDirect(channel) || read.mentioned) return read;
    const thread = textIn(message, "thread_ts");
    const place = placeFor(message, channel);
    if (thread === "" || thread === textIn(message, "ts") || isForOthers(read.runs) || !(await participation.takesPart(place)))
      return null;
    return (await followUps(place)) === "thread" ? read : null;
  };

  const base = (message: Payload, channel: string) => ({
    place: placeFor(message, channel),
    author: authorOf(message, self),
    at: timeOf(textIn(message, "ts")),
    ...(isDirect(channel) ? { direct: true } : {}),
  });

  const inboundOf = async (message: Payload, channel: string, runs: readonly Run[]): Promise<InboundMessage | InboundCommand> => {
    const ts = textIn(message, "ts");
    const common = { ...base(message, channel), key: messageKey(self.team, channel, ts), files: inboundFiles(message) };
    const thread = textIn(message, "thread_ts");
    const joins = thread !== "" && thread !== ts && !isDirect(channel) && !(await participation.takesPart(common.place));
    const [first] = runs;
    const typed = runs.length === 1 && first !== undefined && "typed" in first ? command.exec(first.typed) : null;
    if (typed !== null)
      return { ...common, kind: "command", name: (typed[1] ?? "").toLowerCase(), options: {}, text: (typed[2] ?? "").trim() };
    return { ...common, kind: "message", message: ts, runs, ...(joins ? { joins: true } : {}) };
  };

  const changed = async (event: Payload, channel: string): Promise<Inbound | null> => {
    const message = objectIn(event, "message");
    const previous = objectIn(event, "previous_message");
    // A thread's root that is deleted stays as a stone.
    if (message["subtype"] === "tombstone") return deleted({ ...event, deleted_ts: message["ts"] }, channel);
    // Previews and translations change a message too; only a person's change counts.
    if (!isPayload(message["edited"]) || textIn(message, "text") === textIn(previous, "text")) return null;
    const before = await addressed(previous, channel);
    const after = await addressed(message, channel);
    if (before === null) return after === null ? null : inboundOf(message, channel, after.runs);
    const runs = readMessage(message, self.user).runs;
    const ts = textIn(message, "ts");
    return {
      ...base(message, channel),
      kind: "edit",
      key: keyOf(self.team, channel, ts, `edit:${textIn(event, "ts")}`),
      target: messageKey(self.team, channel, ts),
      runs,
    };
  };

  const deleted = async (event: Payload, channel: string): Promise<Inbound | null> => {
    const previous = objectIn(event, "previous_message");
    const ts = textIn(event, "deleted_ts");
    if (ts === "" || (await addressed(previous, channel)) === null) return null;
    return {
      ...base(previous, channel),
      kind: "delete",
      key: keyOf(self.team, channel, ts, "delete"),
      target: messageKey(self.team, channel, ts),
    };
  };

  /** @returns null for what is not for Parley */
  return async (event: Payload): Promise<Inbound | null> => {
    const channel = textIn(event, "channel");
    if (channel === "") return null;
    if (event["subtype"] === "message_changed") return changed(event, channel);
    if (event["subtype"] === "message_deleted") return deleted(event, channel);
    const read = textIn(event, "ts") === "" ? null : await addressed(event, channel);
    return read === null ? null : inboundOf(event, channel, read.runs);
  };
}
