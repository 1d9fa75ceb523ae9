/** Asks a provider for its models, and makes a catalogue of its answer. */
import type { Clock } from "../../clock.ts";
import { Fault } from "../../errors.ts";
import { autoModel } from "./auto-model.ts";
import { entryOf, isChatModel, newestFirst, type ListedModel } from "./families.ts";
import type { CatalogueEntry } from "./port.ts";
import { providerFault, type Blamed } from "./provider-faults.ts";
import { silenceLimit } from "./silence.ts";

/** How long a list may take, in ms. */
const listDeadlineMs = 8_000;

/** `GET url` as JSON. Throws a Fault `provider_*`. */
export async function getJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  blamed: Blamed,
  clock: Clock,
  signal: AbortSignal,
): Promise<unknown> {
  const limit = silenceLimit(clock, listDeadlineMs, signal);
  try {
    const response = await fetch(url, { headers, signal: limit.signal });
    const body = await response.text();
    if (!response.ok) throw Object.assign(new Error(response.statusText), { statusCode: response.status, responseBody: body });
    return JSON.parse(body) as unknown;
  } catch (thrown) {
    signal.throwIfAborted();
    if (limit.exceeded)
      throw new Fault("provider_silent", `${blamed.label} did not list its models within ${listDeadlineMs / 1000} seconds.`);
    if (thrown instanceof SyntaxError)
      throw new Fault("provider_malformed", `${blamed.label} did not answer with a list of models. Check the address.`);
    throw providerFault(thrown, blamed);
  } finally {
    limit.end();
  }
}

/** `gpt-5-2025-08-07` without its date. */
const undated = (id: string): string => id.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8})$/, "");

/**
 * Catalogue entries of a provider's list, in display order, its best model marked as flagship.
 * What is no chat model goes, and so do dated twins of a model.
 */
export function entriesOf(provider: string, listed: readonly ListedModel[]): CatalogueEntry[] {
  const ids = new Set(listed.map(({ id }) => id));
  const shown = listed.filter(({ id }) => isChatModel(id) && (undated(id) === id || !ids.has(undated(id))));
  return flagged(shown.toSorted((a, b) => newestFirst(a.id, b.id)).map((model) => entryOf(provider, model)));
}

/** Entries of the models that an operator named, in the given order. */
export const chosenEntries = (provider: string, ids: readonly string[]): CatalogueEntry[] =>
  flagged([...new Set(ids)].map((id) => entryOf(provider, { id })));

function flagged(entries: readonly CatalogueEntry[]): CatalogueEntry[] {
  const best = autoModel("best", entries)?.key;
  return entries.map((entry) => ({ ...entry, flagship: entry.key === best }));
}
