/** The routes of the model catalogue. */
import type { AiModel, AiModelFilters } from "../contract/records.ts";
import { HttpError } from "./http-error.ts";
import type { Handlers } from "./http.ts";
import { listModels, modelById, modelRecord, type StoredModel } from "./models.ts";
import { json, listPage, offsetOf } from "./responses.ts";
import { accessRestriction, readRules, type Rules } from "./rules.ts";

const commaList = (value: string | null): string[] =>
  (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

function matches({ entry }: StoredModel, query: URLSearchParams): boolean {
  const search = query.get("search")?.toLowerCase() ?? "";
  const poweredBy = query.get("powered_by") ?? "";
  return (
    entry.name.toLowerCase().includes(search) &&
    (poweredBy === "" || entry.powered_by === poweredBy) &&
    commaList(query.get("tools")).every((tool) => entry.tools.includes(tool)) &&
    commaList(query.get("tags")).every((tag) => entry.tags.includes(tag)) &&
    // Only these two values count; any other leaves the list as it is.
    (query.get("flagship") !== "true" || entry.flagship) &&
    (query.get("legacy") !== "false" || !entry.deprecated)
  );
}

function listRow(model: StoredModel, all: readonly StoredModel[], rules: Rules): AiModel {
  const successor = all.find(({ entry }) => entry.key === model.entry.successorKey);
  return { ...modelRecord(model, rules), successor: successor === undefined ? null : modelRecord(successor, rules) };
}

const distinct = (values: readonly string[]): string[] | null => {
  const found = [...new Set(values.filter((value) => value !== ""))];
  return found.length === 0 ? null : found;
};

export const modelHandlers = {
  "GET /ai_model": async ({ ctx, query, page }) => {
    const rules = await readRules(ctx.db);
    const all = await listModels(ctx);
    const found = all.filter((model) => matches(model, query)).map((model) => listRow(model, all, rules));
    if (!page.asked) return listPage(found, { page: 1, size: found.length }, found.length);
    return listPage(found.slice(offsetOf(page), offsetOf(page) + page.size), page, found.length);
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
