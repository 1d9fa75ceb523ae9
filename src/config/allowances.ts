/** Limits for people and channels; off unless they are set, as only the operator knows what credits are worth here. */
import { Decimal } from "decimal.js";
import type { Reader, VariableInfo } from "./reader.ts";

export interface AllowancesConfig {
  readonly personTurns: number | null;
  readonly channelTurns: number | null;
  readonly personCredits: Decimal | null;
  readonly channelCredits: Decimal | null;
}

export const allowanceVariables: readonly VariableInfo[] = [
  { name: "LIMIT_PERSON_TURNS", fallback: "none", help: "how often a person may ask in a minute" },
  { name: "LIMIT_CHANNEL_TURNS", fallback: "none", help: "how often people of a channel may ask in a minute, together" },
  { name: "LIMIT_PERSON_CREDITS", fallback: "none", help: "credits of the workspace that a person may use in a day" },
  { name: "LIMIT_CHANNEL_CREDITS", fallback: "none", help: "credits of the workspace that a channel may use in a day" },
];

export function readAllowances({ text, expect }: Reader): AllowancesConfig {
  const read = <T>(name: string, form: RegExp, expected: string, make: (value: string) => T): T | null => {
    const value = text(name);
    if (value === null) return null;
    expect(name, form.test(value), expected, JSON.stringify(value));
    return form.test(value) ? make(value) : null;
  };
  const turns = (name: string): number | null => read(name, /^[1-9]\d{0,8}$/, "a whole number of turns, 1 or more", Number);
  const credits = (name: string): Decimal | null =>
    read(name, /^\d{1,9}(\.\d{1,6})?$/, "a number of credits, as 5 or 0.25", (value) => new Decimal(value));
  return {
    personTurns: turns("LIMIT_PERSON_TURNS"),
    channelTurns: turns("LIMIT_CHANNEL_TURNS"),
    personCredits: credits("LIMIT_PERSON_CREDITS"),
    channelCredits: credits("LIMIT_CHANNEL_CREDITS"),
  };
}
