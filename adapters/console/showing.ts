/** Tells every open page of a message that changed, and of the thread that it changes. */
import type { Feed } from "./feed.ts";
import type { FileStore } from "./files.ts";
import type { MessageLog } from "./message-log.ts";
import type { MessageRow } from "./schema.ts";
import { viewsOf } from "./views.ts";

export interface Showing {
  /** Shows the newest state of `row`. */
  show(row: MessageRow): Promise<void>;
  /** Shows `row`, which is new or gone, and its thread's count with it. */
  showWithThread(row: MessageRow): Promise<void>;
}

export function createShowing(log: MessageLog, files: FileStore, feed: Feed): Showing {
  async function show(row: MessageRow): Promise<void> {
    for (const message of await viewsOf([row], log, files)) feed.publish({ type: "message", message });
  }
  return {
    show,
    async showWithThread(row) {
      await show(row);
      if (row.thread === null) return;
      const root = (await log.touch(row.thread)) ?? (await log.one(row.thread));
      if (root !== undefined) await show(root);
    },
  };
}
