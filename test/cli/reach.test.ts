/** What a server shows to whom: on loopback, in the container, and what each variable opens. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cp, readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ask, upgradeHeaders } from "../front/ask.ts";
import { newFolder, serve } from "./parley.ts";

const upgrades = ["/console/ws", "/api/v1/conversation/1/ws"];
const root = fileURLToPath(new URL("../..", import.meta.url));
const statusOf = async (port: number, path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
  (await ask(port, path, headers)).status;
/** The paths that do not answer with `status`. */
const others = async (
  status: number,
  port: number,
  paths: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<string[]> => {
  const answers = await Promise.all(paths.map(async (path) => [path, await statusOf(port, path, headers)] as const));
  return answers.filter(([, answered]) => answered !== status).map((answer) => answer.join(": "));
};

test("on loopback everything is served, to its own names and pages only", async () => {
  const { port } = await serve(await newFolder());
  const own = { host: `localhost:${port}` };
  expect(await statusOf(port, "/", own)).toBe(200);
  expect(await statusOf(port, "/console/api/state", own)).toBe(200);
  expect(await statusOf(port, "/console/ws", { ...own, ...upgradeHeaders })).toBe(101);
  expect(await others(401, port, ["/api/v1/ai_model", "/mcp/"], own)).toEqual([]);
  for (const stranger of [{ host: "parley.example" }, { ...own, origin: "https://elsewhere.example" }]) {
    expect(await others(403, port, ["/", "/console/api/state", "/api/v1/ai_model", "/mcp/"], stranger)).toEqual([]);
    expect(await others(403, port, upgrades, { ...stranger, ...upgradeHeaders })).toEqual([]);
  }
  const metrics = await ask(port, "/metrics");
  expect(metrics.status).toBe(200);
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const listed = [...readme.matchAll(/^\| `(parley_\w+)`/gm)].map(([, name]) => name ?? "");
  expect(listed.length).toBeGreaterThan(5);
  expect(listed.filter((name) => !metrics.text.includes(`# TYPE ${name} `))).toEqual([]);
});

test("the container's start needs only what is copied, writes only to its volume, and shows only health", async () => {
  const image = await newFolder();
  const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8").replaceAll("\\\n", " ").split("\n");
  const last = dockerfile.slice(dockerfile.findLastIndex((line) => line.startsWith("FROM ")));
  for (const [, sources = ""] of last.map((line) => /^COPY (?!--from)(.*) \S+$/.exec(line) ?? [])) {
    for (const source of sources.split(" ").filter((name) => name !== ""))
      await cp(join(root, source), join(image, source), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(image, "node_modules"));
  const env = Object.fromEntries(
    last.flatMap((line) =>
      line.startsWith("ENV ")
        ? line
            .slice(4)
            .split(" ")
            .map((pair) => pair.split("="))
        : [],
    ),
  ) as Record<string, string>;
  expect(Object.keys(env).toSorted()).toEqual(["HOST", "NODE_COMPILE_CACHE", "NODE_ENV", "PARLEY_DATA", "PORT"]);
  const words = JSON.parse(last.find((line) => line.startsWith("CMD "))?.slice(4) ?? "[]") as string[];
  const [main = "", command = ""] = words.slice(-2);

  const compiled = join(image, "compiled");
  const step = last.find((line) => line.startsWith("RUN set -e;"))?.slice(4) ?? "exit 1";
  const built = spawn("sh", ["-c", step.replaceAll("/app/", `${image}/`)], {
    cwd: image,
    stdio: "ignore",
    env: { PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`, NODE_COMPILE_CACHE: compiled },
  });
  expect(await once(built, "close")).toEqual([0, null]);
  const compiledFiles = async (): Promise<number> => (await readdir(compiled, { recursive: true })).length;
  const atFirst = await compiledFiles();
  expect(atFirst).toBeGreaterThan(1_000);

  const [volume, temporary] = [await newFolder(), await newFolder()];
  const listing = async (): Promise<string[][]> => [
    await readdir(image),
    await readdir(join(image, "src"), { recursive: true }),
    await readdir(join(image, "adapters"), { recursive: true }),
  ];
  const before = await listing();
  const cwd = { ...env, PARLEY_DATA: volume, PORT: "0", TMPDIR: temporary, NODE_COMPILE_CACHE: compiled };
  const { port, stop } = await serve(image, cwd, command, join(image, main), words.slice(1, -2));

  const check = last.find((line) => line.startsWith("HEALTHCHECK "))?.split(/\bCMD /)[1] ?? "[]";
  const [, ...checkArguments] = JSON.parse(check) as string[];
  const endOf = async (asked: number): Promise<number> => {
    const [code] = (await once(spawn(process.execPath, checkArguments, { env: { ...env, PORT: String(asked) } }), "close")) as [
      number,
    ];
    return code;
  };
  expect(await endOf(port)).toBe(0);
  expect(await statusOf(port, "/readyz")).toBe(200);
  expect(
    await others(404, port, ["/", "/console/api/state", "/api/v1/ai_model", "/mcp/", "/metrics", "/assets/main.js"]),
  ).toEqual([]);
  expect(await others(404, port, upgrades, upgradeHeaders)).toEqual([]);

  expect(await stop()).toMatchObject({ code: 0, err: "" });
  expect(await endOf(port)).toBe(1);
  expect(await listing()).toEqual(before);
  expect(await readdir(temporary)).toEqual([]);
  // Next to nothing was compiled that the image does not have.
  expect((await compiledFiles()) - atFirst).toBeLessThan(20);
  expect(await readdir(volume)).toContain("parley.sqlite");
});

test("each variable opens its own part beyond loopback, and no other", async () => {
  const open = { CONSOLE_TOKEN: "c0nsole", WORKSPACE_PUBLIC: "1", METRICS_TOKEN: "m3trics" } as const;
  const { port } = await serve(await newFolder(), { HOST: "0.0.0.0", ...open });
  const host = { host: "parley.example" };
  // The page asks for its password; a right one gives a cookie that opens it.
  expect(await statusOf(port, "/", host)).toBe(401);
  expect(await statusOf(port, "/console/api/state", host)).toBe(401);
  expect(await statusOf(port, "/console/ws", { ...host, ...upgradeHeaders })).toBe(401);
  const enter = async (password: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: new URLSearchParams({ password }), redirect: "manual" });
  expect((await enter("wrong")).status).toBe(401);
  const cookie = (await enter(open.CONSOLE_TOKEN)).headers.get("set-cookie")?.split(";")[0] ?? "";
  expect(cookie).not.toContain(open.CONSOLE_TOKEN);
  expect(await statusOf(port, "/console/api/state", { ...host, cookie })).toBe(200);
  expect(await others(401, port, ["/api/v1/ai_model", "/mcp/"], host)).toEqual([]);
  expect(await statusOf(port, "/api/v1/ai_model", { ...host, authorization: `Bearer ${open.CONSOLE_TOKEN}` })).toBe(401);
  expect(await statusOf(port, "/metrics", host)).toBe(401);
  expect(await statusOf(port, "/metrics", { authorization: `Bearer ${open.CONSOLE_TOKEN}` })).toBe(401);
  expect(await statusOf(port, "/metrics", { authorization: `Bearer ${open.METRICS_TOKEN}` })).toBe(200);
  expect(await statusOf(port, "/console/api/state", { ...host, cookie, origin: "https://elsewhere.example" })).toBe(403);
});

test("neither keys nor what people wrote is in the log, at its most talkative", async () => {
  const folder = await newFolder();
  const server = await serve(folder, {
    LOG_LEVEL: "trace",
    OPENAI_API_KEY: "sk-canary-0123456789abcdef",
    OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
  });
  const said = ["@parley canary-question", "/once canary-question", "/model canary-model", "/frobnicate canary-option"];
  for (const [at, text] of said.entries()) {
    const answer = await fetch(`${server.url}/console/api/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: `message-${at}`, channel: "general", thread: null, text, files: [] }),
    });
    expect(answer.status).toBe(200);
  }
  await expect.poll(async () => closed((await ask(server.port, "/metrics")).text)).toBe(said.length);
  const { code, err } = await server.stop();
  expect(code).toBe(0);
  expect(err.split("\n").filter((line) => line !== "").length).toBeGreaterThanOrEqual(said.length);
  expect(err).not.toContain("canary");
  const { ownerKey, encryptionKey } = JSON.parse(readFileSync(join(folder, "secrets.json"), "utf8")) as Record<string, string>;
  expect(err).not.toContain(ownerKey);
  expect(err).not.toContain(encryptionKey);
});

/** Turns that have ended, of the metrics' text. */
const closed = (text: string): number =>
  [...text.matchAll(/^parley_turns_closed_total\{.*\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
