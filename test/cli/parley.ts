/** The command line as people start it: child processes of this Node, in a data folder of their own. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";

const source = fileURLToPath(new URL("../../src/parley.js", import.meta.url));

export type Environment = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  /** What the ready line names. */
  readonly url: string;
  readonly port: number;
  /** Everything logged so far. */
  readonly log: () => string;
  /** Sends the signal and waits for the end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>;
}

const folders: string[] = [];
const children = new Set<ChildProcess>();

/** What a test has started is ended, and its folders are removed. */
afterEach(async () => {
  await Promise.all(
    [...children].map(
      (child) =>
        new Promise<void>((resolve) => {
          if (child.exitCode !== null || child.signalCode !== null) return resolve();
          child.once("close", () => resolve());
          child.kill("SIGKILL");
        }),
    ),
  );
  children.clear();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A new empty folder, removed after the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-cli-"));
  folders.push(folder);
  return folder;
}

function launch(args: readonly string[], cwd: string, env: Environment, main = source, flags: readonly string[] = []) {
  // Only what the test names: a variable of the machine must not decide a test.
  const child = spawn(process.execPath, [...flags, main, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", PORT: "0", ...env },
  });
  children.add(child);
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, out, err }));
  });
  return { child, ended, out: () => out, err: () => err };
}

/** Runs one command in `cwd`, which is its data folder too unless `env` names another. */
export const parley = (args: readonly string[], cwd: string, env: Environment = {}): Promise<Ended> =>
  launch(args, cwd, { PARLEY_DATA: cwd, ...env }).ended;

/**
 * Starts a server on a free port, and waits until it says that it is ready. Rejects with its last words when it ends before.
 * @param main another copy of the source
 * @param flags Node's own
 */
export async function serve(
  cwd: string,
  env: Environment = {},
  command = "start",
  main = source,
  flags: readonly string[] = [],
): Promise<Running> {
  const { child, ended, out, err } = launch([command], cwd, { PARLEY_DATA: cwd, ...env }, main, flags);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const found = /ready: (http\S+)/.exec(out())?.[1];
      if (found !== undefined) resolve(found);
    });
    ended.then(({ code }) => reject(new Error(`ended with ${code} before it was ready: ${err()}`)), reject);
  });
  return {
    url,
    port: Number(new URL(url).port),
    log: err,
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
  };
}
