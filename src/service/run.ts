/** The free-text run: one text to one model, nothing before it, nothing kept of it but its cost. */
import { z } from "zod";
import { runBody } from "../contract/bodies.ts";
import { errorTexts } from "../contract/errors.ts";
import { defaultStyle, type UnsavedMessage } from "../contract/records.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { failureOf, type Failure } from "./conversations/failure.ts";
import { HttpError } from "./http-error.ts";
import type { Handlers } from "./http.ts";
import { modelById, type StoredModel } from "./models.ts";
import { tokensIn } from "./providers/estimate.ts";
import type { ModelRequest } from "./providers/port.ts";
import { charge, checkQuota, costOf, type Usage } from "./quota.ts";
import { json } from "./responses.ts";
import { guardText, readRules, restrictionOf } from "./rules.ts";
import { tool, type Tools } from "./tools/tool.ts";

/** The model to run. Throws HttpError 503 without one, 400 for one that is unknown or blocked. */
export async function modelToRun(ctx: Pick<ServiceContext, "db">, id: number | undefined): Promise<StoredModel> {
  if (id === undefined) throw new HttpError(503, errorTexts.noModel);
  const model = await modelById(ctx, id);
  if (model === undefined) throw new HttpError(400, "AI model not found");
  const restriction = restrictionOf(await readRules(ctx.db), model);
  if (restriction === undefined) return model;
  throw new HttpError(400, { error: restriction.text, ...(restriction.code === undefined ? {} : { code: restriction.code }) });
}

const requestFor = (model: StoredModel, prompt: string): ModelRequest => ({
  modelKey: model.entry.key,
  system: null,
  turns: [{ role: "user", text: prompt }],
  reasoningEffort: null,
  flash: false,
  setting: { agent: null, project: null, style: defaultStyle },
});

/**
 * Runs one text. A failure of the provider is told in the message.
 * Throws HttpError 429 without quota, 400 for an empty or blocked text or a blocked model, 503 without a model or its provider.
 * @param signal nobody else could ever read the answer, so it ends with the request
 */
async function runText(
  ctx: ServiceContext,
  catalogue: Pick<Catalogue, "providerOf">,
  caller: Caller,
  { prompt, ai_model_id }: z.output<typeof runBody>,
  signal: AbortSignal,
): Promise<UnsavedMessage> {
  await checkQuota(ctx, caller.userId);
  if (prompt.trim() === "") throw new HttpError(400, "prompt: expected a text, got none");
  await guardText(ctx, prompt, "code");
  const model = await modelToRun(ctx, ai_model_id);
  const provider = catalogue.providerOf(model.entry.key);
  if (provider === undefined) throw new HttpError(503, "the provider of this model is no longer connected");

  let text = "";
  let counted: Usage | undefined;
  let failed: Failure | null = null;
  try {
    for await (const event of provider.run(requestFor(model, prompt), signal)) {
      if (event.type === "text") text += event.text;
      if (event.type === "usage") counted = event;
    }
  } catch (thrown) {
    failed = signal.aborted ? null : failureOf(ctx, thrown, 0);
  }
  // A provider that refused before its first word has cost nothing.
  if (failed === null || text !== "") {
    const usage = counted ?? { inputTokens: tokensIn(prompt), outputTokens: tokensIn(text) };
    await charge(ctx, caller.userId, costOf(model.entry, usage));
  }
  return {
    ID: 0,
    ai_model_id: model.id,
    text,
    isUser: false,
    status: "finished",
    ai_style: defaultStyle,
    error_text: failed?.error_text ?? null,
    error_id: failed?.error_id ?? null,
  };
}

export const runHandlers = (catalogue: Pick<Catalogue, "providerOf">) =>
  ({
    "POST /run": async ({ ctx, caller, request, body }) =>
      json(200, await runText(ctx, catalogue, caller, await body(runBody), request.signal)),
  }) satisfies Handlers;

export const runTools = (catalogue: Pick<Catalogue, "providerOf">) =>
  ({
    custom_run: tool({
      description: "Sends one text to a model and gives its answer; nothing is kept as a conversation.",
      input: z.strictObject({
        prompt: z.string().min(1).describe("What to say"),
        ai_model_id: z.int().nonnegative().describe("The model that answers"),
      }),
      run: ({ ctx, caller, signal }, asked) => runText(ctx, catalogue, caller, asked, signal),
    }),
  }) satisfies Tools;
