/** Keys, credits and rules from the command line, beside a running server: what is changed counts from the next request on. */
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keys, keysUsage } from "../../src/cli/keys.ts";
import { quota } from "../../src/cli/quota.ts";
import { rules } from "../../src/cli/rules.ts";
import { agents, projects } from "../../src/cli/sharing.ts";
import { createClient, type Client } from "../../src/client/index.ts";
import { readConfig } from "../../src/config.ts";
import { newFolder, parley, serve } from "./parley.ts";

const clients: Client[] = [];
const client = (url: string, apiKey: string): Client => {
  const made = createClient({ baseUrl: `${url}/api/v1`, apiKey });
  clients.push(made);
  return made;
};
const closeClients = (): Promise<unknown> => Promise.all(clients.splice(0).map((one) => one.close()));
const keyForm = /^PARLEY-API-[A-Za-z0-9]{64}$/;

describe("beside a running server", () => {
  test("a key is made, may what it may, is given more, and is revoked", async ({ onTestFinished }) => {
    onTestFinished(async () => void (await closeClients()));
    const folder = await newFolder();
    const { url, log, stop } = await serve(folder);

    const made = await parley(["keys", "create", "--name", "reader", "--permissions", "ai_models_get"], folder);
    expect(made).toMatchObject({ code: 0, err: "" });
    const key = made.out.trim();
    expect(key).toMatch(keyForm);
    const reader = client(url, key);
    expect((await reader.models.list()).length).toBeGreaterThan(0);
    await expect(reader.conversations.list()).rejects.toMatchObject({ kind: "forbidden" });

    const listed = await parley(["keys", "list"], folder);
    const rows = listed.out.trim().split("\n");
    expect(rows[0]).toMatch(/^ID +NAME +USER +KEY +STATE +PERMISSIONS$/);
    expect(rows[1]).toMatch(/^1 +Parley +owner +….{4} +live +all$/);
    expect(rows[2]).toBe(rows[2]?.replace(/^(\d+) .*/, `$1   reader  owner  …${key.slice(-4)}  live   ai_models_get`));
    expect(listed.out).not.toContain(key);

    const id = rows[2]?.split(" ")[0] ?? "";
    expect(await parley(["keys", "allow", id, "--permissions", "ai_models_get,conversations_get"], folder)).toMatchObject({
      code: 0,
    });
    expect((await reader.conversations.list()).items).toEqual([]);

    expect(await parley(["keys", "revoke", id], folder)).toMatchObject({ code: 0, out: `Key ${id} is revoked.\n` });
    await expect(reader.models.list()).rejects.toMatchObject({ kind: "unauthorized" });
    expect((await parley(["keys", "revoke", id], folder)).err).toBe(`there is no live key ${id}\n`);
    expect(log()).not.toContain(key);
    expect(await stop()).toMatchObject({ code: 0 });
  });

  test("credits and rules count from the next request on", async ({ onTestFinished }) => {
    onTestFinished(async () => void (await closeClients()));
    const folder = await newFolder();
    const { url } = await serve(folder);
    const key = (await parley(["keys", "create", "--name", "me", "--permissions", "all"], folder)).out.trim();
    const me = client(url, key);
    const model = (await me.models.list())[0]?.ID ?? 0;

    const set = await parley(["quota", "set", "--limit", "12.5", "--used", "12.5"], folder);
    expect(set.out).toBe("account  owner: active\ncredits  12.5 used of 12.5\n");
    await expect(me.run("hello", { modelId: model })).rejects.toMatchObject({ kind: "quota", reason: "credit_count" });
    const reason = await parley(["quota", "set", "--limit", "none", "--reason", "trial_expired"], folder);
    expect(reason.out).toContain("refused  all paid work, with reason trial_expired");
    await expect(me.run("hello", { modelId: model })).rejects.toMatchObject({ kind: "quota", reason: "trial_expired" });
    await parley(["quota", "set", "--reason", "none", "--active", "no"], folder);
    await expect(me.models.list()).rejects.toMatchObject({ kind: "forbidden", message: "this account is not active" });
    await parley(["quota", "set", "--active", "yes", "--region", "blocked"], folder);
    await expect(me.models.list()).rejects.toMatchObject({ kind: "forbidden" });
    await parley(["quota", "set", "--region", "allowed"], folder);

    expect((await parley(["rules", "set", "deniedModels", '["offline:parley"]'], folder)).out).toMatch(
      /^deniedModels +\["offline:parley"\]$/m,
    );
    const denied = (await me.models.list()).find((one) => one.ID === model);
    expect(denied).toMatchObject({ selectable: false });
    await parley(["rules", "set", "sensitivePatterns", '["\\\\bcanary\\\\b"]'], folder);
    await expect(me.run("a canary sings", { modelId: model })).rejects.toMatchObject({ blockCode: "SENSITIVE_DATA_BLOCKED" });
  });
});

/** Runs a command in this process, which is quicker; `main.ts` adds only the ways out. */
async function inProcess(folder: string, [command = "", ...args]: readonly string[], env = {}): Promise<string> {
  const lines: string[] = [];
  const run = { keys, quota, rules, agents, projects }[command];
  await run?.(args, { config: readConfig({ PARLEY_DATA: folder, ...env }) }, { line: (text) => void lines.push(text) });
  return lines.join("\n");
}
/** The message of the fault that a command ends with. */
const refused = async (folder: string, args: readonly string[], env = {}): Promise<string> => {
  try {
    return `expected a refusal, got: ${await inProcess(folder, args, env)}`;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
};

test("agents and projects are shared, pinned and instructed beside a running server", async ({ onTestFinished }) => {
  onTestFinished(async () => void (await closeClients()));
  const folder = await newFolder();
  const { url } = await serve(folder);
  const keyOf = async (...user: string[]): Promise<string> =>
    inProcess(folder, ["keys", "create", "--name", "k", "--permissions", "all", ...user]);
  const owner = client(url, await keyOf());
  const ada = client(url, await keyOf("--user", "ada"));
  expect(await ada.agents.list()).toMatchObject({ items: [] });
  const listed = await inProcess(folder, ["agents", "list"]);
  expect(listed).toMatch(/^1 +@librarian /m);
  await inProcess(folder, ["agents", "share", "1", "--with", "ada"]);
  expect(await ada.agents.list()).toMatchObject({ items: [{ tag: "librarian" }] });

  const { ID } = await owner.projects.create({ name: "Orchard" });
  await expect(ada.projects.get(ID)).rejects.toMatchObject({ kind: "forbidden" });
  await inProcess(folder, ["projects", "share", String(ID), "--with", "workspace"]);
  await inProcess(folder, ["projects", "instructions", String(ID), "Answer", "briefly."]);
  await inProcess(folder, ["projects", "pin", String(ID)]);
  expect(await ada.projects.get(ID)).toMatchObject({ name: "Orchard" });
  expect(await owner.projects.pinned()).toMatchObject([{ ID }]);
  expect(await inProcess(folder, ["projects", "list"])).toMatch(/Orchard +yes$/m);
});

describe("what is not understood is told, and changes nothing", () => {
  test.for([
    [["keys"], "keys create --name NAME"],
    [["keys", "frobnicate"], "got: keys frobnicate"],
    [["keys", "create", "--permissions", "all"], "expected --name"],
    [["keys", "create", "--name", "x"], "expected --permissions with names separated by commas, or all"],
    [["keys", "revoke", "one"], "expected a key's number, as keys list shows it, got one"],
    [["keys", "list", "--loud"], "Unknown option '--loud'"],
    [["quota", "double"], "got: quota double"],
    [["quota", "set", "--active", "maybe"], "--active: expected yes or no, got maybe"],
    [["quota", "set", "--reason", "greed"], "--reason: expected one of credit_count"],
    [["quota", "--limit", "5"], "quota shows, and changes nothing: for a change write quota set"],
    [["rules", "unset"], "got: rules unset"],
    [["agents", "frobnicate"], "got: agents frobnicate"],
    [["projects"], "projects instructions ID TEXT"],
  ] as const)("%s", async ([args, told]) => {
    const folder = join(await newFolder(), "data");
    expect(await refused(folder, args)).toContain(told);
    expect(existsSync(folder)).toBe(false);
  });

  test.for([
    [["keys", "create", "--name", "x", "--permissions", "agents_get,flying"], "flying"],
    [["keys", "create", "--name", "x", "--permissions", "ai_models_manage"], "restricted"],
    [["keys", "revoke", "77"], "there is no live key 77"],
    [["quota", "--user", "nobody"], "got nobody"],
    [["quota", "set", "--limit", "a lot"], "got a lot"],
    [["quota", "set", "--used=-1"], "expected credits as a decimal number from 0"],
    [["rules", "set", "sensitivePatterns", '["("]'], "expected a regular expression, got ("],
    [["rules", "set", "euInference", '"yes"'], "euInference"],
    [["rules", "set", "euInference", "{"], "euInference"],
    [["agents", "share", "one", "--with", "workspace"], "expected an agent as a number, got one"],
    [["agents", "share", "7"], "expected --with and the name of a user, or workspace"],
    [["agents", "share", "7", "--with", "workspace"], "7"],
    [["projects", "pin", "7"], "7"],
    [["projects", "share", "7", "--with", "workspace", "--may", "everything"], "--may: expected prompts, files and project"],
    [["rules", "set", "nonsense", "1"], "with NAME one of deniedModels"],
  ] as const)("%s", async ([args, told]) => {
    const folder = await newFolder();
    const before = [
      await inProcess(folder, ["quota"]),
      await inProcess(folder, ["rules"]),
      await inProcess(folder, ["keys", "list"]),
    ];
    expect(await refused(folder, args)).toContain(told);
    const after = [
      await inProcess(folder, ["quota"]),
      await inProcess(folder, ["rules"]),
      await inProcess(folder, ["keys", "list"]),
    ];
    expect(after).toEqual(before);
  });
});

test("a key of another user has that user's account", async () => {
  const folder = await newFolder();
  const made = await inProcess(folder, ["keys", "create", "--name", "hers", "--permissions", "all", "--user", "ada"]);
  expect(made).toMatch(keyForm);
  await inProcess(folder, ["quota", "set", "--user", "ada", "--limit", "5"]);
  expect(await inProcess(folder, ["quota", "--user", "ada"])).toBe("account  ada: active\ncredits  0 used of 5");
  expect(await inProcess(folder, ["quota"])).toContain("no limit");
});

test("a hosted workspace is managed where it is", async () => {
  const hosted = { WORKSPACE_BASE_URL: "http://127.0.0.1:9/api/v1", WORKSPACE_API_KEY: "k" };
  expect(await refused(await newFolder(), ["keys", "list"], hosted)).toContain("managed there, not here");
});

test("a command that does not exist ends with 1 and what to do, without a trace", async () => {
  const { code, out, err } = await parley(["frobnicate"], await newFolder());
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe("there is no command frobnicate. npm run parley -- help shows all there are.\n");
});

test("what is wrong with the configuration is told in full, without a trace", async () => {
  const { code, err } = await parley(["start"], await newFolder(), { PORT: "x", LOG_LEVEL: "loud" });
  expect(code).toBe(1);
  expect(err.split("\n")).toHaveLength(4);
  expect(err).toContain("PORT: expected");
  expect(err).toContain("LOG_LEVEL: expected");
});

test("a file .env is read, and the environment wins over it", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, ".env"), "LOG_LEVEL=from-the-file\nWORKSPACE_PUBLIC=also-from-the-file\n");
  const { err } = await parley(["doctor"], folder, { WORKSPACE_PUBLIC: "from-the-environment" });
  expect(err).toContain('got "from-the-file"');
  expect(err).toContain('got "from-the-environment"');
});

test("help needs no configuration and lists the commands", async () => {
  const folder = await newFolder();
  const { code, out } = await parley(["help"], folder, { PORT: "not a port" });
  expect(code).toBe(0);
  for (const line of keysUsage) expect(out).toContain(line);
});

test.each(["start", "workspace", "doctor", "audit", "backup", "keys", "move-store", "rules"])(
  "%s --help shows its own lines, and does nothing else",
  async (command) => {
    const folder = await newFolder();
    const { code, out } = await parley([command, "--help"], folder, { PORT: "not a port" });
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^  ${command} `, "m"));
    expect(out).not.toMatch(/^  quota/m);
    expect(await readdir(folder)).toEqual([]);
  },
);

test("help of a command that does not exist, and words that a command does not take, are told", async () => {
  const folder = await newFolder();
  expect((await parley(["frobnicate", "--help"], folder)).err).toContain("there is no command frobnicate");
  const { code, err } = await parley(["start", "now"], folder);
  expect({ code, err }).toEqual({ code: 1, err: "start takes nothing else, got: now\n" });
  expect(await readdir(folder)).toEqual([]);
});
