/** The automatic choice of a model: `best`, `balanced` or `fastest`. */
import type { AutoModelType } from "../../contract/records.ts";
import type { Size } from "./families.ts";

/** What the choice looks at; catalogue entries and stored models have it. */
interface Choosable {
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly premium: boolean;
}

/** Where the wanted size is missing, the nearest one answers. */
const wanted: Readonly<Record<AutoModelType, readonly Size[]>> = {
  best: ["powerful", "balanced", "fast"],
  balanced: ["balanced", "powerful", "fast"],
  fastest: ["fast", "balanced", "powerful"],
};

/**
 * The model that answers for `type`: the first of `entries`, in display order, with the wanted size among its tags.
 * Deprecated models are never chosen, premium ones only when there is nothing else.
 * @param entries those that the caller may use
 * @returns undefined when nothing is left to choose from
 */
export function autoModel<Entry extends Choosable>(type: AutoModelType, entries: readonly Entry[]): Entry | undefined {
  const current = entries.filter(({ deprecated }) => !deprecated);
  const affordable = current.filter(({ premium }) => !premium);
  const choice = affordable.length > 0 ? affordable : current;
  for (const size of wanted[type]) {
    const found = choice.find(({ tags }) => tags.includes(size));
    if (found !== undefined) return found;
  }
  return choice[0];
}
