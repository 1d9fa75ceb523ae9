/** What an operator does with `npm run parley --` when the key is to be changed, and when the machine is lost: people stay linked. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { newFolder, serve } from "./parley.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** As people type it, in the folder of the project. */
function npmRunParley(
  folder: string,
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly out: string }> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn("npm", ["run", "--silent", "parley", "--", ...args], {
    cwd: root,
    env: { PATH, HOME, PARLEY_DATA: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, out }));
  });
}

interface Whisper {
  readonly document: { readonly actions: ReadonlyArray<{ readonly form?: string }> };
}

/** The console of a server, as its page uses it. */
function page(url: string) {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const sent = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(new URL(`/console/api${path}`, url), { method, ...sent });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  };
  const whispers = async () => ((await ask("GET", "/state")) as { whispers: Whisper[] }).whispers;
  return {
    ask,
    /** Types a command. @returns what it tells */
    async types(text: string): Promise<Whisper> {
      const before = (await whispers()).length;
      await ask("POST", "/messages", { id: randomUUID(), channel: "general", thread: null, text, files: [] });
      for (let tries = 0; tries < 6_000; tries++) {
        const told = (await whispers())[before];
        if (told !== undefined) return told;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error(`nothing was told of ${text}`);
    },
  };
}

const whose = async (url: string): Promise<string> => JSON.stringify((await page(url).types("/whoami")).document);
const keyFile = (folder: string): string => join(folder, "secrets.json");

test("a new encryption key, and a copy on another machine: whoever was linked still is, with the same key", async () => {
  const folder = await newFolder();
  const first = await serve(folder);
  const made = await npmRunParley(folder, "keys", "create", "--name", "ann", "--permissions", "ai_models_get,conversations_get");
  const key = made.out.trim();
  expect(key).toMatch(/-API-\w{64}$/);
  const console = page(first.url);
  const form = (await console.types("/link")).document.actions[0]?.form ?? "none";
  await console.ask("POST", `/forms/${form}`, { id: randomUUID(), values: { key } });
  await expect.poll(() => whose(first.url)).toContain("linked since");

  const [before, after] = [join(await newFolder(), "before"), join(await newFolder(), "after")];
  expect(await npmRunParley(folder, "backup", before)).toMatchObject({ code: 0 });
  await first.stop();
  const secret = await readFile(keyFile(folder), "utf8");
  const rotated = await npmRunParley(folder, "keys", "rotate-encryption");
  expect(rotated).toMatchObject({ code: 0, out: expect.stringContaining("The former key is gone") as string });
  expect(await readFile(keyFile(folder), "utf8")).not.toBe(secret);
  const second = await serve(folder);
  expect(await whose(second.url)).toContain("linked since");
  expect(await npmRunParley(folder, "backup", after)).toMatchObject({ code: 0 });
  await second.stop();
  await rm(folder, { recursive: true });

  for (const copy of [before, after]) {
    const restored = await serve(copy);
    // The workspace is asked with it: a key that had not survived would not be accepted.
    expect(await whose(restored.url)).toMatch(/linked since[^]*may use/);
    await restored.stop();
    const kept = await readFile(join(copy, "parley.sqlite"), "latin1");
    expect(kept.includes(key)).toBe(false);
  }
});
