import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CatalogueEntry } from "../../src/service/providers/port.ts";
import { guardText, readRules, residencyRestriction, restrictionOf, writeRules, type Rules } from "../../src/service/rules.ts";
import { openDatabase, type TestDatabase } from "./database.ts";

const none: Rules = {
  deniedModels: [],
  allowedModels: null,
  providers: null,
  euInference: false,
  zeroRetention: false,
  residencyTags: {},
  sensitivePatterns: [],
};
const model = (residency: CatalogueEntry["residency"] = [], available = true) => ({
  entry: { key: "acme:one", residency },
  available,
});

describe("data residency", () => {
  test.for<[string, Partial<Rules>, ReturnType<typeof model>, string | undefined]>([
    ["nothing is demanded", {}, model(), undefined],
    ["EU is demanded and given", { euInference: true }, model(["eu"]), undefined],
    ["EU is demanded and missing", { euInference: true }, model(["zero_retention"]), "EU_INFERENCE_REQUIRED"],
    ["no retention is demanded and missing", { zeroRetention: true }, model(["eu"]), "ZERO_RETENTION_REQUIRED"],
    ["both are demanded and one is given", { euInference: true, zeroRetention: true }, model(["eu"]), "ZERO_RETENTION_REQUIRED"],
    ["both are demanded and missing", { euInference: true, zeroRetention: true }, model(), "NO_ENDPOINT_AVAILABLE"],
    ["nobody offers the model any more", {}, model([], false), "NO_ENDPOINT_AVAILABLE"],
    ["its provider is not assigned", { providers: ["other"] }, model(["eu"]), "NO_PROVIDER_ASSIGNED"],
    ["its provider is assigned", { providers: ["acme"] }, model(), undefined],
    [
      "the operator's tags replace the catalogue's",
      { euInference: true, residencyTags: { "acme:one": ["eu"] } },
      model(),
      undefined,
    ],
    [
      "the operator took the tags away",
      { euInference: true, residencyTags: { "acme:one": [] } },
      model(["eu"]),
      "EU_INFERENCE_REQUIRED",
    ],
  ])("%s", ([, rules, ruled, code]) => {
    expect(residencyRestriction({ ...none, ...rules }, ruled)?.code).toBe(code);
  });
});

test("model access is by list: denied wins over allowed, and has no code", () => {
  expect(restrictionOf({ ...none, allowedModels: ["acme:one"] }, model())).toBeUndefined();
  expect(restrictionOf({ ...none, allowedModels: [] }, model())?.text).toContain("restricted");
  const both = restrictionOf({ ...none, allowedModels: ["acme:one"], deniedModels: ["acme:one"] }, model());
  expect(both).toEqual({ text: "this model has been restricted by your organization" });
});

describe("stored rules", () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openDatabase();
  });
  afterEach(() => database.close());

  test("a new workspace has no rule; a change keeps the others", async () => {
    const { db } = database.ctx;
    expect(await readRules(db)).toEqual(none);
    await writeRules(db, { euInference: true, deniedModels: ["a:b"] });
    await writeRules(db, { deniedModels: [] });
    expect(await readRules(db)).toEqual({ ...none, euInference: true });
  });

  test("what is not a rule changes nothing", async () => {
    const { db } = database.ctx;
    await expect(writeRules(db, { zeroRetention: true, sensitivePatterns: ["fine", "(unclosed"] })).rejects.toThrow("(unclosed");
    await expect(writeRules(db, { deniedModels: "all" } as unknown as Partial<Rules>)).rejects.toThrow(RangeError);
    expect(await readRules(db)).toEqual(none);
  });

  test("a pattern blocks text in any case, anywhere in it", async () => {
    const { ctx } = database;
    await writeRules(ctx.db, { sensitivePatterns: ["project falcon", String.raw`\b\d{4}-\d{4}\b`] });
    const blocked = { status: 400, body: { error_code: "SENSITIVE_DATA_BLOCKED" } };
    await expect(guardText(ctx, "about\nProject FALCON, please", "error_code")).rejects.toMatchObject(blocked);
    await expect(guardText(ctx, "1234-5678", "code")).rejects.toMatchObject({ body: { code: "SENSITIVE_DATA_BLOCKED" } });
    await expect(guardText(ctx, "a falcon", "code")).resolves.toBeUndefined();
  });
});
