/** Finishes the messages that a dead process left unfinished: nothing else ever would. */
import { timestamp, type ServiceContext } from "../context.ts";
import { interruption } from "./failure.ts";

/** Gives every unfinished message an error text and a reference of its own. Runs at start-up, before any reply is made. */
export async function repairMessages(ctx: Pick<ServiceContext, "db" | "clock" | "random" | "log">): Promise<void> {
  const orphans = await ctx.db.selectFrom("messages").select("id").where("status", "<>", "finished").execute();
  for (const { id } of orphans) {
    await ctx.db
      .updateTable("messages")
      .set({ status: "finished", ...interruption(ctx), updated_at: timestamp(ctx) })
      .where("id", "=", id)
      .execute();
  }
  if (orphans.length > 0) ctx.log.warn({ count: orphans.length }, "messages of an earlier process were finished as interrupted");
}
