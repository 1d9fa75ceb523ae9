/** What a person does on the page: stored, handed to the inbox, and only then acknowledged and shown. */
import type { Clock } from "../../src/clock.ts";
import type { Inbox } from "../../src/core/inbound.ts";
import type { Document } from "../../src/core/document.ts";
import { holdsKey } from "../../src/core/spilled-keys.ts";
import { read } from "./address.ts";
import type { FileStore } from "./files.ts";
import { createInbounds, personId, type Change } from "./inbound.ts";
import { filesPerMessage, textLimit } from "./limits.ts";
import type { MessageLog } from "./message-log.ts";
import { notStored, refused, type Refused } from "./refusals.ts";
import type { ChannelRow, MessageRow } from "./schema.ts";
import type { Showing } from "./showing.ts";
import { typedDocument } from "./typed-text.ts";
import type { Whispers } from "./whispers.ts";

interface Send {
  /** Made by the page: the same id is the same message. */
  readonly id: string;
  readonly channel: string;
  readonly thread: string | null;
  readonly text: string;
  readonly files: readonly string[];
}

export interface Sending {
  /** The inbox to hand things to; null while the platform is stopped, when everything is refused. */
  connect(inbox: Inbox | null): void;
  /** Where things are handed to now. */
  inbox(): Inbox | null;
  /** Hands over what an earlier process stored but did not hand over. */
  offerPending(): Promise<void>;
  send(send: Send): Promise<MessageRow | Refused>;
  /** @param edit made by the page: the same id is the same edit */
  edit(id: string, edit: string, text: string): Promise<MessageRow | Refused>;
  remove(id: string): Promise<MessageRow | Refused>;
  /**
   * @param press made by the page: the same id is the same press
   * @param message that the button stands on, or what only the person sees
   * @param turn of the button, where several of a message have the same action
   */
  press(press: string, message: string, action: string, turn: string | null): Promise<"pressed" | Refused>;
}

interface Options {
  readonly log: MessageLog;
  readonly files: FileStore;
  readonly whispers: Pick<Whispers, "one">;
  readonly showing: Showing;
  readonly clock: Clock;
}

/** Why a text is not taken, before anything of it is stored; null when it is. */
function wrongText(text: string, files: readonly string[]): Refused | null {
  if (text.trim() === "" && files.length === 0) return refused(400, "There is nothing to send yet.");
  if (text.length > textLimit) {
    const [have, most] = [text.length, textLimit].map((count) => count.toLocaleString("en"));
    return refused(413, `Too long to send: ${have ?? ""} characters, at most ${most ?? ""}. Attach it as a file instead.`);
  }
  if (holdsKey(text))
    return refused(400, "Not sent, and not kept: there is a workspace key in it. To give Parley a key, use /link.");
  return null;
}

export function createSending({ log, files, showing, whispers, clock }: Options): Sending {
  const inbounds = createInbounds({ log, files, clock });
  let inbox: Inbox | null = null;
  const inFlight = new Map<string, Promise<MessageRow | Refused>>();

  /** One of Parley's messages, as it is shown. */
  async function parleys(
    id: string,
  ): Promise<{ id: string; channel: string; thread: string | null; document: Document } | undefined> {
    const row = await log.one(id);
    if (row?.author !== "parley" || row.document === null) return undefined;
    return { id, channel: row.channel, thread: row.thread, document: JSON.parse(row.document) as Document };
  }

  /** Tells the inbox of a change to a message that it has; of others it knows nothing. */
  async function tellChange(row: MessageRow, change: Change, to: Inbox): Promise<void> {
    const channel = await log.channel(row.channel);
    if (row.addressed === 0 || channel === undefined) return;
    await to.receive(inbounds.ofChange(row, channel, change));
  }

  async function offer(row: MessageRow, channel: ChannelRow, to: Inbox): Promise<MessageRow> {
    if (row.addressed === 1) await to.receive(await inbounds.ofRow(row, channel));
    const settled = (await log.settle(row.id)) ?? row;
    await showing.showWithThread(settled);
    return settled;
  }

  /** A row for `send`, or why there cannot be one. */
  async function write(send: Send, channel: ChannelRow): Promise<MessageRow | Refused> {
    const { mentioned, command } = read(send.text);
    const asksParley = channel.kind === "direct" || mentioned || (send.thread !== null && (await log.takesPart(send.thread)));
    const isCommand = command !== null && (send.text.trimStart().startsWith("/") || asksParley);
    const document: Document | null = isCommand ? null : typedDocument(send.text);
    const row = await log.insert({
      id: send.id,
      channel: send.channel,
      thread: send.thread,
      authorName: await log.personName(),
      kind: isCommand ? "command" : "text",
      text: send.text,
      document,
      addressed: isCommand || asksParley,
    });
    if ((await files.give(send.id, send.files)) === send.files.length) return row;
    await files.takeBack(send.id);
    await log.discard(send.id);
    return refused(400, "Not sent: an attached file is no longer here. Attach it again.");
  }

  async function check(send: Send): Promise<ChannelRow | Refused> {
    const wrong = wrongText(send.text, send.files);
    if (wrong !== null) return wrong;
    if (send.files.length > filesPerMessage)
      return refused(400, `Too many files: at most ${String(filesPerMessage)} with one message.`);
    const channel = await log.channel(send.channel);
    if (channel === undefined) return refused(404, "There is no such channel.");
    if (send.thread === null) return channel;
    const root = await log.one(send.thread);
    return root?.channel === send.channel && root.thread === null ? channel : refused(404, "There is no such thread.");
  }

  /** Only a person's own message, and not what was removed. */
  async function own(id: string): Promise<MessageRow | Refused> {
    const row = await log.one(id);
    if (row === undefined || row.removed === 1 || row.pending === 1) return refused(404, "This message is gone.");
    return row.author === personId ? row : refused(409, "Only your own messages can be changed.");
  }

  const closed = (): Refused =>
    refused(503, "Not sent: Parley is starting or stopping. Your text is still here; try again in a moment.");

  async function sendOnce(send: Send): Promise<MessageRow | Refused> {
    const to = inbox;
    if (to === null) return closed();
    const known = await log.one(send.id);
    if (known !== undefined && known.pending === 0) return known;
    const channel = await check(send);
    if ("error" in channel) return channel;
    try {
      const row = known ?? (await write(send, channel));
      if ("error" in row) return row;
      return await offer(row, channel, to);
    } catch (cause) {
      await files.takeBack(send.id);
      await log.discard(send.id);
      return notStored(cause);
    }
  }

  return {
    connect: (to) => void (inbox = to),
    inbox: () => inbox,

    async offerPending() {
      if (inbox === null) return;
      for (const row of await log.pending()) {
        const channel = await log.channel(row.channel);
        if (channel !== undefined) await offer(row, channel, inbox);
      }
    },

    send(send) {
      // A retry of what is still on its way waits for the same outcome.
      const running = inFlight.get(send.id) ?? sendOnce(send).finally(() => inFlight.delete(send.id));
      inFlight.set(send.id, running);
      return running;
    },

    async edit(id, edit, text) {
      const to = inbox;
      if (to === null) return closed();
      const row = await own(id);
      if ("error" in row) return row;
      if (row.kind === "command") return refused(409, "A command cannot be edited. Send it again instead.");
      const wrong = wrongText(text, []);
      if (wrong !== null) return wrong;
      try {
        await tellChange(row, { kind: "edit", edit, text }, to);
        const changed = (await log.setText(id, text, typedDocument(text))) ?? row;
        await showing.show(changed);
        return changed;
      } catch (cause) {
        return notStored(cause);
      }
    },

    async remove(id) {
      const to = inbox;
      if (to === null) return closed();
      const row = await own(id);
      if ("error" in row) return row;
      try {
        await tellChange(row, { kind: "delete" }, to);
        const removed = (await log.remove(id)) ?? row;
        await files.removeOf(id);
        await showing.showWithThread(removed);
        return removed;
      } catch (cause) {
        return notStored(cause);
      }
    },

    async press(press, message, action, turn) {
      const to = inbox;
      if (to === null) return closed();
      const row = whispers.one(message) ?? (await parleys(message));
      const button = row?.document.actions.find((one) => one.action === action && (turn === null || one.turn === turn));
      if (row === undefined || button === undefined) return refused(409, "This button is no longer there.");
      try {
        await to.receive(await inbounds.ofPress(press, row, button));
        return "pressed";
      } catch (cause) {
        return notStored(cause);
      }
    },
  };
}
