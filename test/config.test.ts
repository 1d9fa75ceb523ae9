/** The environment: what is read, what is refused, and that a refusal repeats no secret. */
import { Decimal } from "decimal.js";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { isLoopback, readConfig, secretNames } from "../src/config.ts";
import { Fault } from "../src/errors.ts";

const refusal = (env: Record<string, string>, readFile?: (path: string) => string): string => {
  try {
    readConfig(env, readFile);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Fault);
    expect((thrown as Fault).code).toBe("config");
    return (thrown as Fault).message;
  }
  throw new Error("expected a refusal");
};
const ownerKey = `PARLEY-API-${"a1B2".repeat(16)}`;

describe("what is read", () => {
  test("a database for several replicas, with what they share beside it", () => {
    const shared = {
      WORKSPACE_BASE_URL: "https://workspace.example/api/v1",
      WORKSPACE_API_KEY: "k",
      PARLEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
    };
    const url = "postgres://ann:very-secret@db/parley";
    expect(readConfig({ DATABASE_URL: url, ...shared }).databaseUrl).toBe(url);
    const alone = refusal({ DATABASE_URL: url });
    expect(alone).toContain("DATABASE_URL: expected WORKSPACE_BASE_URL beside it");
    expect(alone).toContain("DATABASE_URL: expected PARLEY_ENCRYPTION_KEY beside it");
    const other = refusal({ DATABASE_URL: "mysql://ann:very-secret@db/parley", ...shared });
    expect(other).toContain("DATABASE_URL: expected an address as postgres://");
    expect(alone + other).not.toContain("very-secret");
  });

  test("an empty environment gives the embedded workspace on loopback, frozen", () => {
    const config = readConfig({});
    expect(config).toEqual({
      dataDir: resolve("data"),
      databaseUrl: null,
      host: "127.0.0.1",
      port: 3000,
      logLevel: "info",
      workspace: null,
      ownerKey: null,
      sharedKey: "all",
      threadFollowUps: "everybody",
      encryptionKey: null,
      formerKeys: [],
      consoleToken: null,
      workspacePublic: false,
      media: { askAbove: new Decimal(10) },
      metricsToken: null,
      allowances: { personTurns: null, channelTurns: null, personCredits: null, channelCredits: null },
      keeping: { auditFile: null, auditDays: 365, retentionDays: 90 },
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
    expect(workspace).toEqual({ baseUrl: "https://workspace.example/api/v1", mcpUrl: null, apiKey: "any form of key" });
    expect(owner).toBeNull();
  });

  test("and its tool server's address, where that is not beside", () => {
    const { workspace } = readConfig({
      WORKSPACE_BASE_URL: "https://workspace.example/api/v1",
      WORKSPACE_MCP_URL: "https://tools.example/mcp/",
      WORKSPACE_API_KEY: "k",
    });
    expect(workspace?.mcpUrl).toBe("https://tools.example/mcp/");
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
    ["LIMIT_PERSON_TURNS", "0", "a whole number of turns, 1 or more"],
    ["LIMIT_CHANNEL_CREDITS", "-1", "a number of credits, as 5 or 0.25"],
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

  test("a tool server without its slash, or without a workspace that it belongs to", () => {
    const hosted = { WORKSPACE_BASE_URL: "https://workspace.example/api/v1", WORKSPACE_API_KEY: "k" };
    expect(refusal({ ...hosted, WORKSPACE_MCP_URL: "https://workspace.example/mcp" })).toMatch(/path ends in \/mcp\//);
    expect(refusal({ ...hosted, WORKSPACE_MCP_URL: "workspace.example/mcp/" })).toMatch(/an http or https address/);
    expect(refusal({ WORKSPACE_MCP_URL: "https://workspace.example/mcp/" })).toMatch(/expected WORKSPACE_BASE_URL beside it/);
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
    ).toEqual(["PORT", "LOG_LEVEL", "PARLEY_ENCRYPTION_KEY", "WORKSPACE_PUBLIC", "OPENAI_BASE_URL"]);
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

describe("secrets in files", () => {
  const files: Record<string, string> = { "/run/secrets/console": " from-a-file\n", "/run/secrets/blank": " \n" };
  const read = (path: string): string => {
    const text = files[path];
    if (text === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    return text;
  };

  test("each may be in a file, without the blanks around it", () => {
    for (const name of ["CONSOLE_TOKEN", "METRICS_TOKEN"]) expect(secretNames).toContain(name);
    expect(readConfig({ CONSOLE_TOKEN_FILE: "/run/secrets/console" }, read).consoleToken).toBe("from-a-file");
    for (const name of secretNames) {
      const message = refusal({ [`${name}_FILE`]: "/run/secrets/none" }, read);
      expect(message).toContain(
        `${name}_FILE: expected a file with the secret in it, got /run/secrets/none, which cannot be read (ENOENT)`,
      );
      expect(message.split("\n").filter((line) => line.includes("_FILE: "))).toHaveLength(1);
    }
  });

  test("not both in the environment and in a file, and not in an empty one; no secret is repeated", () => {
    const both = refusal({ CONSOLE_TOKEN: "very-secret", CONSOLE_TOKEN_FILE: "/run/secrets/console" }, read);
    expect(both).toContain("CONSOLE_TOKEN: expected either CONSOLE_TOKEN or CONSOLE_TOKEN_FILE, got both");
    expect(both).not.toMatch(/very-secret|from-a-file/);
    expect(refusal({ METRICS_TOKEN_FILE: "/run/secrets/blank" }, read)).toContain("/run/secrets/blank, which is empty");
  });

  test("a variable that is no secret has no file", () => {
    expect(readConfig({ HOST_FILE: "/run/secrets/none" }, read).host).toBe("127.0.0.1");
  });
});
