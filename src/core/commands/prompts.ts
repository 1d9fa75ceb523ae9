/** Saved prompts: the lists of them, and running one. */
import type { Prompt } from "../../contract/prompt-records.ts";
import { promptForm } from "../prompts/form.ts";
import { variablesOf } from "../prompts/variables.ts";
import { refusal } from "../refusal.ts";
import { literalMarkdown } from "../words.ts";
import { choosePrompt } from "./choose.ts";
import { orNotEnabled } from "./not-enabled.ts";
import type { Command, CommandContext } from "./table.ts";
import { oneLine } from "../shorten.ts";

/** As many as a message has buttons for, with room to read. */
const mostShown = 10;

const lists = {
  all: "Your prompts and those shared with you, the last run first",
  own: "Your own prompts, newest first",
  favorites: "Your favourites",
  last_used: "Run last",
  most_used: "Run most",
} as const;
type ListName = keyof typeof lists;

const load: Readonly<Record<ListName, (context: CommandContext, search: string) => Promise<readonly Prompt[]>>> = {
  all: ({ workspace, signal }, search) =>
    workspace.prompts.all({ signal, workspaceShared: true, ...(search === "" ? {} : { search }) }),
  own: async ({ workspace, signal }, search) =>
    (await workspace.prompts.list({ signal, size: 100, ...(search === "" ? {} : { search }) })).items,
  favorites: ({ workspace, signal }) => workspace.prompts.favorites({ signal }),
  last_used: ({ workspace, signal }) => workspace.prompts.lastUsed({ signal }),
  most_used: ({ workspace, signal }) => workspace.prompts.mostUsed({ signal }),
};

const short = (text: string): string => oneLine(text, 120);

export const prompts: Command = {
  name: "prompts",
  help: "Show your saved prompts, each with a button that runs it",
  options: [
    { name: "search", help: "Words of its name or description", type: "text", required: false },
    {
      name: "show",
      help: "Which of them; without it all",
      type: "choice",
      required: false,
      choices: Object.entries(lists).map(([value, label]) => ({ value, label })),
    },
  ],
  order: "now",
  deed: "list",
  tool: "list_prompts",
  run: ({ search = "", show = "all" }, context) =>
    orNotEnabled("Saved prompts", "prompts_get", context, async () => {
      const wanted = search.trim().toLowerCase();
      // Choices were checked against the lists.
      const name = show as ListName;
      const matches = ({ name: title, description }: Prompt): boolean =>
        `${title}\n${description}`.toLowerCase().includes(wanted);
      const found = (await load[name](context, wanted)).filter((one) => wanted === "" || matches(one));
      if (found.length === 0)
        return { tell: wanted === "" ? "There are no such prompts." : "No prompt has these words in its name or description." };
      const shown = found.slice(0, mostShown);
      const rows = shown.map(({ name: title, description, is_favorite }) => {
        const words = short(description);
        return `- **${literalMarkdown(short(title))}**${is_favorite ? " ★" : ""}${words === "" ? "" : ` ${literalMarkdown(words)}`}`;
      });
      const rest = found.length - shown.length;
      const more = rest === 0 ? "" : `\n\n${shown.length} of ${found.length}. \`/prompts\` with words finds the others.`;
      return {
        tell: `${lists[name]}:\n\n${rows.join("\n")}${more}`,
        run: shown.map(({ ID, name: title }) => ({
          label: `Run ${short(title)}`,
          name: "prompt",
          options: { name: String(ID) },
        })),
      };
    }),
};

export const prompt: Command = {
  name: "prompt",
  help: "Run one of your saved prompts; the answer forms in a thread that you can go on in",
  options: [{ name: "name", help: "The prompt's name", type: "text", required: true, source: "prompts" }],
  order: "now",
  deed: "prompt",
  tool: "run_prompt",
  run: ({ name: wish = "" }, context) =>
    orNotEnabled("Saved prompts", "prompts_get", context, async () => {
      const { workspace, lists: known, signal } = context;
      const chosen = await choosePrompt(known, wish, signal);
      if ("refusal" in chosen) return chosen;
      const { id, name } = chosen;
      const variables = await variablesOf(workspace, id, { signal });
      if (variables === undefined)
        return refusal(
          "workspace",
          `The workspace does not tell what “${name}” asks for. It tells once the prompt was run there, or when the key may use the tool get_prompt.`,
        );
      if (variables.length === 0) return { prompt: { id, name, values: [] } };
      const names = variables.map((one) => literalMarkdown(one.name)).join(", ");
      return { tell: `**${literalMarkdown(name)}** asks for ${names}.`, form: promptForm({ id, name, variables }) };
    }),
};
