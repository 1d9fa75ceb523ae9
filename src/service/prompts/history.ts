/** Earlier runs of prompts, and the values that they were run with. */
import type { PromptRunEntry, VariableValue } from "../../contract/prompt-records.ts";
import { errorTexts } from "../../contract/errors.ts";
import type { ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import type { Span } from "../responses.ts";
import type { PromptInstanceRow } from "./schema.ts";

type Db = Pick<ServiceContext, "db">;

/** The user's own instance with this ID, and the prompt that it is of, which may be deleted. */
export async function ownInstance(
  { db }: Db,
  userId: number,
  id: number,
): Promise<{ readonly instance: PromptInstanceRow; readonly promptId: number }> {
  const found = await db
    .selectFrom("prompt_instances")
    .innerJoin("prompt_versions", "prompt_versions.id", "prompt_instances.version_id")
    .selectAll("prompt_instances")
    .select("prompt_versions.prompt_id")
    .where("prompt_instances.id", "=", id)
    .where("prompt_instances.user_id", "=", userId)
    .executeTakeFirst();
  if (found === undefined) throw new HttpError(404, errorTexts.instanceNotFound);
  const { prompt_id, ...instance } = found;
  return { instance, promptId: prompt_id };
}

/** A page of the user's finished runs of a prompt, newest first, and how many there are. */
export async function runHistory(
  { db }: Db,
  userId: number,
  promptId: number,
  page: Span,
): Promise<{ entries: PromptRunEntry[]; total: number }> {
  const all = db
    .selectFrom("prompt_runs")
    .innerJoin("prompt_instances", "prompt_instances.id", "prompt_runs.instance_id")
    .innerJoin("conversations", "conversations.id", "prompt_runs.conversation_id")
    // Gone once the conversation is deleted: the run took place all the same.
    .leftJoin("messages", "messages.id", "prompt_runs.message_id")
    .where("prompt_runs.user_id", "=", userId)
    .where("prompt_runs.prompt_id", "=", promptId)
    .where((where) => where.or([where("messages.status", "is", null), where("messages.status", "=", "finished")]));
  const { total } = await all.select((query) => query.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await all
    .selectAll("prompt_runs")
    .select(["prompt_instances.variables", "conversations.slug"])
    .select(["messages.error_text", "messages.error_id", "messages.response_duration_ms"])
    .orderBy("prompt_runs.id", "desc")
    .limit(page.size)
    .offset(page.offset)
    .execute();
  const entries = rows.map((row): PromptRunEntry => ({
    id: row.id,
    created_at: row.created_at,
    prompt_id: row.prompt_id,
    instance_id: row.instance_id,
    runtime: row.response_duration_ms ?? 0,
    ai_model_id: row.ai_model_id,
    conversation_context_id: row.conversation_id,
    conversation_context_slug: row.slug,
    error_text: row.error_text,
    error_id: row.error_id,
    run_status: row.error_text === null ? "success" : "error",
    variables: JSON.parse(row.variables) as VariableValue[],
  }));
  return { entries, total };
}
