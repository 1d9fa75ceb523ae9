/** `/tool`: any tool of the workspace that the asker's key may call. */
import type { WorkspaceTool } from "../../contract/records.ts";
import { argumentsOf } from "../tools/arguments.ts";
import { toolDrafts } from "../tools/form.ts";
import { runTool, toolNotEnabled } from "../tools/run.ts";
import { onlyReads } from "../tools/reads.ts";
import { readTyped } from "../tools/typed.ts";
import { literalMarkdown } from "../words.ts";
import type { Command, CommandContext, CommandResult } from "./table.ts";
import { oneLine } from "../shorten.ts";

const short = (text: string): string => literalMarkdown(oneLine(text, 100));

/** Permissions change without notice: a tool that is not known is looked for once more. */
async function findTool({ lists, signal }: CommandContext, name: string): Promise<WorkspaceTool | undefined> {
  const isIt = (tool: WorkspaceTool): boolean => tool.name.toLowerCase() === name.toLowerCase();
  return (await lists.tools({ signal })).find(isIt) ?? (await lists.tools({ signal, fresh: true })).find(isIt);
}

async function shownTools({ lists, signal }: CommandContext): Promise<CommandResult> {
  const all = await lists.tools({ signal, fresh: true });
  if (all.length === 0) return { tell: "Your workspace key may use no tools." };
  const rows = all.map(({ name, description }) => `- \`${name}\` ${short(description)}`);
  return {
    tell: `Your workspace key may use ${all.length === 1 ? "1 tool" : `${all.length} tools`}:\n\n${rows.join("\n")}\n\nRun one with \`/tool list_files\`; what it takes is asked for, or typed behind it as \`limit:5\`.`,
  };
}

export const tool: Command = {
  name: "tool",
  help: "Run a tool of the workspace; without a name, show those that you may use",
  options: [
    { name: "name", help: "The tool", type: "text", required: false, source: "tools" },
    { name: "arguments", help: "What it takes, as limit:5; without it you are asked", type: "text", required: false },
  ],
  order: "now",
  deed: "tool",
  async run({ name: typed = "", arguments: given = "" }, context) {
    const [name = "", ...rest] = typed.trim().split(/\s+/);
    if (name === "") return shownTools(context);
    const text = [typed.trim().slice(name.length).trim(), given.trim()].filter((part) => part !== "").join(" ");
    const found = await findTool(context, name);
    if (found === undefined) return toolNotEnabled(name, context, null);
    const known = argumentsOf(found.inputSchema);
    const forms = toolDrafts(found.name, known, context.limits?.formFields ?? known.length);
    if (text !== "" || rest.length > 0) {
      const { args, problems } = readTyped(known, text);
      if (problems.length === 0) return runTool(found.name, args, context);
      return { tell: problems.map((problem) => `- ${literalMarkdown(problem)}`).join("\n"), form: forms };
    }
    if (known.length === 0) return runTool(found.name, {}, context);
    const atOnce = onlyReads(found.name) && !known.some(({ required }) => required);
    if (!atOnce) return { tell: `\`${found.name}\` ${literalMarkdown(found.description)}`, form: forms };
    const result = await runTool(found.name, {}, context);
    return "tell" in result ? { ...result, form: forms } : result;
  },
};
