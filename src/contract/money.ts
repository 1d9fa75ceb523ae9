/** Money: credits and prices are decimal strings end to end. */
import { Decimal } from "decimal.js";
import type { DecimalString } from "./records.ts";

// Credits are summed over years; 40 digits keep every sum exact.
const Exact = Decimal.clone({ precision: 40, toExpNeg: -40, toExpPos: 40 });
export type Money = InstanceType<typeof Exact>;

/** Reads a decimal string; undefined for anything that is not a finite decimal in a string. */
export function parseMoney(value: unknown): Money | undefined {
  if (typeof value !== "string" || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(value)) return undefined;
  return new Exact(value);
}

export const money = (value: DecimalString | number): Money => new Exact(value);

/** The decimal string of an amount, without exponent or trailing zeros. */
export const formatMoney = (amount: Money): DecimalString => amount.toFixed();
