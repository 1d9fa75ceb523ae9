/** Counts turns against what people and channels may have. */
import type { Allowances, Spender } from "../allowances.ts";
import type { Refusal } from "../refusal.ts";
import type { TurnRun } from "./run.ts";

/** Counts a turn once, also when it is resumed. @returns why not, where there is nothing left */
export type Limit = (run: TurnRun, spender: Spender) => Promise<{ readonly refusal: Refusal } | null>;

export const createLimit =
  (allowances: Allowances): Limit =>
  async (run, spender) => {
    if (run.progress().counted === true) return null;
    const refused = await allowances.take(spender);
    if (refused === null) await run.save({ counted: true });
    return refused;
  };
