/** The console's own tables: it is a platform, so it keeps the messages that it shows. */
import { sql, type Generated, type Selectable } from "kysely";
import type { Migration } from "../../src/database/migrate.ts";

/** 1 or 0: SQLite has no booleans. */
type Flag = 0 | 1;

interface SettingsTable {
  name: string;
  value: string;
}

interface ChannelsTable {
  id: string;
  name: string;
  kind: "channel" | "direct";
  at: number;
}

interface MessagesTable {
  /** The order in which messages are shown. */
  seq: Generated<number>;
  /** Made by the page for a person's message, so that sending twice is one message; never used again, even after removal. */
  id: string;
  /** The post key of one of Parley's messages; null for a person's, and once removed. */
  key: string | null;
  channel: string;
  /** The id of the message that the thread hangs from. */
  thread: string | null;
  author: "you" | "parley";
  author_name: string;
  kind: "text" | "command" | "document" | "files";
  /** What a person typed. */
  text: string | null;
  /** A `Document` as JSON; for a person's message, the text as blocks. */
  document: string | null;
  /** The inbox has it: Parley answers it, and takes part in its thread. */
  addressed: Flag;
  /** Stored, but not yet handed to the inbox: not shown, and offered again at the next start. */
  pending: Flag;
  /** Kept as a mark only: nothing of what it said is left. */
  removed: Flag;
  /** Grows with every change, so that a page never shows an older state over a newer one. */
  rev: number;
  at: number;
  edited_at: number | null;
}

interface FilesTable {
  id: string;
  /** Null from the upload until the message is sent. */
  message: string | null;
  position: number;
  name: string;
  media_type: string;
  bytes: number;
  at: number;
}

export interface ConsoleSchema {
  console_settings: SettingsTable;
  console_channels: ChannelsTable;
  console_messages: MessagesTable;
  console_files: FilesTable;
}

export type ChannelRow = Selectable<ChannelsTable>;
export type MessageRow = Selectable<MessagesTable>;
export type FileRow = Selectable<FilesTable>;

/** Where a person speaks with Parley alone; no channel's name can be this, as names have no capital letters. */
const directChannel = "Direct";

export const consoleMigrations: readonly Migration[] = [
  {
    name: "console-1",
    up: async (db) => {
      await sql`create table console_settings (name text primary key, value text not null)`.execute(db);
      await sql`create table console_channels (
        id text primary key, name text not null unique, kind text not null, at integer not null)`.execute(db);
      await sql`create table console_messages (
        seq integer primary key autoincrement, id text not null unique, key text unique, channel text not null, thread text,
        author text not null, author_name text not null, kind text not null, text text, document text,
        addressed integer not null, pending integer not null, removed integer not null, rev integer not null,
        at integer not null, edited_at integer)`.execute(db);
      await sql`create index console_messages_roots on console_messages (channel, seq) where thread is null`.execute(db);
      await sql`create index console_messages_replies on console_messages (thread, seq) where thread is not null`.execute(db);
      await sql`create index console_messages_pending on console_messages (seq) where pending = 1`.execute(db);
      await sql`create table console_files (
        id text primary key, message text, position integer not null, name text not null, media_type text not null,
        bytes integer not null, at integer not null)`.execute(db);
      await sql`create index console_files_message on console_files (message)`.execute(db);
      const at = Date.now();
      await sql`insert into console_channels (id, name, kind, at) values
        ('general', 'general', 'channel', ${at}), ('random', 'random', 'channel', ${at}),
        (${directChannel}, 'Parley', 'direct', ${at})`.execute(db);
    },
  },
];
