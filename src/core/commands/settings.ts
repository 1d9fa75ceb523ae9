/** `/settings`: the finer choices of a thread or channel, which every message carries to the workspace. */
import { toolNames } from "../../contract/records.ts";
import { refusal } from "../refusal.ts";
import { followUpPolicies, streamings, type Settings } from "../settings.ts";
import { settingsForm } from "./settings-form.ts";
import type { Command, CommandContext, CommandResult } from "./table.ts";

type Change = { [Name in keyof Settings]?: Settings[Name] | undefined };

/** A remote tool server is chosen by its number, which nothing here can list yet. */
const switchable = toolNames.filter((name) => name !== "remote_mcp");
const switches: Readonly<Record<string, "worldKnowledge" | "flashMode" | "transcribe" | "footer">> = {
  world_knowledge: "worldKnowledge",
  flash_mode: "flashMode",
  transcribe: "transcribe",
  footer: "footer",
};
const choices: Readonly<Record<string, { readonly field: "followUps" | "streaming"; readonly values: readonly string[] }>> = {
  follow_ups: { field: "followUps", values: followUpPolicies },
  streaming: { field: "streaming", values: streamings },
};
const knowledgeBases = "knowledge_bases";
const names = [...Object.keys(switches), ...Object.keys(choices), ...switchable, knowledgeBases];

const onOff: Readonly<Record<string, boolean | undefined>> = { on: true, off: false, default: undefined };

/** A tool without an entry is left to the workspace, which may switch it on by itself; an entry, even an `off`, decides. */
function toolChange(settings: Settings, name: string, use: boolean | undefined): Change {
  const others = (settings.tools ?? []).filter((tool) => tool.name !== name);
  const tools = use === undefined ? others : [...others, { name, use }];
  return { tools: tools.length === 0 ? undefined : tools };
}

function knowledgeBaseChange(value: string): Change | undefined {
  if (value === "default") return { knowledgeBaseIds: undefined };
  const ids = value.split(/[\s,]+/).map(Number);
  return ids.every((id) => Number.isSafeInteger(id) && id > 0) ? { knowledgeBaseIds: ids } : undefined;
}

/** What is chosen here, a line each, and the names of what is not: those of the platform's own where they mean something on it. */
async function shown(context: CommandContext): Promise<CommandResult> {
  const settings = await context.settings.effective(context.command.place);
  const mine = context.limits?.ownSettings ?? [];
  const own = Object.entries(choices).filter(([name]) => mine.some((one) => one === name));
  const state = (use: boolean | undefined): string | undefined => (use === undefined ? undefined : use ? "on" : "off");
  const values: ReadonlyArray<readonly [name: string, value: string | undefined]> = [
    ...Object.entries(switches).map(([name, field]) => [name, state(settings[field])] as const),
    ...own.map(([name, { field }]) => [name, settings[field]] as const),
    ...switchable.map((name) => [name, state(settings.tools?.find((tool) => tool.name === name)?.use)] as const),
    [knowledgeBases, settings.knowledgeBaseIds?.join(", ")],
  ];
  const chosen = values.filter(([, value]) => value !== undefined).map(([name, value]) => `- \`${name}\` ${value}`);
  const usual = values.filter(([, value]) => value === undefined).map(([name]) => `\`${name}\``);
  const takes = [
    "Change one with `/settings web_search on`, `off` or `default`.",
    ...own.map(([name, { values: all }]) => `\`${name}\` takes ${all.join(", ")} or default.`),
    `\`${knowledgeBases}\` takes numbers.`,
  ];
  const parts = [
    chosen.length === 0 ? "Nothing is chosen here yet." : `Chosen here:\n\n${chosen.join("\n")}`,
    usual.length === 0 ? "" : `As by default: ${usual.join(", ")}.`,
    takes.join(" "),
  ];
  return { form: await settingsForm(context), tell: parts.filter((part) => part !== "").join("\n\n") };
}

async function choose(
  name: string,
  { field, values }: (typeof choices)[string],
  value: string,
  change: (change: Change) => Promise<void>,
): Promise<CommandResult> {
  if (value !== "default" && !values.includes(value))
    return refusal("bad_option", `\`${name}\` takes ${values.join(", ")} or default.`);
  await change({ [field]: value === "default" ? undefined : value });
  return { tell: `\`${name}\` is now **${value}** here.` };
}

export const settingsCommand: Command = {
  name: "settings",
  help: "Show or change tools, follow-ups, footer and the like here",
  options: [{ name: "change", help: "A name and its value, such as web_search off", type: "text", required: false }],
  changesPlace: true,
  order: "lane",
  deed: "settings",
  opensForm: true,
  form: settingsForm,
  async run({ change: wish = "" }, context) {
    const { command, settings, may } = context;
    const [name = "", ...rest] = wish
      .trim()
      .toLowerCase()
      .split(/[\s:=]+/);
    if (name === "") return shown(context);
    if (!names.includes(name)) return refusal("bad_option", `There is no setting “${name}”: expected ${names.join(", ")}.`);
    if (name === knowledgeBases && !(await may("admin"))) return refusal("not_allowed", `\`${name}\` is for operators.`);
    const value = rest.join(" ");
    const choice = choices[name];
    if (choice !== undefined) return choose(name, choice, value, (change) => settings.change(command.place, change));
    const known = Object.hasOwn(onOff, value);
    if (name !== knowledgeBases && !known) return refusal("bad_option", `\`${name}\` takes on, off or default.`);
    const field = switches[name];
    const changed =
      name === knowledgeBases
        ? knowledgeBaseChange(value)
        : field === undefined
          ? toolChange(await settings.own(command.place), name, onOff[value])
          : { [field]: onOff[value] };
    if (changed === undefined)
      return refusal("bad_option", `\`${knowledgeBases}\` takes numbers with commas between them, or default.`);
    await settings.change(command.place, changed);
    return { tell: `\`${name}\` is now **${value}** here. It counts from the next message on.` };
  },
};
