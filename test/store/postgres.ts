/** A PostgreSQL for tests: every store has a schema of its own, dropped at the end. */
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import pg from "pg";

export const serverUrl = process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

async function listens(): Promise<boolean> {
  const { hostname, port } = new URL(serverUrl);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 5432) }, () => resolve(true));
    socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
  });
}

/** False where no PostgreSQL runs: its tests are then skipped, but never in CI, where they fail instead. */
export const hasPostgres = (await listens()) || process.env["CI"] !== undefined;

/** Runs SQL as the owner of the server. */
async function ask(text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    return ((await client.query(text)) as { rows: Record<string, unknown>[] }).rows;
  } finally {
    await client.end();
  }
}

export interface Schema {
  /** An address whose tables are all in this schema. */
  readonly url: string;
  readonly name: string;
  readonly drop: () => Promise<void>;
}

export async function newSchema(): Promise<Schema> {
  const name = `parley_${randomBytes(6).toString("hex")}`;
  await ask(`create schema ${name}`);
  const url = new URL(serverUrl);
  url.searchParams.set("options", `-c search_path=${name}`);
  return { url: url.href, name, drop: async () => void (await ask(`drop schema ${name} cascade`)) };
}
