import { describe, expect, it } from "vitest";
import { parseMoney } from "../../../src/contract/money.ts";
import { autoModel } from "../../../src/service/providers/auto-model.ts";
import { entryOf, pricesOf } from "../../../src/service/providers/families.ts";
import { chosenEntries, entriesOf } from "../../../src/service/providers/listing.ts";

describe("what a model's name tells", () => {
  it.each([
    // id, size, reasons, version, maker
    ["gpt-5.4", "balanced", true, "5.4", "OpenAI"],
    ["gpt-5-mini-2025-08-07", "fast", true, "5", "OpenAI"],
    ["gpt-4o", "balanced", false, "4", "OpenAI"],
    ["gpt-5-chat-latest", "balanced", false, "5", "OpenAI"],
    ["o3", "balanced", true, "3", "OpenAI"],
    ["claude-opus-4-5-20251101", "powerful", true, "4.5", "Anthropic"],
    ["claude-3-haiku-20240307", "fast", false, "3", "Anthropic"],
    ["claude-sonnet-5", "balanced", true, "5", "Anthropic"],
    ["gemini-2.5-flash", "fast", true, "2.5", "Google"],
    ["gemini-2.5-pro", "powerful", true, "2.5", "Google"],
    ["llama3.2:3b", "fast", false, "3.2", "Meta"],
    ["meta-llama/Llama-3.1-405B-Instruct", "powerful", false, "3.1", "Meta"],
    ["openai/gpt-oss-120b", "powerful", true, "", "OpenAI"],
    ["my-own-model", "balanced", false, "", "somewhere"],
  ])("%s", (id, size, reasons, version, maker) => {
    const entry = entryOf("somewhere", { id });
    expect(entry).toMatchObject({ tags: [size], thinking_model: reasons, version, powered_by: maker, key: `somewhere:${id}` });
    expect(entry.reasoning_efforts.includes(entry.default_reasoning_effort)).toBe(reasons);
  });

  it("prices are decimal strings, and rise with the size", () => {
    const prices = (["fast", "balanced", "powerful", "premium"] as const).map((size) => pricesOf(size));
    for (const field of ["credit_cost_per_input_token", "credit_cost_per_output_token"] as const) {
      const amounts = prices.map((price) => parseMoney(price[field])?.toNumber() ?? 0);
      expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
      expect(amounts[0]).toBeGreaterThan(0);
      expect(prices.every((price) => /^0\.\d+$/.test(price[field]))).toBe(true);
    }
  });
});

describe("a provider's list", () => {
  const listed = [
    "gpt-4o",
    "gpt-4o-2024-08-06",
    "text-embedding-3-large",
    "gpt-5-pro",
    "gpt-5-mini",
    "gpt-image-1",
    "gpt-5",
    "whisper-1",
    "gpt-4-0125-preview",
    "gpt-4o-realtime-preview",
  ].map((id) => ({ id }));

  it("becomes the chat models, newest first, without dated twins, one of them the flagship", () => {
    const entries = entriesOf("openai", listed);
    expect(entries.map(({ key }) => key.slice("openai:".length))).toEqual([
      "gpt-5",
      "gpt-5-pro",
      "gpt-5-mini",
      "gpt-4o",
      "gpt-4-0125-preview",
    ]);
    expect(entries.filter(({ flagship }) => flagship).map(({ key }) => key)).toEqual(["openai:gpt-5"]);
  });

  it("keeps the order and the names that an operator gave", () => {
    expect(chosenEntries("openai", ["gpt-4o", "my-embedder", "gpt-5"]).map(({ key }) => key)).toEqual([
      "openai:gpt-4o",
      "openai:my-embedder",
      "openai:gpt-5",
    ]);
  });
});

describe("the automatic choice", () => {
  const entries = entriesOf(
    "p",
    ["claude-opus-4-5", "claude-sonnet-4-5", "claude-haiku-4-5", "claude-opus-4-1"].map((id) => ({ id })),
  );

  it.each([
    ["best", "p:claude-opus-4-5"],
    ["balanced", "p:claude-sonnet-4-5"],
    ["fastest", "p:claude-haiku-4-5"],
  ] as const)("%s is %s", (type, key) => {
    expect(autoModel(type, entries)?.key).toBe(key);
  });

  it("takes the nearest size where the wanted one is missing", () => {
    const [only] = entries.filter(({ tags }) => tags.includes("fast"));
    expect(only).toBeDefined();
    for (const type of ["best", "balanced", "fastest"] as const)
      expect(autoModel(type, only === undefined ? [] : [only])).toBe(only);
  });

  it("never takes a deprecated model, and a premium one only when there is no other", () => {
    const pro = entryOf("openai", { id: "gpt-5-pro" });
    const mini = entryOf("openai", { id: "gpt-5-mini" });
    expect(autoModel("best", [pro, mini])).toBe(mini);
    expect(autoModel("best", [pro])).toBe(pro);
    expect(autoModel("best", [{ ...mini, deprecated: true }])).toBeUndefined();
  });
});
