/** `parley quota`: credits and state of the embedded workspace's accounts. */
import { parseArgs } from "node:util";
import { quotaReasons, type QuotaReason } from "../contract/errors.ts";
import { Fault } from "../errors.ts";
import { ensureOwner, readQuota, setQuota, type Quota } from "../service/admin.ts";
import type { Output } from "./output.ts";
import { withWorkspace, type CliContext } from "./workspace-file.ts";

export const quotaUsage = [
  "quota [--user NAME]                                            show credits and state",
  `quota set [--limit N|none] [--used N] [--reason R|none]        R: ${quotaReasons.join(", ")}`,
  "          [--active yes|no] [--region allowed|blocked] [--user NAME]",
] as const;

const isReason = (value: string): value is QuotaReason => (quotaReasons as readonly string[]).includes(value);

function oneOf(option: string, value: string | undefined, yes: string, no: string): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== yes && value !== no) throw new Fault("usage", `--${option}: expected ${yes} or ${no}, got ${value}`);
  return value === yes;
}

function reasonOption(value: string | undefined): QuotaReason | null | undefined {
  if (value === undefined) return undefined;
  if (value === "none") return null;
  if (!isReason(value)) throw new Fault("usage", `--reason: expected one of ${quotaReasons.join(", ")} or none, got ${value}`);
  return value;
}

const shown = (user: string, quota: Quota): string[] => [
  `account  ${user}: ${quota.active ? "active" : "inactive"}${quota.regionBlocked ? ", region blocked" : ""}`,
  `credits  ${quota.used} used of ${quota.limit ?? "no limit"}`,
  ...(quota.reason === null ? [] : [`refused  all paid work, with reason ${quota.reason}`]),
];

export async function quota(args: readonly string[], context: CliContext, output: Output): Promise<void> {
  const text = { type: "string" } as const;
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { user: text, limit: text, used: text, reason: text, active: text, region: text },
  });
  const [verb] = positionals;
  if (verb !== undefined && verb !== "set")
    throw new Fault("usage", `expected one of:\n  ${quotaUsage.join("\n  ")}\ngot: quota ${verb}`);
  const reason = reasonOption(values.reason);
  const active = oneOf("active", values.active, "yes", "no");
  const blocked = oneOf("region", values.region, "blocked", "allowed");
  const change: Partial<Quota> = {
    ...(values.limit === undefined ? {} : { limit: values.limit === "none" ? null : values.limit }),
    ...(values.used === undefined ? {} : { used: values.used }),
    ...(reason === undefined ? {} : { reason }),
    ...(active === undefined ? {} : { active }),
    ...(blocked === undefined ? {} : { regionBlocked: blocked }),
  };
  if (verb === undefined && Object.keys(change).length > 0)
    throw new Fault("usage", "quota shows, and changes nothing: for a change write quota set");
  await withWorkspace(context, async (workspace) => {
    const user = values.user ?? (await ensureOwner(workspace)).name;
    const now = verb === "set" ? await setQuota(workspace, user, change) : await readQuota(workspace, user);
    for (const line of shown(user, now)) output.line(line);
  });
}
