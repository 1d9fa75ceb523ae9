/** The workspace's rules: which models may be used, where they must run, and what text may not be sent. Read anew for every request. */
import type { Kysely } from "kysely";
import { z } from "zod";
import type { BlockCode } from "../contract/errors.ts";
import type { ServiceContext } from "./context.ts";
import { HttpError } from "./http-error.ts";
import type { CatalogueEntry } from "./providers/port.ts";
import type { ServiceSchema } from "./schema.ts";

const strings = z.array(z.string());

/** Models are named by their catalogue key, providers by what stands before a key's first colon. */
const rulesSchema = z.object({
  /** Models that nobody may use. */
  deniedModels: strings.default([]),
  /** The only models that may be used; null: all but the denied ones. */
  allowedModels: strings.nullable().default(null),
  /** The only providers that the workspace has assigned; null: all. */
  providers: strings.nullable().default(null),
  /** Models must be processed in the EU. */
  euInference: z.boolean().default(false),
  /** Providers must keep nothing. */
  zeroRetention: z.boolean().default(false),
  /** Residency tags (`eu`, `zero_retention`) by model key; they replace what the catalogue says. */
  residencyTags: z.record(z.string(), strings).default({}),
  /** Regular expressions, matched without regard to case, of text that may not be sent to a model. */
  sensitivePatterns: strings.default([]),
});
export type Rules = z.output<typeof rulesSchema>;
export const ruleNames = Object.keys(rulesSchema.shape) as Array<keyof Rules>;

/** The rules in force. */
export async function readRules(db: Kysely<ServiceSchema>): Promise<Rules> {
  const rows = await db.selectFrom("rules").selectAll().execute();
  return rulesSchema.parse(Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown])));
}

/** Changes the rules that `change` names. Throws a RangeError that says what was expected, and changes nothing. */
export async function writeRules(db: Kysely<ServiceSchema>, change: Partial<Rules>): Promise<void> {
  const checked = rulesSchema.partial().safeParse(change);
  if (!checked.success) throw new RangeError(z.prettifyError(checked.error));
  for (const pattern of change.sensitivePatterns ?? []) {
    try {
      compile(pattern);
    } catch (cause) {
      throw new RangeError(`expected a regular expression, got ${pattern}`, { cause });
    }
  }
  const rows = Object.entries(change).map(([name, value]) => ({ name, value: JSON.stringify(value) }));
  if (rows.length === 0) return;
  await db
    .insertInto("rules")
    .values(rows)
    .onConflict((conflict) => conflict.column("name").doUpdateSet((set) => ({ value: set.ref("excluded.value") })))
    .execute();
}

/** Why a model may not be used. `code` is there for data residency only; a model-level rule has none. */
export interface Restriction {
  readonly text: string;
  readonly code?: BlockCode;
}

/** What the rules need to know of a model. */
export interface RuledModel {
  readonly entry: Pick<CatalogueEntry, "key" | "residency">;
  /** False when no provider offers the model any more. */
  readonly available: boolean;
}

/** The model-level rule that blocks `model`, if any. */
export function accessRestriction(rules: Rules, { entry }: RuledModel): Restriction | undefined {
  const allowed = rules.allowedModels?.includes(entry.key) ?? true;
  if (allowed && !rules.deniedModels.includes(entry.key)) return undefined;
  return { text: "this model has been restricted by your organization" };
}

/** The data-residency rule that blocks `model`, if any. A model that fails several demands at once has no endpoint at all. */
export function residencyRestriction(rules: Rules, { entry, available }: RuledModel): Restriction | undefined {
  const provider = entry.key.split(":", 1)[0] ?? "";
  if (rules.providers?.includes(provider) === false) {
    return { code: "NO_PROVIDER_ASSIGNED", text: "your organization has not assigned a provider to this model" };
  }
  const tags: readonly string[] = rules.residencyTags[entry.key] ?? entry.residency;
  const eu = rules.euInference && !tags.includes("eu");
  const retention = rules.zeroRetention && !tags.includes("zero_retention");
  if (!available) return { code: "NO_ENDPOINT_AVAILABLE", text: "no provider offers this model any more" };
  if (eu && retention) {
    return { code: "NO_ENDPOINT_AVAILABLE", text: "no endpoint of this model meets your organization's data-residency policy" };
  }
  if (eu) return { code: "EU_INFERENCE_REQUIRED", text: "your organization requires models that are processed in the EU" };
  if (retention)
    return { code: "ZERO_RETENTION_REQUIRED", text: "your organization requires models whose provider keeps no data" };
  return undefined;
}

/** Whatever blocks `model` for a caller of this workspace. */
export const restrictionOf = (rules: Rules, model: RuledModel): Restriction | undefined =>
  accessRestriction(rules, model) ?? residencyRestriction(rules, model);

const compile = (pattern: string): RegExp => new RegExp(pattern, "iu");

/** True when a rule forbids sending `text` to a model. */
const isSensitive = (rules: Rules, text: string): boolean =>
  rules.sensitivePatterns.some((pattern) => compile(pattern).test(text));

/**
 * Throws HttpError 400 when a rule forbids sending `text`.
 * @param codeKey where the machine code stands: `error_code` on conversations, `code` on runs and agents
 */
export async function guardText(ctx: Pick<ServiceContext, "db">, text: string, codeKey: "code" | "error_code"): Promise<void> {
  if (!isSensitive(await readRules(ctx.db), text)) return;
  const error = "the text contains data that your organization does not allow to be sent";
  throw new HttpError(400, { error, [codeKey]: "SENSITIVE_DATA_BLOCKED" });
}
