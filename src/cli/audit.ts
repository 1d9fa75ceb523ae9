/** `parley audit`: who did what, as JSON lines. */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { sleep, systemClock } from "../clock.ts";
import { dataFiles } from "../config.ts";
import { Fault } from "../errors.ts";
import { openStore } from "../open-store.ts";
import { createAudit, type AuditLog, type AuditQuery } from "../store/audit.ts";
import type { Output } from "./output.ts";
import type { CliContext } from "./workspace-file.ts";

export const auditUsage = [
  "audit [--since WHEN] [--person ID] [--tenant ID]               show the audit log as JSON lines; WHEN: 30m, 24h, 7d or a date",
  "      [--outcome NAME] [--follow]                              --follow goes on with what is new",
] as const;

const units = { m: 60_000, h: 60 * 60_000, d: 24 * 60 * 60_000 } as const;

/** A time span back from now, or a date. */
function timeOf(when: string, now: number): number {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(when) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * units[unit as keyof typeof units];
  const at = /^\d{4}-\d\d-\d\d/.test(when) ? Date.parse(when) : Number.NaN;
  if (Number.isNaN(at)) throw new Fault("usage", `--since: expected 30m, 24h, 7d or a date as 2026-01-31, got ${when}`);
  return at;
}

/** How often what is new is asked for, in ms. */
const followMs = 1_000;
/** Entries of several servers arrive out of order by so much at most, in ms. */
const lateMs = 60_000;

/** Prints what is new, until `signal` ends it. */
async function follow(log: AuditLog, query: AuditQuery, shown: Map<string, number>, output: Output, signal: AbortSignal) {
  while (!signal.aborted) {
    const since = Math.max(query.since ?? 0, systemClock.now() - lateMs);
    for await (const line of log.read({ ...query, since })) {
      if (shown.has(line.id)) continue;
      shown.set(line.id, Date.parse(line.at));
      output.line(JSON.stringify(line));
    }
    for (const [id, at] of shown) if (at < since) shown.delete(id);
    await sleep(systemClock, followMs, signal).catch(() => undefined);
  }
}

/** @param signal ends `--follow` */
export async function audit(
  args: readonly string[],
  { config }: CliContext,
  output: Output,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { since: text, person: text, tenant: text, outcome: text, follow: { type: "boolean" } },
  });
  const now = systemClock.now();
  const query: AuditQuery = {
    ...(values.since === undefined ? {} : { since: timeOf(values.since, now) }),
    ...(values.person === undefined ? {} : { person: values.person }),
    ...(values.tenant === undefined ? {} : { tenant: values.tenant }),
    ...(values.outcome === undefined ? {} : { outcome: values.outcome }),
  };
  const { store } = dataFiles(config.dataDir);
  if (config.databaseUrl === null && !existsSync(store))
    throw new Fault("no_store", `there is no store yet at ${store}; it is made at the first start`);
  const { patient: db, close } = await openStore(config);
  try {
    const log = createAudit(db, systemClock);
    const shown = new Map<string, number>();
    for await (const line of log.read(query)) {
      if (Date.parse(line.at) > now - lateMs) shown.set(line.id, Date.parse(line.at));
      output.line(JSON.stringify(line));
    }
    if (values.follow === true) await follow(log, query, shown, output, signal);
  } finally {
    await close();
  }
}
