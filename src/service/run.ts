/** The free-text run: one text to one model, nothing before it, nothing kept of it but its cost. */
import { runBody } from "../contract/bodies.ts";
import { errorTexts } from "../contract/errors.ts";
import { defaultStyle, type UnsavedMessage } from "../contract/records.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ServiceContext } from "./context.ts";
import { failureOf, type Failure } from "./conversations/failure.ts";
import { HttpError } from "./http-error.ts";
import type { Handlers } from "./http.ts";
import { modelById, type StoredModel } from "./models.ts";
import { tokensIn } from "./providers/estimate.ts";
import type { ModelRequest } from "./providers/port.ts";
import { charge, checkQuota, costOf, type Usage } from "./quota.ts";
import { json } from "./responses.ts";
import { guardText, readRules, restrictionOf } from "./rules.ts";

/** The model to run. Throws HttpError 503 without one, 400 for one that is unknown or blocked. */
async function modelToRun(ctx: ServiceContext, id: number | undefined): Promise<StoredModel> {
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

export const runHandlers = (catalogue: Pick<Catalogue, "providerOf">) =>
  ({
    "POST /run": async ({ ctx, caller, request, body }) => {
      await checkQuota(ctx, caller.userId);
      const { prompt, ai_model_id } = await body(runBody);
      if (prompt.trim() === "") throw new HttpError(400, "prompt: expected a text, got none");
      await guardText(ctx, prompt, "code");
      const model = await modelToRun(ctx, ai_model_id);
      const provider = catalogue.providerOf(model.entry.key);
      if (provider === undefined) throw new HttpError(503, "the provider of this model is no longer connected");

      let text = "";
      let counted: Usage | undefined;
      let failed: Failure | null = null;
      try {
        // Nobody else could ever read the answer, so it ends with the request.
        for await (const event of provider.run(requestFor(model, prompt), request.signal)) {
          if (event.type === "text") text += event.text;
          if (event.type === "usage") counted = event;
        }
      } catch (thrown) {
        failed = request.signal.aborted ? null : failureOf(ctx, thrown, 0);
      }
      // A provider that refused before its first word has cost nothing.
      if (failed === null || text !== "") {
        const usage = counted ?? { inputTokens: tokensIn(prompt), outputTokens: tokensIn(text) };
        await charge(ctx, caller.userId, costOf(model.entry, usage));
      }
      const message: UnsavedMessage = {
        ID: 0,
        ai_model_id: model.id,
        text,
        isUser: false,
        status: "finished",
        ai_style: defaultStyle,
        error_text: failed?.error_text ?? null,
        error_id: failed?.error_id ?? null,
      };
      return json(200, message);
    },
  }) satisfies Handlers;
