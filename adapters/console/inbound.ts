/** What is done on the page, as the inbox takes it: its key and place, its words, and what goes along with them. */
import type { Clock } from "../../src/clock.ts";
import type { Action } from "../../src/core/document.ts";
import type { ContextMessage, Inbound, Person } from "../../src/core/inbound.ts";
import type { Place } from "../../src/core/place.ts";
import { read } from "./address.ts";
import { inboundFiles, type FileStore } from "./files.ts";
import type { MessageLog } from "./message-log.ts";
import type { ChannelRow, MessageRow } from "./schema.ts";

export const consoleName = "console";
const consoleTenant = "local";
/** The one person at a console. */
export const personId = "you";

/** Earlier thread messages that go along with a mention: the newest, within both bounds. */
const contextMessages = 50;
const contextCharacters = 20_000;

/** `kind` is `text` for messages here, and `message` in the key, as on every platform. */
export const keyOf = (row: { readonly channel: string; readonly id: string }, kind: string): string =>
  [consoleName, consoleTenant, row.channel, row.id, kind === "text" ? "message" : kind].join(":");

export const placeOf = (channel: string, thread: string | null): Place => ({
  platform: consoleName,
  tenant: consoleTenant,
  channel,
  thread,
});

/** Where Parley answers `row`, given that it does: a mention in a channel begins a thread at its own message. */
const answerPlace = (row: MessageRow, channel: ChannelRow): Place =>
  row.kind === "command" || channel.kind === "direct" || row.thread !== null
    ? placeOf(row.channel, row.thread)
    : placeOf(row.channel, row.id);

/** `edit` is made by the page. */
export type Change = { readonly kind: "edit"; readonly edit: string; readonly text: string } | { readonly kind: "delete" };

export interface Inbounds {
  /** A message or a command: the same for the same row, however often it is made. */
  ofRow(row: MessageRow, channel: ChannelRow): Promise<Inbound>;
  /** A change to a message that the inbox has. */
  ofChange(row: MessageRow, channel: ChannelRow, change: Change): Inbound;
  /**
   * @param press made by the page
   * @param on the message that the button stands on
   */
  ofPress(press: string, on: { id: string; channel: string; thread: string | null }, button: Action): Promise<Inbound>;
}

export interface InboundsOptions {
  readonly log: MessageLog;
  readonly files: FileStore;
  readonly clock: Clock;
}

export function createInbounds({ log, files, clock }: InboundsOptions): Inbounds {
  async function contextOf(row: MessageRow): Promise<ContextMessage[]> {
    if (row.thread === null) return [];
    const root = await log.one(row.thread);
    const earlier = [
      ...(root === undefined || root.removed === 1 ? [] : [root]),
      ...(await log.replies(row.thread, row.seq, contextMessages)),
    ];
    const context: ContextMessage[] = [];
    let left = contextCharacters;
    for (const { author_name: author, text, at } of earlier.toReversed()) {
      if (text === null || text.trim() === "") continue;
      left -= text.length;
      if (left < 0) break;
      context.unshift({ author, text, at });
    }
    return context;
  }

  return {
    async ofRow(row, channel) {
      const { runs, command } = read(row.text ?? "");
      const author: Person = { id: personId, name: row.author_name };
      const base = {
        key: keyOf(row, row.kind),
        place: answerPlace(row, channel),
        author,
        at: row.at,
        files: inboundFiles(await files.of([row.id])),
        ...(channel.kind === "direct" ? { direct: true } : {}),
      };
      if (row.kind === "command" && command !== null) return { kind: "command", ...base, ...command, options: {} };
      const context = row.thread !== null && !(await log.takesPart(row.thread)) ? await contextOf(row) : [];
      return { kind: "message", ...base, message: row.id, runs, ...(context.length > 0 ? { context } : {}) };
    },

    ofChange(row, channel, change) {
      const base = {
        target: keyOf(row, row.kind),
        place: answerPlace(row, channel),
        author: { id: personId, name: row.author_name },
        at: clock.now(),
      };
      if (change.kind === "delete") return { kind: "delete", key: keyOf(row, "delete"), ...base };
      return { kind: "edit", key: keyOf(row, `edit:${change.edit}`), ...base, runs: read(change.text).runs };
    },

    async ofPress(press, on, { action, turn }) {
      const author: Person = { id: personId, name: await log.personName() };
      const key = keyOf(on, `action:${press}`);
      const place = placeOf(on.channel, on.thread);
      const direct = (await log.channel(on.channel))?.kind === "direct" ? { direct: true } : {};
      return { kind: "action", key, place, author, at: clock.now(), ...direct, action, turn };
    },
  };
}
