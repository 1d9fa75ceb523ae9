/** Calls a tool for somebody: asks first where it changes something, and shows what it answers. */
import { tools as known } from "../../contract/tools.ts";
import { WorkspaceFault } from "../../errors.ts";
import { explain } from "../turns/explain.ts";
import type { CommandContext, CommandResult } from "../commands/table.ts";
import { notEnabled } from "../commands/not-enabled.ts";
import { refusal } from "../refusal.ts";
import { literalMarkdown } from "../words.ts";
import type { Workspace } from "../workspace.ts";
import { uncertain } from "../workspace-faults.ts";
import { onlyReads } from "./reads.ts";
import { shownResult } from "./show.ts";

type Args = Readonly<Record<string, unknown>>;

const lost = "Nobody knows whether it was done. Look in the workspace before you ask for it again.";

/** As lines: what a tool would be called with. */
function shownArgs(args: Args): string {
  const lines = Object.entries(args).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `- **${literalMarkdown(name)}**: ${literalMarkdown(text.replace(/\s+/g, " "))}`;
  });
  return lines.length === 0 ? "With nothing given." : lines.join("\n");
}

/** That a key may not use a tool, and that there is no such tool, is told alike. */
export const toolNotEnabled = (tool: string, context: Pick<CommandContext, "may">, thrown: WorkspaceFault | null) =>
  notEnabled(`The tool ${tool}`, known.find(({ name }) => name === tool)?.permission ?? null, thrown, context);

export async function runTool(tool: string, args: Args, context: CommandContext): Promise<CommandResult> {
  if (onlyReads(tool)) return callTool(tool, args, context, context.workspace);
  return {
    propose: {
      deed: "write",
      tell: `This runs \`${tool}\`, which may change something or cost credits:\n\n${shownArgs(args)}`,
      command: "tool",
      choices: [{ label: "Do it", options: { name: tool, arguments: JSON.stringify(args) } }],
      begun: `This was begun before, and is not done twice. ${lost}`,
      run: (workspace) => callTool(tool, args, context, workspace),
    },
  };
}

async function callTool(tool: string, args: Args, context: CommandContext, workspace: Workspace): Promise<CommandResult> {
  const { lists, signal } = context;
  let answer: unknown;
  try {
    answer = await workspace.tools.call(tool, args, { signal });
  } catch (thrown) {
    if (!(thrown instanceof WorkspaceFault)) throw thrown;
    if (!onlyReads(tool) && uncertain(thrown)) return refusal("workspace", `${explain(thrown)} ${lost}`);
    if (thrown.kind === "forbidden") return toolNotEnabled(tool, context, thrown);
    if (thrown.kind !== "not_found") throw thrown;
    // Permissions change without notice: it may be the record that is not there, or the tool.
    const offered = await lists.tools({ signal, fresh: true });
    return offered.some(({ name }) => name === tool)
      ? refusal("not_found", `\`${tool}\` did not find that: ${thrown.message}.`)
      : toolNotEnabled(tool, context, thrown);
  }
  return shownAnswer(tool, args, answer, context);
}

async function shownAnswer(tool: string, args: Args, answer: unknown, { lists, signal }: CommandContext): Promise<CommandResult> {
  const offset = typeof args["offset"] === "number" ? args["offset"] : 0;
  const { markdown, count, total } = shownResult(answer, offset);
  const schema = (await lists.tools({ signal })).find(({ name }) => name === tool)?.inputSchema["properties"];
  const turns = typeof schema === "object" && schema !== null && "offset" in schema;
  const more = turns && count !== null && count > 0 && (total ?? 0) > offset + count;
  const next = JSON.stringify({ ...args, offset: offset + (count ?? 0) });
  return {
    tell: `\`${tool}\`\n\n${markdown}`,
    run: more ? [{ label: "More", name: "tool", options: { name: tool, arguments: next } }] : [],
  };
}
