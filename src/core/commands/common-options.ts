/** Options that several commands have. */
import type { OptionInfo, SuggestionSource } from "./types.ts";

export const yesOrNo = (name: string, help: string): OptionInfo => ({
  name,
  help,
  type: "choice",
  required: false,
  choices: [
    { value: "yes", label: "Yes" },
    { value: "no", label: "No" },
  ],
});

/** The model of a job. @param source the workspace's catalogue of its kind */
export const mediaModel = (source: SuggestionSource): OptionInfo => ({
  name: "model",
  help: "Model; without it the one that the workspace preselects",
  type: "text",
  required: false,
  source,
});
