/** Runs saved prompts: each run is a conversation of its own, which can be followed up, and is remembered with its values. */
import type { PromptRun, VariableValue } from "../../contract/prompt-records.ts";
import { errorTexts } from "../../contract/errors.ts";
import { defaultStyle, type Citation, type ToolChoice } from "../../contract/records.ts";
import { timestamp, type ServiceContext } from "../context.ts";
import { withCitationLinks } from "../conversations/citations.ts";
import { startPrompt, type SendContext } from "../conversations/send.ts";
import { messageById } from "../conversations/store.ts";
import { HttpError } from "../http-error.ts";
import { checkQuota } from "../quota.ts";
import { guardText } from "../rules.ts";
import { modelToRun } from "../run.ts";
import type { MessageRow } from "../schema.ts";
import { htmlOf } from "./html.ts";
import { fillIn } from "./placeholders.ts";
import type { PromptInstanceRow, PromptRow, PromptRunRow, PromptVariableRow } from "./schema.ts";
import { promptFiles, variablesOf, versionOf } from "./store.ts";
import { primaryOf, resolveValues, type Given } from "./values.ts";

type Db = Pick<ServiceContext, "db">;

/** A run that has ended, well or not. */
interface Ran {
  readonly run: PromptRunRow;
  readonly slug: string;
  readonly message: MessageRow;
}

/**
 * Runs `prompt` for `userId`, and waits for the answer. The run is stored before it is waited for.
 * Throws HttpError before anything is created: 429 quota, 400 a prompt without content, a value that will not do, sensitive
 * text (with `code`) or a model that may not be used (with `code`), 503 a prompt without a model. A provider's failure is no
 * error: the message has it.
 * @param again the instance that is run again, if it is one
 */
async function run(
  ctx: SendContext,
  userId: number,
  prompt: PromptRow,
  given: (variables: readonly PromptVariableRow[]) => Given,
  again?: PromptInstanceRow,
): Promise<Ran> {
  await checkQuota(ctx, userId);
  const version = await versionOf(ctx, prompt.id);
  if (version === undefined) throw new HttpError(400, "the prompt has no content yet");
  const variables = await variablesOf(ctx, version);
  const { values, texts, attachments } = await resolveValues(ctx, userId, variables, given(variables));
  const message = fillIn(version.content, texts);
  if (message.trim() === "" && attachments.length === 0 && (await promptFiles(ctx, [prompt.id])).length === 0) {
    throw new HttpError(400, "the prompt says nothing: expected content, a value or a file");
  }
  await guardText(ctx, message, "code");
  const model = await modelToRun(ctx, prompt.ai_model_id === 0 ? undefined : prompt.ai_model_id);
  const style = prompt.ai_style === "" ? defaultStyle : prompt.ai_style;
  const tools = prompt.tools === null ? [] : (JSON.parse(prompt.tools) as ToolChoice[]);
  const started = await startPrompt(ctx, userId, { id: prompt.id, modelId: model.id, style }, { message, attachments, tools });
  const { conversationId, messageId, done } = started.reply;
  const now = timestamp(ctx);
  const stored = await ctx.db.transaction().execute(async (db) => {
    const instance =
      again ??
      (await db
        .insertInto("prompt_instances")
        .values({ version_id: version.id, user_id: userId, variables: JSON.stringify(values), created_at: now })
        .returning("id")
        .executeTakeFirstOrThrow());
    const links = { prompt_id: prompt.id, instance_id: instance.id, conversation_id: conversationId, message_id: messageId };
    return db
      .insertInto("prompt_runs")
      .values({ ...links, user_id: userId, ai_model_id: model.id, created_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  await done;
  const row = await messageById(ctx, messageId);
  // Deleted while it was being answered.
  if (row === undefined) throw new HttpError(404, errorTexts.conversationNotFound);
  return { run: stored, slug: started.slug, message: row };
}

/** @param raw false where the interface leaves `raw_text` out */
function resultOf({ run: { id, created_at, ai_model_id, conversation_id }, slug, message }: Ran, raw: boolean): PromptRun {
  const text = withCitationLinks(message.text, JSON.parse(message.citations) as Citation[]);
  return {
    id,
    created_at,
    result: text === "" ? "" : htmlOf(text),
    raw_text: raw ? message.text : null,
    runtime: message.response_duration_ms ?? 0,
    ai_model_id,
    conversation_context_id: conversation_id,
    conversation_context_slug: slug,
    error_text: message.error_text,
    error_id: message.error_id,
    run_status: message.error_text === null ? "success" : "error",
  };
}

const asGiven = (values: ReadonlyArray<{ readonly variable_id: number; readonly value: string }>): Given =>
  new Map(values.map(({ variable_id, value }) => [variable_id, value]));

/** The values of an instance, less those of variables that are no longer there. */
const givenBefore = (instance: PromptInstanceRow | undefined, variables: readonly PromptVariableRow[]): Map<number, string> => {
  const values = instance === undefined ? [] : (JSON.parse(instance.variables) as VariableValue[]);
  return new Map(
    values
      .filter(({ variable_id }) => variables.some(({ id }) => id === variable_id))
      .map(({ variable_id, value }) => [variable_id, value]),
  );
};

/** Runs a prompt with values for its variables. */
export const runWithVariables = async (
  ctx: SendContext,
  userId: number,
  prompt: PromptRow,
  values: ReadonlyArray<{ readonly variable_id: number; readonly value: string }>,
): Promise<PromptRun> => resultOf(await run(ctx, userId, prompt, () => asGiven(values)), false);

/** Runs a prompt with values for its variables by their slugs. Throws HttpError 400 for a slug that is none of them. */
export async function runBySlugs(
  ctx: SendContext,
  userId: number,
  prompt: PromptRow,
  values: Readonly<Record<string, string>>,
): Promise<PromptRun> {
  const given = (variables: readonly PromptVariableRow[]): Given => {
    const ids = new Map(variables.map(({ id, slug }) => [slug, id]));
    return new Map(
      Object.entries(values).map(([slug, value]) => {
        const id = ids.get(slug);
        if (id === undefined) throw new HttpError(400, `variables: the prompt has no variable ${slug}`);
        return [id, value];
      }),
    );
  };
  return resultOf(await run(ctx, userId, prompt, given), true);
}

/** Runs a prompt as the user last ran it, with `text` in its primary variable; before a first run the others have their defaults. */
export async function replay(ctx: SendContext, userId: number, prompt: PromptRow, text: string): Promise<PromptRun> {
  const latest = await latestInstance(ctx, userId, prompt.id);
  const given = (variables: readonly PromptVariableRow[]): Given => {
    const primary = primaryOf(variables);
    if (primary === undefined) throw new HttpError(400, "data: the prompt has no variable to put the text in");
    return givenBefore(latest, variables).set(primary.id, text);
  };
  return resultOf(await run(ctx, userId, prompt, given), true);
}

/** Runs an instance again. */
export const runInstance = async (ctx: SendContext, prompt: PromptRow, instance: PromptInstanceRow): Promise<PromptRun> =>
  resultOf(await run(ctx, instance.user_id, prompt, (variables) => givenBefore(instance, variables), instance), true);

const latestInstance = ({ db }: Db, userId: number, promptId: number): Promise<PromptInstanceRow | undefined> =>
  db
    .selectFrom("prompt_runs")
    .innerJoin("prompt_instances", "prompt_instances.id", "prompt_runs.instance_id")
    .selectAll("prompt_instances")
    .where("prompt_runs.user_id", "=", userId)
    .where("prompt_runs.prompt_id", "=", promptId)
    .orderBy("prompt_runs.id", "desc")
    .executeTakeFirst();
