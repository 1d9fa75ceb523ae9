import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/clock.ts";
import { configuredProviders, type ProviderConfig } from "../../../src/service/providers/configured.ts";
import { asking, hear, never } from "./requests.ts";

const nothing: ProviderConfig = {
  openaiApiKey: null,
  openaiBaseUrl: null,
  openaiModels: [],
  anthropicApiKey: null,
  googleApiKey: null,
};
const named = (config: Partial<ProviderConfig>): string[] =>
  configuredProviders({ ...nothing, ...config }, systemClock).map(({ name }) => name);

describe("the configured providers", () => {
  it("are the offline model alone when nothing is configured", () => {
    expect(named({})).toEqual(["offline"]);
  });

  it("are all that have a key, without the offline model", () => {
    expect(named({ openaiApiKey: "a", anthropicApiKey: "b", googleApiKey: "c" })).toEqual(["openai", "anthropic", "google"]);
  });

  it("need no key beside a base URL, and give the key to that server", () => {
    expect(named({ openaiBaseUrl: "http://127.0.0.1:11434/v1" })).toEqual(["openai-compatible"]);
    expect(named({ openaiBaseUrl: "http://127.0.0.1:11434/v1", openaiApiKey: "a" })).toEqual(["openai-compatible"]);
  });

  it("have keys that begin with the provider's name", async () => {
    const [offline] = configuredProviders({ ...nothing, offlinePace: 1e6 }, systemClock);
    const entries = (await offline?.catalogue(never)) ?? [];
    expect(entries.map(({ key }) => key.split(":")[0])).toEqual(entries.map(() => "offline"));
    expect(offline && (await hear(offline, asking("Hello"))).text).toContain("No language model is connected");
  });
});

describe("what is imported", () => {
  const source = new URL("../../../src/", import.meta.url).href;

  /** Runs a question in a process of its own. Lists the packages that it loaded before and after asking. */
  async function packagesOf(config: ProviderConfig, modelKey: string): Promise<{ before: string[]; after: string[] }> {
    const program = `
      import { registerHooks } from "node:module";
      const loaded = new Set();
      registerHooks({
        resolve(specifier, context, next) {
          const result = next(specifier, context);
          const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(result.url)?.[1];
          if (name !== undefined) loaded.add(name);
          return result;
        },
      });
      const { configuredProviders } = await import(${JSON.stringify(`${source}service/providers/configured.ts`)});
      const { systemClock } = await import(${JSON.stringify(`${source}clock.ts`)});
      const [provider] = configuredProviders(${JSON.stringify(config)}, systemClock);
      const before = [...loaded];
      const request = ${JSON.stringify(asking("Hello", { modelKey }))};
      try {
        for await (const event of provider.run(request, new AbortController().signal)) void event;
      } catch (thrown) {
        if (thrown.code !== "provider_unreachable" && thrown.code !== "provider_lost") throw thrown;
      }
      console.log(JSON.stringify({ before, after: [...loaded] }));
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
    return JSON.parse(stdout) as { before: string[]; after: string[] };
  }

  it("is no SDK for the offline model, even when it answers", async () => {
    const { after } = await packagesOf({ ...nothing, offlinePace: 1e6 }, "offline:parley");
    expect(after.filter((name) => name === "ai" || name.startsWith("@ai-sdk/"))).toEqual([]);
  });

  it("is a provider's SDK at its first question only, and no other provider's", async () => {
    // Port 9 (discard) refuses, or is refused by fetch itself: no answer is needed here.
    const config = { ...nothing, openaiBaseUrl: "http://127.0.0.1:9/v1", anthropicApiKey: "a" };
    const { before, after } = await packagesOf(config, "openai-compatible:m");
    expect(before.filter((name) => name === "ai" || name.startsWith("@ai-sdk/"))).toEqual([]);
    expect(after).toEqual(expect.arrayContaining(["ai", "@ai-sdk/openai-compatible"]));
    expect(after).not.toContain("@ai-sdk/anthropic");
  });
});
