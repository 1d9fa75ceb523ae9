/** A PostgreSQL of the suite's own, which it may kill and freeze without touching the machine's. */
import { execFile, execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { childrenOf, statusOf } from "./processes.ts";
import { during, type Span } from "./spans.ts";

/**
 * - `restart`: it is told to end, and started again;
 * - `kill`: all of its processes are ended at once by SIGKILL, as when the machine dies, and the next start recovers from the log;
 * - `cut`: every connection is ended;
 * - `freeze`: all of its processes stand still, longer than Parley waits for an answer.
 */
export const databaseHarms = ["restart", "kill", "cut", "freeze"] as const;
export type DatabaseHarm = (typeof databaseHarms)[number];

export interface Cluster {
  /** For `DATABASE_URL`. */
  readonly url: string;
  /** Resolves when the database answers again. @param freezeMs how long a freeze takes */
  harm(how: DatabaseHarm, freezeMs?: number): Promise<void>;
  /** When it was harmed, until it answered again. */
  readonly harmed: readonly Span<DatabaseHarm>[];
  /** Stops every process of the database where it is, until `thaw`: a connection is then made, or stays open, and gets no answer. */
  freeze(): Promise<void>;
  thaw(): void;
  /** SIGKILL of every process of it; it stays dead until `start`. */
  die(): Promise<void>;
  start(): Promise<void>;
  /** As a standby is. */
  readOnly(on: boolean): Promise<void>;
  close(): Promise<void>;
}

const execute = promisify(execFile);
const user = "parley";
/** Every process of it that is to stop has stopped by then, in ms. */
const stopMs = 5_000;

/** The folder of the newest PostgreSQL's programs; undefined where there is none. */
export function clusterPrograms(): string | undefined {
  const own = process.env["PG_BIN"];
  if (own !== undefined) return own;
  return globSync("/usr/lib/postgresql/*/bin")
    .filter((folder) => existsSync(join(folder, "initdb")))
    .toSorted()
    .at(-1);
}

/** PostgreSQL refuses to run as root: then it runs as nobody. */
function servant(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** A connection's process may have ended since it was looked for. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ESRCH") throw thrown;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

export async function openCluster(): Promise<Cluster> {
  const programs = clusterPrograms();
  if (programs === undefined)
    throw new Error("expected PostgreSQL's initdb in /usr/lib/postgresql/*/bin, or in the folder that PG_BIN names");
  const who = servant();
  const folder = mkdtempSync(join(tmpdir(), "parley-postgres-"));
  if (who.uid !== undefined && who.gid !== undefined) chownSync(folder, who.uid, who.gid);
  const data = join(folder, "data");
  const run = async (program: string, args: readonly string[]): Promise<void> =>
    void (await execute(join(programs, program), args, { ...who, cwd: folder }));
  await run("initdb", ["-D", data, "-U", user, "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"]);
  const port = await freePort();
  const url = `postgres://${user}@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    server = spawn(
      join(programs, "postgres"),
      ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", folder, "-c", "max_connections=200"],
      { ...who, cwd: folder, stdio: "ignore" },
    );
    for (let tries = 0; tries < 300; tries++) {
      try {
        await run("pg_isready", ["-q", "-h", "127.0.0.1", "-p", String(port)]);
        return;
      } catch {
        if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode} while it started`);
        await wait(100);
      }
    }
    throw new Error("PostgreSQL did not start within 30 s");
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  /** The server's processes: its first, and those that this has made, one for each connection among them. */
  const processes = (): number[] => (server?.pid === undefined ? [] : [server.pid, ...childrenOf(server.pid)]);
  const stopped = async (pid: number): Promise<void> => {
    signal(pid, "SIGSTOP");
    for (const until = Date.now() + stopMs; !["T", "Z", undefined].includes(statusOf(pid)?.state); await wait(1))
      if (Date.now() > until) throw new Error(`process ${pid} of PostgreSQL does not stop`);
  };
  const freeze = async (): Promise<void> => {
    const [first] = processes();
    if (first === undefined) return;
    // Stopped first, it makes no others.
    await stopped(first);
    await Promise.all(processes().slice(1).map(stopped));
  };
  const thaw = (): void => {
    for (const pid of processes()) signal(pid, "SIGCONT");
  };
  const die = async (): Promise<void> => {
    await freeze();
    const [, ...children] = processes();
    for (const pid of children) signal(pid, "SIGKILL");
    await end("SIGKILL");
  };
  const harmed: Span<DatabaseHarm>[] = [];
  /** One harm goes after the other. */
  let busy: Promise<void> = Promise.resolve();
  const deeds: Record<DatabaseHarm, (freezeMs: number) => Promise<void>> = {
    async restart() {
      await end("SIGINT");
      await start();
    },
    async kill() {
      await die();
      await start();
    },
    cut: () => run("psql", [url, "-qc", "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"]),
    async freeze(freezeMs) {
      await freeze();
      await wait(freezeMs);
      thaw();
    },
  };

  await start();
  return {
    url,
    harm: (how, freezeMs = 1_000) => (busy = busy.then(() => during(harmed, how, () => deeds[how](freezeMs)))),
    harmed,
    freeze,
    thaw,
    die,
    start,
    async readOnly(on) {
      const statement = on
        ? "alter system set default_transaction_read_only = on"
        : "alter system reset default_transaction_read_only";
      await run("psql", [url, "-qc", statement, "-c", "select pg_reload_conf()"]);
    },
    async close() {
      thaw();
      await end("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
