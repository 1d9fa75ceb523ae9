/** The environment: what is read, what is refused, and that a refusal repeats no secret. */
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { isLoopback, readConfig } from "../src/config.ts";
import { Fault } from "../src/errors.ts";

const refusal = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Fault);
    expect((thrown as Fault).code).toBe("config");
    return (thrown as Fault).message;
  }
  throw new Error("expected a refusal");
};
const ownerKey = `PARLEY-API-${"a1B2".repeat(16)}`;

describe("what is read", () => {
  test("an empty environment gives the embedded workspace on loopback, frozen", () => {
    const config = readConfig({});
    expect(config).toEqual({
      dataDir: resolve("data"),
      host: "127.0.0.1",
      port: 3000,
      logLevel: "info",
      workspace: null,
      ownerKey: null,
      encryptionKey: null,
      consoleToken: null,
      workspacePublic: false,
      metricsToken: null,
      slack: null,
      discord: null,
      models: { openaiApiKey: null, openaiBaseUrl: null, openaiModels: [], anthropicApiKey: null, googleApiKey: null },
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test("a blank value is none", () => {
    expect(readConfig({ PORT: " ", HOST: "", CONSOLE_TOKEN: "  ", WORKSPACE_BASE_URL: "" })).toEqual(readConfig({}));
  });

  test("a hosted workspace takes its address and key", () => {
    const { workspace, ownerKey: owner } = readConfig({
      WORKSPACE_BASE_URL: "https://workspace.example/api/v1/",
      WORKSPACE_API_KEY: "any form of key",
    });
    expect(workspace).toEqual({ baseUrl: "https://workspace.example/api/v1", apiKey: "any form of key" });
    expect(owner).toBeNull();
  });

  test("with the embedded workspace the key is the owner's", () => {
    expect(readConfig({ WORKSPACE_API_KEY: ownerKey })).toMatchObject({ workspace: null, ownerKey });
  });

  test("model names are separated by commas, with or without blanks", () => {
    expect(readConfig({ OPENAI_MODELS: " one, two,,three " }).models.openaiModels).toEqual(["one", "two", "three"]);
  });

  test("an encryption key is 32 bytes", () => {
    const bytes = Buffer.alloc(32, 7);
    expect(readConfig({ PARLEY_ENCRYPTION_KEY: bytes.toString("base64") }).encryptionKey).toEqual(new Uint8Array(bytes));
  });
});

describe("what is refused", () => {
  test.for([
    ["PORT", "70000", "a whole number from 0 to 65535"],
    ["PORT", "3000.5", "a whole number from 0 to 65535"],
    ["PORT", "-1", "a whole number from 0 to 65535"],
    ["LOG_LEVEL", "loud", "one of trace, debug, info, warn, error, silent"],
    ["WORKSPACE_API_KEY", "sk-short", "PARLEY-API- and 64 letters or digits"],
    ["PARLEY_ENCRYPTION_KEY", "c2hvcnQ=", "32 bytes in base64"],
    ["OPENAI_BASE_URL", "localhost:11434", "an http or https address"],
    ["OPENAI_BASE_URL", "file:///etc/passwd", "an http or https address"],
    ["WORKSPACE_PUBLIC", "yes", "0 or 1"],
  ] as const)("%s=%s", ([name, value, expected]) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(`${name}: expected ${expected}, got `);
    expect(message.split("\n")).toHaveLength(2);
  });

  test("a hosted workspace without a key, or with an address that is not its REST root", () => {
    expect(refusal({ WORKSPACE_BASE_URL: "https://workspace.example/api/v1" })).toMatch(/WORKSPACE_API_KEY: expected a key/);
    expect(refusal({ WORKSPACE_BASE_URL: "https://workspace.example", WORKSPACE_API_KEY: "k" })).toMatch(
      /path ends in \/api\/v1/,
    );
  });

  test("every problem is told at once", () => {
    const message = refusal({
      PORT: "x",
      LOG_LEVEL: "x",
      OPENAI_BASE_URL: "x",
      WORKSPACE_PUBLIC: "x",
      PARLEY_ENCRYPTION_KEY: "x",
    });
    expect(
      message
        .split("\n")
        .slice(1)
        .map((line) => line.trim().split(":")[0]),
    ).toEqual(["PORT", "LOG_LEVEL", "PARLEY_ENCRYPTION_KEY", "OPENAI_BASE_URL", "WORKSPACE_PUBLIC"]);
  });

  test("no secret is repeated", () => {
    const message = refusal({
      WORKSPACE_API_KEY: "canary-key",
      PARLEY_ENCRYPTION_KEY: "canary+encryption",
      OPENAI_API_KEY: "canary-openai",
      ANTHROPIC_API_KEY: "canary-anthropic",
      GOOGLE_GENERATIVE_AI_API_KEY: "canary-google",
      CONSOLE_TOKEN: "canary-console",
      METRICS_TOKEN: "canary-metrics",
      OPENAI_BASE_URL: "ftp://canary-user:canary-password@models.example/v1",
    });
    expect(message).not.toContain("canary");
    expect(message).toContain("models.example");
    const hosted = refusal({ WORKSPACE_BASE_URL: "https://canary:canary@workspace.example/", WORKSPACE_API_KEY: "canary" });
    expect(hosted).not.toContain("canary");
  });
});

test("loopback is what only this machine reaches", () => {
  expect(["localhost", "127.0.0.1", "127.9.9.9", "::1"].filter((host) => !isLoopback(host))).toEqual([]);
  const others = ["0.0.0.0", "::", "10.0.0.1", "localhost.example", "127.0.0.1.example", "1127.0.0.1", ""];
  expect(others.filter(isLoopback)).toEqual([]);
});
