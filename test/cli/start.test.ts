/** Starting and stopping: what stops a start, what a start leaves alone, and that an end is orderly. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { holdDataFolder, makeDataFolder, readSecrets } from "../../src/data-folder.ts";
import { ask } from "../front/ask.ts";
import { newFolder, parley, serve } from "./parley.ts";

const digest = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

describe("a server", () => {
  test("starts on an empty folder, is ready, and ends with 0 on SIGTERM", async () => {
    const folder = join(await newFolder(), "made", "by", "the", "start");
    const { url, port, stop } = await serve(await newFolder(), { PARLEY_DATA: folder });
    expect(url).toBe(`http://127.0.0.1:${port}`);
    const answer = await ask(port, "/readyz");
    expect(JSON.parse(answer.text)).toEqual({
      status: "ready",
      checks: { console: "ready", store: "ready", workspace: "ready" },
    });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of ["secrets.json", "parley.sqlite", "workspace.sqlite"])
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect(await stop()).toEqual({ code: 0, out: `Parley is ready: ${url}\n`, err: "" });
  });

  test("ends with 0 while a page and a live request are connected", async () => {
    const { port, stop } = await serve(await newFolder());
    const socket = new WebSocket(`ws://127.0.0.1:${port}/console/ws`);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", reject);
    });
    const closed = new Promise((resolve) => socket.addEventListener("close", resolve));
    expect(await stop("SIGINT")).toMatchObject({ code: 0 });
    await closed;
  });

  test("a second one on the same folder is refused and told why; the first goes on, and goes on after a kill", async () => {
    const folder = await newFolder();
    const first = await serve(folder);
    const second = await parley(["start"], folder);
    expect(second).toMatchObject({ code: 1, out: "" });
    expect(second.err).toBe(
      `another Parley server is running on ${folder}. Stop it first, or set PARLEY_DATA to another folder.\n`,
    );
    expect((await parley(["workspace"], folder)).err).toBe(second.err);
    expect((await ask(first.port, "/readyz")).status).toBe(200);
    const secrets = digest(join(folder, "secrets.json"));
    await first.stop("SIGKILL");
    const again = await serve(folder);
    expect((await ask(again.port, "/readyz")).status).toBe(200);
    expect(digest(join(folder, "secrets.json"))).toBe(secrets);
  });

  describe("at rest", () => {
    const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
      scripts: Record<string, string>;
    };
    const flags = scripts["start"]?.split(" ").filter((word) => word.startsWith("--")) ?? [];
    /** In bytes, once the console's page and the state of all parts have been asked for. */
    const resident = async (environment: Record<string, string>): Promise<number> => {
      const { port, stop } = await serve(await newFolder(), environment, "start", undefined, flags);
      expect((await ask(port, "/")).status).toBe(200);
      expect((await ask(port, "/readyz")).status).toBe(200);
      const { text } = await ask(port, "/metrics");
      // Ended in order: what was compiled is written down only then.
      expect(await stop()).toMatchObject({ code: 0 });
      return Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1]);
    };

    test("takes less than 150 MB where it was never started, and 140 MB from the second start on", async () => {
      const compiled = { NODE_COMPILE_CACHE: await newFolder() };
      expect(await resident(compiled)).toBeLessThan(150_000_000);
      expect(await resident(compiled)).toBeLessThan(140_000_000);
    });
  });

  test("serves the embedded workspace alone", async () => {
    const { url, port, stop } = await serve(await newFolder(), {}, "workspace");
    expect(url).toBe(`http://127.0.0.1:${port}/api/v1`);
    expect((await ask(port, "/readyz")).status).toBe(200);
    expect((await ask(port, "/api/v1/ai_model")).status).toBe(401);
    expect((await ask(port, "/")).status).toBe(404);
    expect(await stop()).toMatchObject({ code: 0, err: "" });
  });
});

describe("a damaged database stops the start, is named, and is left as it is", () => {
  const damage: Readonly<Record<string, (path: string) => Promise<void>>> = {
    "another kind of file": (path) => writeFile(path, "this is no database ".repeat(500)),
    "a page overwritten": async (path) => {
      const bytes = readFileSync(path);
      bytes.fill(0xa5, 4096, 3 * 4096);
      await writeFile(path, bytes);
    },
    "its end lost": async (path) => truncate(path, (await stat(path)).size - 3 * 4096),
  };

  let used = "";
  beforeAll(async () => {
    used = await mkdtemp(join(tmpdir(), "parley-used-"));
    const { code } = await (await serve(used)).stop();
    if (code !== 0) throw new Error(`the folder was not left in order: ${code}`);
  });
  afterAll(() => rm(used, { recursive: true }));

  test.for(["parley.sqlite", "workspace.sqlite"].flatMap((file) => Object.keys(damage).map((kind) => [file, kind] as const)))(
    "%s, %s",
    async ([file, kind]) => {
      const folder = await newFolder();
      await cp(used, folder, { recursive: true });
      const path = join(folder, file);
      await damage[kind]?.(path);
      const before = digest(path);
      const { code, out, err } = await parley(["start"], folder);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain(`expected a SQLite database at ${path}`);
      expect(err).toContain("Nothing was changed.");
      expect(err).not.toMatch(/^\s+at /m);
      expect(digest(path)).toBe(before);
    },
  );
});

describe("a data folder", () => {
  test("that cannot be made, or cannot be written, is told as such", async () => {
    const folder = await newFolder();
    await writeFile(join(folder, "file"), "");
    expect(() => makeDataFolder(join(folder, "file", "data"))).toThrow(
      /expected a data folder that can be written at .*PARLEY_DATA/,
    );
    await mkdir(join(folder, "lock.sqlite"));
    expect(() => holdDataFolder(folder)).toThrow(/expected a data folder that can be written at .*PARLEY_DATA/);
  });

  test("is held by one at a time, and let go", async () => {
    const folder = await newFolder();
    const letGo = holdDataFolder(folder);
    expect(() => holdDataFolder(folder)).toThrow(/another Parley server is running/);
    letGo();
    holdDataFolder(folder)();
  });

  test("keeps the secrets that were generated; damaged ones are told, and not made anew", async () => {
    const folder = await newFolder();
    const made = readSecrets(folder);
    expect(made.ownerKey).toMatch(/^PARLEY-API-[A-Za-z0-9]{64}$/);
    expect(Buffer.from(made.encryptionKey, "base64")).toHaveLength(32);
    expect(readSecrets(folder)).toEqual(made);
    const path = join(folder, "secrets.json");
    await writeFile(path, readFileSync(path, "utf8").slice(0, 40));
    const before = digest(path);
    expect(() => readSecrets(folder)).toThrow(/expected generated secrets in .*Restore the file/);
    expect(digest(path)).toBe(before);
    expect(await readdir(folder)).toEqual(["secrets.json"]);
  });
});
