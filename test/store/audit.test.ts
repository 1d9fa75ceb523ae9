import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openAuditFile } from "../../src/audit-file.ts";
import type { AuditEntry } from "../../src/core/audit.ts";
import { createLog } from "../../src/log.ts";
import { createAudit, type AuditQuery } from "../../src/store/audit.ts";
import { fakeClock } from "../fakes/clock.ts";
import { overBoth, type Opened } from "./open.ts";

overBoth((openStore) => {
  let opened: Opened;
  beforeEach(async () => {
    opened = await openStore();
  });
  afterEach(() => opened.close());

  const entry = (turn: string | null, over: Partial<AuditEntry> = {}): AuditEntry => ({
    person: "u1",
    place: { platform: "slack", tenant: "T1", channel: "C1", thread: "1.2" },
    direct: false,
    kind: "message",
    account: "shared",
    outcome: "answered",
    turn,
    correlation: null,
    ...over,
  });

  test("entries come back oldest first, by time, person, tenant and outcome", async () => {
    const clock = fakeClock(1_000);
    const audit = createAudit(opened.db, clock);
    const read = async (query: AuditQuery) => (await Array.fromAsync(audit.read(query))).map(({ turn }) => turn);
    await audit.record(entry("a"));
    await clock.advance(1_000);
    await audit.record(entry("b", { person: "u2", outcome: "failed" }));
    await clock.advance(1_000);
    await audit.record(entry("c", { place: { platform: "slack", tenant: "T2", channel: "C1", thread: null } }));
    expect(await read({})).toEqual(["a", "b", "c"]);
    expect(await read({ since: 2_000 })).toEqual(["b", "c"]);
    expect(await read({ person: "u2" })).toEqual(["b"]);
    expect(await read({ tenant: "T2" })).toEqual(["c"]);
    expect(await read({ outcome: "answered", tenant: "T1" })).toEqual(["a"]);
  });

  test("an entry of the same turn and kind takes the place of the former; entries without a turn never do", async () => {
    const audit = createAudit(opened.db, fakeClock());
    await audit.record(entry("a", { outcome: "failed" }));
    await audit.record(entry("a"));
    await audit.record(entry("a", { kind: "link" }));
    await audit.record(entry(null, { kind: "purge", counts: { turns: 3 } }));
    await audit.record(entry(null, { kind: "purge" }));
    const lines = await Array.fromAsync(audit.read({}));
    expect(lines.map(({ kind, outcome }) => `${kind} ${outcome}`).toSorted()).toEqual([
      "link answered",
      "message answered",
      "purge answered",
      "purge answered",
    ]);
    expect(lines.map(({ counts }) => counts).filter((counts) => counts !== undefined)).toEqual([{ turns: 3 }]);
  });

  test("more entries than are read at once all come, once each, also those of one moment", async () => {
    const audit = createAudit(opened.db, fakeClock());
    await opened.db.transaction().execute(async (transaction) => {
      const inOne = createAudit(transaction, fakeClock());
      for (let at = 0; at < 1_201; at++) await inOne.record(entry(`k${at}`));
    });
    const turns = (await Array.fromAsync(audit.read({}))).map(({ turn }) => turn);
    expect(new Set(turns).size).toBe(1_201);
    expect(turns).toHaveLength(1_201);
  });

  test("what is old is deleted", async () => {
    const clock = fakeClock(1_000);
    const audit = createAudit(opened.db, clock);
    await audit.record(entry("a"));
    await clock.advance(1_000);
    await audit.record(entry("b"));
    expect(await audit.prune(2_000)).toBe(1);
    expect((await Array.fromAsync(audit.read({}))).map(({ turn }) => turn)).toEqual(["b"]);
  });

  test("the file has the same lines, for its owner only; one that cannot be written is said at the start, or logged", async ({
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), "parley-audit-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "audit.jsonl");
    const logged: string[] = [];
    const log = createLog("info", { write: (line: string) => void logged.push(line) });
    const audit = createAudit(opened.db, fakeClock(), openAuditFile(path, log));
    await Promise.all([audit.record(entry("a")), audit.record(entry("b"))]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const written = readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { turn: string });
    expect(written.toSorted((a, b) => a.turn.localeCompare(b.turn))).toEqual(
      (await Array.fromAsync(audit.read({}))).toSorted((a, b) => String(a.turn).localeCompare(String(b.turn))),
    );
    expect(() => openAuditFile(folder, log)).toThrow(/AUDIT_FILE/);
    rmSync(folder, { recursive: true });
    await audit.record(entry("c"));
    expect(logged.join("")).toContain("the store has it");
    expect(await Array.fromAsync(audit.read({}))).toHaveLength(3);
  });
});
