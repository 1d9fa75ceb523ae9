/** What a composer offers while an option is typed. */
import type { Suggestion, SuggestionSource } from "./commands/types.ts";
import type { MediaModel } from "../contract/media.ts";
import { autoModelTypes } from "../contract/records.ts";
import { reasonOf } from "../errors.ts";
import type { Log } from "../log.ts";
import type { WorkspaceLists } from "./directory.ts";

/** As many as Discord shows. */
const most = 25;

const media = (models: readonly MediaModel[]): readonly Suggestion[] =>
  models
    .filter(({ selectable }) => selectable)
    .toSorted((a, b) => a.sort - b.sort)
    .map(({ name, description }) => ({ value: name, label: name, detail: description }));

async function all(lists: WorkspaceLists, source: SuggestionSource): Promise<readonly Suggestion[]> {
  switch (source) {
    case "models": {
      const models = (await lists.models()).filter(({ selectable }) => selectable);
      const automatic = autoModelTypes.map((value) => ({ value, label: value, detail: "the workspace chooses" }));
      return [...models.map(({ name, best_for }) => ({ value: name, label: name, detail: best_for })), ...automatic];
    }
    case "video_models":
      return media(await lists.videoModels());
    case "music_models":
      return media(await lists.musicModels());
    case "agents":
      return (await lists.agents()).map(({ tag, name, description }) => ({ value: tag, label: name, detail: description ?? "" }));
    case "projects":
      return (await lists.projects()).map(({ name, description }) => ({ value: name, label: name, detail: description }));
    case "prompts":
      return (await lists.prompts()).map(({ name, description }) => ({ value: name, label: name, detail: description }));
    case "tools":
      return (await lists.tools()).map(({ name, description }) => ({ value: name, label: name, detail: description }));
  }
}

/** Those that contain the query, those that begin with it first. A workspace that cannot be asked gives none. */
export async function suggestions(
  lists: WorkspaceLists,
  source: SuggestionSource,
  query: string,
  log: Log,
): Promise<readonly Suggestion[]> {
  const wanted = query.trim().toLowerCase();
  const rank = ({ value, label }: Suggestion): number => {
    const names = [value.toLowerCase(), label.toLowerCase()];
    if (names.some((name) => name.startsWith(wanted))) return 0;
    return names.some((name) => name.includes(wanted)) ? 1 : 2;
  };
  try {
    const found = (await all(lists, source)).filter((suggestion) => rank(suggestion) < 2);
    return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, most);
  } catch (thrown) {
    log.warn({ source, reason: reasonOf(thrown) }, "suggestions could not be read from the workspace");
    return [];
  }
}
