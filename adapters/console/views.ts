/** Messages as the page gets them: plain JSON, whole, with their files and how far their thread has come. */
import type { Document } from "../../src/core/document.ts";
import { fileKinds, isOfKind } from "../../src/core/media/kinds.ts";
import { kindOf } from "./file-kinds.ts";
import { inboundFiles, type FileStore } from "./files.ts";
import type { MessageLog } from "./message-log.ts";
import type { ChannelRow, FileRow, MessageRow } from "./schema.ts";
import type { ChannelView, FileView, MessageView } from "./wire.ts";

export const channelView = ({ id, name, kind }: ChannelRow): ChannelView => ({ id, name, kind });

export const fileView = (row: FileRow): FileView => ({
  id: row.id,
  name: row.name,
  mediaType: row.media_type,
  bytes: row.bytes,
  shown: kindOf(row.media_type),
  kinds: fileKinds.filter((kind) => inboundFiles([row]).some((file) => isOfKind(file, kind))),
});

/** Gives `rows` their files and threads, with two queries for all of them. */
export async function viewsOf(rows: readonly MessageRow[], log: MessageLog, files: FileStore): Promise<MessageView[]> {
  const ids = rows.map((row) => row.id);
  const [attached, threads] = await Promise.all([files.of(ids), log.threads(ids)]);
  const filesByMessage = Map.groupBy(attached, (file) => file.message);
  return rows.map((row) => ({
    id: row.id,
    seq: row.seq,
    rev: row.rev,
    channel: row.channel,
    thread: row.thread,
    author: { id: row.author, name: row.author_name },
    kind: row.kind,
    at: row.at,
    editedAt: row.edited_at,
    removed: row.removed === 1,
    addressed: row.addressed === 1,
    text: row.text,
    document: row.document === null ? null : (JSON.parse(row.document) as Document),
    files: (filesByMessage.get(row.id) ?? []).map(fileView),
    replies: threads.get(row.id) ?? { count: 0, lastAt: 0 },
  }));
}
