/** Keeps growing messages in the database, for those who poll: all of them in one write, a few times a second. */
import { timestamp, type ServiceContext } from "../context.ts";
import type { MessageRow } from "../schema.ts";
import { createPulse } from "./pulse.ts";

/** What grows of a message. */
export type DraftFields = Pick<MessageRow, "status" | "text" | "thinking" | "citations" | "attachments">;

export interface Drafts {
  /** The message has grown; `fields` is asked when the database is written. */
  grown(messageId: number, fields: () => DraftFields): void;
  /** Resolves when no draft of the message will be written any more. */
  end(messageId: number): Promise<void>;
  /** Ends the writing. */
  close(): Promise<void>;
}

/**
 * The database has a growing message at most this old, in ms. Every write waits for the disk, and everything else waits with
 * it: so one write for all messages, and no oftener than somebody who polls would notice.
 */
const writeEveryMs = 350;

export function createDrafts(ctx: Pick<ServiceContext, "db" | "clock" | "log">): Drafts {
  const grown = new Map<number, () => DraftFields>();
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const batch = [...grown];
    grown.clear();
    try {
      await ctx.db.transaction().execute(async (db) => {
        for (const [id, fields] of batch) {
          const draft = { ...fields(), updated_at: timestamp(ctx) };
          await db.updateTable("messages").set(draft).where("id", "=", id).where("status", "<>", "finished").execute();
        }
      });
    } catch (error) {
      // The finished message is written by itself, and what fails there ends the reply.
      ctx.log.error({ error, count: batch.length }, "growing messages could not be stored");
    }
  };
  const pulse = createPulse(ctx.clock, writeEveryMs, () => {
    if (grown.size > 0) writing = write();
    return writing;
  });

  return {
    grown(messageId, fields) {
      grown.set(messageId, fields);
      pulse.touch();
    },
    async end(messageId) {
      grown.delete(messageId);
      await writing;
    },
    close: () => pulse.end(),
  };
}
