/** The routes of the model catalogue. */
import type { AiModelFilters } from "../contract/records.ts";
import { HttpError } from "./http-error.ts";
import type { Handlers } from "./http.ts";
import { findModels, type ModelFilter } from "./model-list.ts";
import { listModels, modelById, modelRecord } from "./models.ts";
import { json, listPage } from "./responses.ts";
import { accessRestriction, readRules } from "./rules.ts";

const commaList = (value: string | null): string[] =>
  (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** What a query asks for; of the two flags only one value each counts, any other leaves the list as it is. */
const askedBy = (query: URLSearchParams): ModelFilter => ({
  search: query.get("search") ?? "",
  poweredBy: query.get("powered_by") ?? "",
  tools: commaList(query.get("tools")),
  tags: commaList(query.get("tags")),
  flagship: query.get("flagship") === "true",
  current: query.get("legacy") === "false",
});

const distinct = (values: readonly string[]): string[] | null => {
  const found = [...new Set(values.filter((value) => value !== ""))];
  return found.length === 0 ? null : found;
};

export const modelHandlers = {
  "GET /ai_model": async ({ ctx, query, page }) => {
    const found = await findModels(ctx, askedBy(query));
    if (!page.asked) return listPage(found, { page: 1, size: found.length }, found.length);
    return listPage(found.slice(page.offset, page.offset + page.size), page, found.length);
  },

  "GET /ai_model/filters": async ({ ctx }) => {
    const entries = (await listModels(ctx)).map(({ entry }) => entry);
    const filters: AiModelFilters = {
      powered_by: distinct(entries.map((entry) => entry.powered_by)),
      tools: distinct(entries.flatMap((entry) => entry.tools)),
      tags: distinct(entries.flatMap((entry) => entry.tags)),
    };
    return json(200, filters);
  },

  // Deprecated by the interface: it knows model-level rules only, never data residency.
  "GET /ai_model/restricted": async ({ ctx }) => {
    const rules = await readRules(ctx.db);
    const blocked = (await listModels(ctx)).filter((model) => accessRestriction(rules, model) !== undefined);
    return json(
      200,
      blocked.map((model) => modelRecord(model, rules)),
    );
  },

  "GET /ai_model/:id": async ({ ctx, param }) => {
    if (!/^\d{1,15}$/.test(param("id"))) throw new HttpError(400, "expected the numeric ID of a model");
    const model = await modelById(ctx, Number(param("id")));
    if (model === undefined || !model.available) throw new HttpError(404, "AI model not found");
    return json(200, modelRecord(model, await readRules(ctx.db)));
  },
} satisfies Handlers;
