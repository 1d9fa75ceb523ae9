/** What is made for credits. */
import { Decimal } from "decimal.js";
import type { Reader, VariableInfo } from "./reader.ts";

export interface MediaConfig {
  /** What is known to cost more credits than this is asked for first; null: nothing is. */
  readonly askAbove: Decimal | null;
}

export const mediaVariables: readonly VariableInfo[] = [
  {
    name: "MEDIA_ASK_ABOVE",
    fallback: "10",
    help: "credits above which the price of a film, where it is known, is asked for first; or off",
  },
];

export function readMedia({ text, expect }: Reader): MediaConfig {
  const value = text("MEDIA_ASK_ABOVE") ?? "10";
  if (value === "off") return { askAbove: null };
  const isCredits = /^\d{1,9}(\.\d{1,6})?$/.test(value);
  expect("MEDIA_ASK_ABOVE", isCredits, "a number of credits, as 10 or 0.5, or off", JSON.stringify(value));
  return { askAbove: isCredits ? new Decimal(value) : null };
}
