/** Parley as a process of its own, as `npm start` runs it, that can be killed. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Client } from "../../src/client/index.ts";

export interface Parley {
  readonly url: string;
  readonly dataDir: string;
  readonly pid: () => number;
  /** A client with the owner's key. */
  client(): Client;
  /** SIGKILL, as when a machine dies. */
  kill(): Promise<void>;
  /** Starts again on the same folder and port. */
  restart(): Promise<void>;
  /** SIGTERM; the exit code. */
  stop(): Promise<number | null>;
  /** Everything that was logged. */
  log(): string;
  close(): Promise<void>;
}

const readyLine = /is ready: (http:\/\/\S+)/;

export interface StartOptions {
  /** Gives the data folder a disk of its own of this size, seen by that process alone. */
  readonly disk?: string;
  /** With a disk of its own: everything else is read-only, and no capability is left, as in the container. */
  readonly sealed?: boolean;
  /** `start` by default; `workspace` serves that alone. */
  readonly command?: "start" | "workspace";
  /** Node's own, such as `--import`. */
  readonly flags?: readonly string[];
}

/** Makes a disk for one process, without the right to make one for others. */
export const diskMaker = ["unshare", "--map-root-user", "--mount"] as const;

/** Has a further process see the disk of that one. */
export const diskSharer = (pid: number): [string, ...string[]] => [
  "nsenter",
  "--target",
  String(pid),
  "--user",
  "--mount",
  "--preserve-credentials",
];

const seal = "mount -o remount,bind,ro / && exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs";

const onDisk = (size: string, sealed: boolean, dataDir: string, command: readonly string[]): string[] => [
  ...diskMaker,
  "sh",
  "-c",
  `mount -t tmpfs -o size=${size} tmpfs "$0" && ${sealed ? seal : "exec"} "$@"`,
  dataDir,
  ...command,
];

export async function startParley(
  env: Record<string, string> = {},
  { disk, sealed = false, command: what = "start", flags = [] }: StartOptions = {},
): Promise<Parley> {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-e2e-"));
  let child: ChildProcess | undefined;
  let port = "0";
  let url = "";
  let logged = "";

  const start = async (): Promise<void> => {
    const command = [process.execPath, ...flags, "src/parley.js", what];
    const [program = "", ...args] = disk === undefined ? command : onDisk(disk, sealed, dataDir, command);
    const process_ = spawn(program, args, {
      env: { PATH: process.env["PATH"] ?? "", HOME: dataDir, PARLEY_DATA: dataDir, PORT: port, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = process_;
    let said = "";
    process_.stderr.on("data", (chunk: Buffer) => (logged += chunk.toString()));
    await new Promise<void>((resolve, reject) => {
      process_.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        url = readyLine.exec(said)?.[1] ?? "";
        if (url !== "") resolve();
      });
      process_.once("exit", (code) => reject(new Error(`Parley ended with ${code} before it was ready:\n${logged}`)));
    });
    port = new URL(url).port;
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const running = child;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return running?.exitCode ?? null;
    const ended = once(running, "exit");
    running.kill(signal);
    await ended;
    return running.exitCode;
  };

  await start();
  return {
    get url() {
      return url;
    },
    dataDir,
    pid: () => child?.pid ?? 0,
    client() {
      const { ownerKey } = JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8")) as { ownerKey: string };
      return createClient({ baseUrl: `${new URL(url).origin}/api/v1`, apiKey: ownerKey });
    },
    kill: async () => void (await end("SIGKILL")),
    restart: start,
    stop: () => end("SIGTERM"),
    log: () => logged,
    async close() {
      await end("SIGKILL");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
