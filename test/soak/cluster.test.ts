/** What is done to the soak's database is done to all of it: to connections that are open, too. */
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clusterPrograms, openCluster, type Cluster } from "./cluster.ts";

// In CI its programs are there: without them it fails, and is not passed over.
describe.skipIf(clusterPrograms() === undefined && process.env["CI"] === undefined)("the soak's PostgreSQL", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await openCluster();
  }, 60_000);
  afterAll(() => cluster?.close());

  const connected = async (): Promise<{ client: pg.Client; ended: Promise<void> }> => {
    const client = new pg.Client(cluster.url);
    const ended = new Promise<void>((resolve) => client.on("error", () => resolve()));
    await client.connect();
    return { client, ended };
  };
  const rows = async (client: pg.Client, table: string): Promise<number> =>
    Number(((await client.query(`select count(*) as n from ${table}`)) as { rows: { n: string }[] }).rows[0]?.n);

  test("while it is frozen an open connection gets no answer, nor does a new one; both get it afterwards", async () => {
    const { client } = await connected();
    await client.query("create table kept (id int)");
    await cluster.freeze();
    const answered: string[] = [];
    const onOpen = client.query("insert into kept values (1)").then(() => answered.push("open"));
    const onNew = connected().then(async ({ client: other }) => {
      answered.push("new");
      await other.end();
    });
    try {
      // What was answered in 7 ms when only the first process stood still.
      await wait(500);
      expect(answered).toEqual([]);
    } finally {
      cluster.thaw();
    }
    await Promise.all([onOpen, onNew]);
    expect(answered.toSorted()).toEqual(["new", "open"]);
    expect(await rows(client, "kept")).toBe(1);
    await client.end();
  }, 60_000);

  test.each([
    ["restart", 1],
    // After a crash what is not logged is gone.
    ["kill", 0],
    ["cut", 1],
  ] as const)(
    "%s: ends every connection, keeps what was committed, and answers again",
    async (how, unlogged) => {
      const { client, ended } = await connected();
      await client.query("drop table if exists kept, unlogged");
      await client.query("create table kept as select 1 as id");
      await client.query("create unlogged table unlogged as select 1 as id");
      await cluster.harm(how);
      await ended;
      const { client: after } = await connected();
      expect(await rows(after, "kept")).toBe(1);
      expect(await rows(after, "unlogged")).toBe(unlogged);
      await after.end();
    },
    60_000,
  );
});
