/** The doctor: what it finds, that it says what to do, and that it changes nothing. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { doctor } from "../../src/cli/doctor.ts";
import { readConfig } from "../../src/config.ts";
import { newFolder, parley, serve, type Environment } from "./parley.ts";

async function examine(folder: string, env: Environment = {}): Promise<{ sound: boolean; lines: string[]; toFix: string[] }> {
  const lines: string[] = [];
  const sound = await doctor(readConfig({ PARLEY_DATA: folder, PORT: "1", ...env }), { line: (text) => void lines.push(text) });
  return { sound, lines, toFix: lines.filter((line) => line.startsWith("FIX ")) };
}

test("before the first start nothing is wrong, and nothing is made", async () => {
  const folder = await newFolder();
  const { sound, lines } = await examine(folder);
  expect(sound).toBe(true);
  expect(lines.every((line) => line.startsWith("ok   "))).toBe(true);
  expect(lines.join("\n")).toContain("only the built-in offline one; set OPENAI_API_KEY");
  expect(await readdir(folder)).toEqual([]);
});

test("beside a running server it sees the workspace, the key and the models; without it, that none is running", async () => {
  const folder = await newFolder();
  const { port, stop } = await serve(folder);
  const { code, out, err } = await parley(["doctor"], folder, { PORT: String(port) });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(`workspace: answers at http://127.0.0.1:${port}/api/v1, and accepts the key`);
  expect(out).toMatch(/models: \d+ can be chosen, such as Parley offline/);
  expect(out).toContain("key: may read conversations");
  expect(out).toContain(`${join(folder, "parley.sqlite")} is sound`);
  await stop();
  const after = await examine(folder, { PORT: String(port) });
  expect(after.sound).toBe(true);
  expect(after.lines.join("\n")).toContain(`embedded; no server is running at http://127.0.0.1:${port}/api/v1`);
});

test("rules that leave no model, and a key that may not read, are to be fixed", async () => {
  const folder = await newFolder();
  const { url, port } = await serve(folder);
  await parley(["rules", "set", "allowedModels", "[]"], folder);
  const ruled = await examine(folder, { PORT: String(port) });
  expect(ruled.sound).toBe(false);
  expect(ruled.toFix).toEqual([expect.stringContaining("models: none can be chosen")]);
  await parley(["rules", "set", "allowedModels", "null"], folder);

  const held = "ai_models_get,conversations_manage";
  const key = (await parley(["keys", "create", "--name", "half", "--permissions", held], folder)).out.trim();
  const hosted = { WORKSPACE_BASE_URL: `${url}/api/v1`, WORKSPACE_API_KEY: key };
  expect((await examine(await newFolder(), hosted)).toFix).toEqual([expect.stringContaining("needs conversations_get")]);
  const wrong = await examine(await newFolder(), { ...hosted, WORKSPACE_API_KEY: "canary" });
  expect(wrong.toFix).toEqual([expect.stringContaining("does not accept the key; set WORKSPACE_API_KEY")]);
  expect(wrong.lines.join("\n")).not.toContain("canary");
});

test("a hosted workspace that is not there is to be fixed", async () => {
  const gone = { WORKSPACE_BASE_URL: "http://127.0.0.1:1/api/v1", WORKSPACE_API_KEY: "k" };
  expect((await examine(await newFolder(), gone)).toFix).toEqual([expect.stringContaining("does not answer as it should")]);
});

test("a server beyond loopback, with its workspace closed, is asked how it is", async () => {
  const folder = await newFolder();
  const { port, stop } = await serve(folder, { HOST: "0.0.0.0" });
  const env = { HOST: "0.0.0.0", PORT: String(port) };
  const running = await examine(folder, env);
  expect(running.toFix).toEqual([]);
  expect(running.lines).toContain("ok   server: its workspace is ready");
  expect(running.lines.join("\n")).toContain("console closed (CONSOLE_TOKEN opens it), workspace closed, metrics closed");
  await stop();
  const after = await examine(folder, env);
  expect(after.sound).toBe(true);
  expect(after.lines.join("\n")).toContain(`no server answers at http://127.0.0.1:${port}`);
});

test("a damaged store is named, with what to do, and the end is not 0", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "parley.sqlite"), "no database ".repeat(100));
  const { code, out } = await parley(["doctor"], folder);
  expect(code).toBe(1);
  expect(out).toContain(`FIX  store: expected a SQLite database at ${join(folder, "parley.sqlite")}`);
  expect(out).toContain("Restore the file from a backup");
});
