/** A PostgreSQL of the suite's own, which it may kill and freeze without touching the machine's. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** What is done to the database: an orderly restart, one as after a crash, every connection ended, and a stop of a second. */
export const databaseHarms = ["restart", "crash", "terminate", "freeze"] as const;
export type DatabaseHarm = (typeof databaseHarms)[number];

export interface Cluster {
  /** For `DATABASE_URL`. */
  readonly url: string;
  harm(how: DatabaseHarm): Promise<void>;
  /** Stops every process of the database where it is, until `thaw`. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

const user = "parley";
const freezeMs = 1_000;

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
  const run = (program: string, args: readonly string[]): string =>
    execFileSync(join(programs, program), args, { ...who, cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  run("initdb", ["-D", data, "-U", user, "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C"]);
  const port = await freePort();
  const url = `postgres://${user}@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    // A group of its own, so that all of its processes can be stopped at once.
    server = spawn(
      join(programs, "postgres"),
      ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", folder, "-c", "max_connections=200"],
      { ...who, cwd: folder, detached: true, stdio: "ignore" },
    );
    for (let tries = 0; tries < 300; tries++) {
      try {
        run("pg_isready", ["-q", "-h", "127.0.0.1", "-p", String(port)]);
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
  const group = (signal: NodeJS.Signals): void => {
    if (server?.pid !== undefined) process.kill(-server.pid, signal);
  };
  /** One harm goes after the other. */
  let busy: Promise<void> = Promise.resolve();
  const deeds: Record<DatabaseHarm, () => Promise<void>> = {
    async restart() {
      await end("SIGINT");
      await start();
    },
    // At once, without a checkpoint: the next start recovers from the log.
    async crash() {
      await end("SIGQUIT");
      await start();
    },
    terminate: () =>
      Promise.resolve(
        run("psql", [url, "-qc", "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"]),
      ).then(() => {}),
    async freeze() {
      group("SIGSTOP");
      await wait(freezeMs);
      group("SIGCONT");
    },
  };

  await start();
  return {
    url,
    harm: (how) => (busy = busy.then(() => deeds[how]())),
    freeze: () => group("SIGSTOP"),
    thaw: () => group("SIGCONT"),
    async close() {
      group("SIGCONT");
      await end("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
