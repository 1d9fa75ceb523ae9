/** Which model makes it. */
import type { MediaModel } from "../../contract/media.ts";
import { refusal, type Refusal } from "../refusal.ts";

const same = (a: string, b: string): boolean => a.localeCompare(b, undefined, { sensitivity: "base" }) === 0;

/**
 * The model of a wish: by id, by name, or by the only name that contains it. Without a wish, the one that is marked as
 * preselected, where it can be chosen, else the first that can: the interface itself never falls back to one.
 * @param what the models make, in the plural: `films`
 */
export function chooseMediaModel<Model extends MediaModel>(
  models: readonly Model[],
  wish: string | undefined,
  what: string,
): Model | { readonly refusal: Refusal } {
  const sorted = models.toSorted((a, b) => a.sort - b.sort);
  const selectable = sorted.filter((model) => model.selectable);
  if (selectable.length === 0) return refusal("blocked", `The workspace has no model for ${what} that may be used here.`);
  const wanted = (wish ?? "").trim();
  if (wanted === "") {
    const [first] = selectable;
    const preselected = selectable.find((model) => model.default) ?? first;
    if (preselected !== undefined) return preselected;
  }
  const exact = sorted.filter(({ ID, name }) => String(ID) === wanted || same(name, wanted));
  const partial = sorted.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const [found] = exact.length > 0 ? exact : partial.length === 1 ? partial : [];
  const names = selectable.map(({ name }) => name).join(", ");
  if (found === undefined)
    return refusal("not_found", `There is no one model for ${what} called “${wanted}”. There are: ${names}.`);
  if (found.selectable) return found;
  const reason = (found.restriction_reason ?? "the workspace's rules forbid it").replace(/\.$/, "");
  return refusal("blocked", `${found.name} cannot be chosen: ${reason}. There are: ${names}.`);
}
