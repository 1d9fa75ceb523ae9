/** The console as a chat platform: what Parley posts is stored, then shown on every open page. */
import { Fault, WriteFault, reasonOf } from "../../src/errors.ts";
import { isFileId, newId, type Random } from "./ids.ts";
import type { Clock } from "../../src/clock.ts";
import type { Document } from "../../src/core/document.ts";
import type { Inbox } from "../../src/core/inbound.ts";
import type { Place } from "../../src/core/place.ts";
import type { ChatPlatform, Posted } from "../../src/core/platform.ts";
import { inboundFiles, type FileStore } from "./files.ts";
import { consoleName } from "./inbound.ts";
import type { MessageLog } from "./message-log.ts";
import type { MessageRow } from "./schema.ts";
import type { Sending } from "./sending.ts";
import type { Showing } from "./showing.ts";
import type { Whispers } from "./whispers.ts";
import { consoleLimits } from "./limits.ts";

interface Options {
  readonly log: MessageLog;
  readonly files: FileStore;
  readonly sending: Sending;
  readonly showing: Showing;
  readonly whispers: Whispers;
  readonly clock: Clock;
  readonly random: Random;
}

/** Messages of a channel whose files count as its newest. */
const recentMessages = 200;

/** The database is here, so a write that failed was certainly not done. */
async function write<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw new WriteFault("refused", "not written: it was no longer wanted", { cause: signal.reason });
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof WriteFault) throw cause;
    throw new WriteFault("refused", `the console could not store it: ${reasonOf(cause)}`, { cause });
  }
}

export function createPlatform({ log, files, sending, showing, whispers, clock, random }: Options): ChatPlatform {
  let connected = false;

  function disconnect(): void {
    connected = false;
    sending.connect(null);
  }

  async function known(place: Place): Promise<{ channel: string; thread: string | null }> {
    const { channel, thread } = place;
    const exists = (await log.channel(channel)) !== undefined && (thread === null || (await log.one(thread)) !== undefined);
    if (!exists) throw new WriteFault("gone", "the console has no such channel or thread");
    return { channel, thread };
  }

  const posted = (place: Place, row: MessageRow): Posted => ({ place, id: row.id });

  return {
    name: consoleName,
    limits: consoleLimits,

    async start(inbox: Inbox, signal: AbortSignal) {
      signal.throwIfAborted();
      await files.sweep();
      sending.connect(inbox);
      await sending.offerPending();
      signal.addEventListener("abort", disconnect, { once: true });
      connected = true;
    },

    stop() {
      disconnect();
      return Promise.resolve();
    },

    health: () => (connected ? null : "the console is not started"),

    post: (place, document, key, signal) =>
      write(signal, async () => {
        const { row, isNew } = await log.post(newId(random), key, await known(place), "document", document);
        if (isNew) await showing.showWithThread(row);
        return posted(place, row);
      }),

    edit: ({ id }, document: Document, signal) =>
      write(signal, async () => {
        const row = await log.setDocument(id, document);
        if (row === undefined) throw new WriteFault("gone", "the message was removed");
        await showing.show(row);
      }),

    remove: ({ id }, signal) =>
      write(signal, async () => {
        const row = await log.remove(id);
        if (row === undefined) return;
        await files.removeOf(id);
        await showing.showWithThread(row);
      }),

    attach: (place, attached, key, signal) =>
      write(signal, async () => {
        const before = await log.byKey(key);
        if (before !== undefined) return posted(place, before);
        const at = await known(place);
        // Files first: a message is never shown without them, and what a crash leaves over is swept at the next start.
        const id = newId(random);
        await files.keep(id, attached);
        const { row } = await log.post(id, key, at, "files", null);
        await showing.showWithThread(row);
        return posted(place, row);
      }),

    find: (place, key, signal, besides = []) =>
      write(signal, async () => {
        const row = await log.byKey(key);
        return row === undefined || besides.includes(row.id) ? undefined : posted(place, row);
      }),

    whisper: (place, _person, document, signal) =>
      write(signal, async () => {
        whispers.add({ id: newId(random), ...(await known(place)), at: clock.now(), document });
      }),

    complete: (inbound) => Promise.resolve(inbound),

    async recentFiles({ channel, thread }, signal) {
      signal.throwIfAborted();
      const root = thread === null ? undefined : await log.one(thread);
      const rows = thread === null ? (await log.roots(channel, null, recentMessages)).rows : await log.replies(thread);
      const messages = [...(root === undefined ? [] : [root]), ...rows]
        .filter(({ removed }) => removed === 0)
        .map(({ id }) => id);
      return inboundFiles(
        (await files.of(messages)).toSorted((a, b) => messages.indexOf(b.message ?? "") - messages.indexOf(a.message ?? "")),
      );
    },

    async open(file, signal) {
      signal.throwIfAborted();
      const row = isFileId(file.id) ? await files.one(file.id) : undefined;
      if (row === undefined) throw new Fault("file_gone", "the file was removed from the console");
      return files.read(row.id);
    },
  };
}
