/** Files of the console's messages: streamed to disk under random names; their own names are only ever text in the database. */
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Kysely } from "kysely";
import type { Clock } from "../../src/clock.ts";
import { Fault } from "../../src/errors.ts";
import type { InboundFile } from "../../src/core/inbound.ts";
import type { OutboundFile } from "../../src/core/platform.ts";
import type { ByteRange } from "./byte-range.ts";
import { isFileId, newId, type Random } from "./ids.ts";
import type { ConsoleSchema, FileRow } from "./schema.ts";

/** An upload whose message was never sent is removed at a start after this time: a draft may be open for a day. */
const orphanMs = 24 * 60 * 60 * 1000;

export interface FileStore {
  /** Streams one upload to disk. Throws `file_too_large`, or what the disk said; either leaves nothing behind. */
  save(name: string, mediaType: string, content: AsyncIterable<Uint8Array>): Promise<FileRow>;
  /** Gives Parley's own files to a message. */
  keep(message: string, files: readonly OutboundFile[]): Promise<void>;
  /** Gives uploads to a message; those that another message has are not taken. @returns how many were given */
  give(message: string, ids: readonly string[]): Promise<number>;
  /** Takes the uploads back from a message that was not sent after all. */
  takeBack(message: string): Promise<void>;
  one(id: string): Promise<FileRow | undefined>;
  of(messages: readonly string[]): Promise<readonly FileRow[]>;
  /** The bytes of a file, or of a part of it. */
  read(id: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  removeOf(message: string): Promise<void>;
  /** Removes what no message refers to. */
  sweep(): Promise<void>;
}

/** As they are handed to the core. */
export const inboundFiles = (rows: readonly FileRow[]): InboundFile[] =>
  rows.map(({ id, name, media_type: mediaType, bytes }) => ({ id, name, mediaType, bytes }));

interface Options {
  readonly db: Kysely<ConsoleSchema>;
  readonly dir: string;
  readonly limitBytes: number;
  readonly clock: Clock;
  readonly random: Random;
}

// Control characters, and the marks that reverse the direction of text (`gpj.exe` shown as `exe.jpg`).
// oxlint-disable-next-line no-control-regex
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A name to show: no path, nothing unseen, at most 200 characters with its extension kept. */
function shownName(name: string): string {
  const last = name.replace(unseen, "").split(/[/\\]/).at(-1)?.trim() ?? "";
  if (last === "" || /^\.+$/.test(last)) return "file";
  const characters = Array.from(last.toWellFormed());
  if (characters.length <= 200) return characters.join("");
  const extension = /\.[^.]{1,16}$/.exec(last)?.[0] ?? "";
  return characters.slice(0, 200 - extension.length).join("") + extension;
}

const plainType = (mediaType: string): string =>
  /^[\w.+-]+\/[\w.+-]+/.exec(mediaType.toLowerCase())?.[0] ?? "application/octet-stream";

export function createFileStore({ db, dir, limitBytes, clock, random }: Options): FileStore {
  const pathOf = (id: string): string => {
    if (!isFileId(id)) throw new Fault("file_not_found", "expected the id of a file of the console, got something else");
    return join(dir, id);
  };

  /** Written beside its place, synced, then renamed: a file of a complete name is complete. */
  async function write(id: string, content: AsyncIterable<Uint8Array>): Promise<number> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const part = `${pathOf(id)}.part`;
    let bytes = 0;
    try {
      const handle = await open(part, "wx", 0o600);
      try {
        for await (const chunk of content) {
          bytes += chunk.byteLength;
          if (bytes > limitBytes)
            throw new Fault("file_too_large", `expected at most ${String(limitBytes / 1024 / 1024)} MB, got more`);
          await handle.writeFile(chunk);
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(part, pathOf(id));
    } catch (cause) {
      await rm(part, { force: true });
      throw cause;
    }
    return bytes;
  }

  async function store(
    name: string,
    mediaType: string,
    content: AsyncIterable<Uint8Array>,
    place: { message: string | null; position: number },
  ) {
    const id = newId(random);
    const bytes = await write(id, content);
    const row: FileRow = { id, ...place, name: shownName(name), media_type: plainType(mediaType), bytes, at: clock.now() };
    try {
      await db.insertInto("console_files").values(row).execute();
    } catch (cause) {
      await rm(pathOf(id), { force: true });
      throw cause;
    }
    return row;
  }

  async function drop(rows: readonly { id: string }[]): Promise<void> {
    for (const { id } of rows) {
      await db.deleteFrom("console_files").where("id", "=", id).execute();
      await rm(pathOf(id), { force: true });
    }
  }

  return {
    save: (name, mediaType, content) => store(name, mediaType, content, { message: null, position: 0 }),
    async keep(message, files) {
      for (const [position, file] of files.entries()) {
        await store(file.name, file.mediaType, one(file.bytes), { message, position });
      }
    },
    async give(message, ids) {
      let given = 0;
      for (const [position, id] of ids.entries()) {
        const result = await db
          .updateTable("console_files")
          .set({ message, position })
          .where("id", "=", id)
          .where((row) => row.or([row("message", "is", null), row("message", "=", message)]))
          .executeTakeFirst();
        given += Number(result.numUpdatedRows);
      }
      return given;
    },
    async takeBack(message) {
      await db.updateTable("console_files").set({ message: null }).where("message", "=", message).execute();
    },
    one: (id) => db.selectFrom("console_files").selectAll().where("id", "=", id).executeTakeFirst(),
    of: (messages) =>
      messages.length === 0
        ? Promise.resolve([])
        : db.selectFrom("console_files").selectAll().where("message", "in", messages).orderBy("position").execute(),
    read: (id, range) => createReadStream(pathOf(id), range && { start: range.first, end: range.last }),
    async removeOf(message) {
      await drop(await db.selectFrom("console_files").select("id").where("message", "=", message).execute());
    },
    async sweep() {
      const before = clock.now() - orphanMs;
      await drop(
        await db
          .selectFrom("console_files")
          .select("id")
          .where("at", "<", before)
          .where((row) =>
            row.or([
              row("message", "is", null),
              row.not(
                row.exists(
                  row
                    .selectFrom("console_messages as owner")
                    .select("owner.id")
                    .whereRef("owner.id", "=", "console_files.message"),
                ),
              ),
            ]),
          )
          .execute(),
      );
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const known = new Set((await db.selectFrom("console_files").select("id").execute()).map((row) => row.id));
      for (const name of await readdir(dir)) {
        // Only names that were made here: the folder may hold a file of somebody else's.
        if (!/^[0-9a-f]{32}(\.part)?$/.test(name) || known.has(name)) continue;
        const found = await stat(join(dir, name));
        if (found.mtimeMs < before) await rm(join(dir, name), { force: true });
      }
    },
  };
}

// oxlint-disable-next-line typescript/require-await
async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
