/** Credits: whether there are any left before paid work, and what a piece of work has cost. */
import { errorTexts, type QuotaReason } from "../contract/errors.ts";
import { formatMoney, money } from "../contract/money.ts";
import type { DecimalString } from "../contract/records.ts";
import type { ServiceContext } from "./context.ts";
import { HttpError } from "./http-error.ts";
import type { CatalogueEntry } from "./providers/port.ts";

/** Throws HttpError 429 with its reason when `userId` may not start paid work. Asked before anything is created. */
export async function checkQuota({ db }: Pick<ServiceContext, "db">, userId: number): Promise<void> {
  const user = await db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
  const spent = user.credit_limit !== null && money(user.credits_used).gte(user.credit_limit);
  const reason = (user.quota_reason ?? (spent ? "credit_count" : null)) as QuotaReason | null;
  if (reason !== null) throw new HttpError(429, { error: errorTexts.quota, reason });
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Credits that `usage` costs with this model: tokens by their price, times the model's multiplier. */
export const costOf = (entry: CatalogueEntry, { inputTokens, outputTokens }: Usage): DecimalString =>
  formatMoney(
    money(entry.credit_cost_per_input_token)
      .times(inputTokens)
      .plus(money(entry.credit_cost_per_output_token).times(outputTokens))
      .times(entry.multiplier),
  );

/** Adds `cost` to what a user has used. */
export async function charge({ db }: Pick<ServiceContext, "db">, userId: number, cost: DecimalString): Promise<void> {
  // The command line may set the same field at the same time: the sum is written only over the value that it was made from.
  for (;;) {
    const { credits_used: before } = await db
      .selectFrom("users")
      .select("credits_used")
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    const after = formatMoney(money(before).plus(cost));
    const written = await db
      .updateTable("users")
      .set({ credits_used: after })
      .where("id", "=", userId)
      .where("credits_used", "=", before)
      .executeTakeFirst();
    if (written.numUpdatedRows > 0n) return;
  }
}
