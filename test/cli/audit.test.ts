/** `parley audit` beside a running server. */
import { expect, test } from "vitest";
import { audit } from "../../src/cli/audit.ts";
import { readConfig } from "../../src/config.ts";
import { systemClock } from "../../src/clock.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { createAudit } from "../../src/store/audit.ts";
import type { StoreSchema } from "../../src/store/schema.ts";
import { newFolder, parley, serve } from "./parley.ts";

const entry = (turn: string, person: string) => ({
  person,
  place: { platform: "slack", tenant: "T1", channel: "C1", thread: null },
  direct: false,
  kind: "message",
  account: "shared",
  outcome: "answered",
  turn,
  correlation: null,
});

test("lines are shown by person and time, and --follow goes on with what is new", async ({ onTestFinished }) => {
  const folder = await newFolder();
  expect(await parley(["audit"], folder)).toMatchObject({
    code: 1,
    err: expect.stringContaining("there is no store yet") as string,
  });
  await serve(folder);
  const db = openSqlite<StoreSchema>(`${folder}/parley.sqlite`);
  onTestFinished(() => db.destroy());
  const log = createAudit(db, systemClock);
  await log.record(entry("a", "U1"));
  await log.record(entry("b", "U2"));
  const { out } = await parley(["audit", "--person", "U2", "--since", "1h"], folder);
  expect(
    out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([{ turn: "b", person: "U2", tenant: "T1" }]);

  const shown: string[] = [];
  const ended = new AbortController();
  const line = (text: string): void => {
    shown.push((JSON.parse(text) as { turn: string }).turn);
    if (shown.length === 2) log.record(entry("c", "U1")).catch((thrown: unknown) => ended.abort(thrown));
    if (shown.length === 3) ended.abort();
  };
  await audit(["--follow"], { config: readConfig({ PARLEY_DATA: folder }) }, { line }, ended.signal);
  expect(shown).toEqual([expect.stringMatching(/a|b/), expect.stringMatching(/a|b/), "c"]);
});

test.for([
  ["--since", "yesterday"],
  ["--since", "2026"],
  ["--who", "U1"],
])("what cannot be understood says so: %s", async (args) => {
  const folder = await newFolder();
  const { code, err } = await parley(["audit", ...args], folder);
  expect(code).toBe(1);
  expect(err).toMatch(/expected 30m, 24h, 7d or a date|Unknown option/);
});
