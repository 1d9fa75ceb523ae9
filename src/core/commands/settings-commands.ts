/** Commands that choose how the workspace answers in this thread or channel. */
import type { ModelBody } from "../../contract/bodies.ts";
import { autoModelTypes } from "../../contract/records.ts";
import type { Settings } from "../settings.ts";
import { accountIdOf } from "../threads.ts";
import { refusal } from "../refusal.ts";
import { chooseAgent, chooseModel, chooseProject } from "./choose.ts";
import type { Command, CommandContext, CommandResult } from "./table.ts";

const isAuto = (value: string): value is (typeof autoModelTypes)[number] => (autoModelTypes as readonly string[]).includes(value);
const none = "none";

const where = ({ command }: CommandContext): string =>
  command.place.thread !== null ? "this thread" : command.direct === true ? "this chat" : "this channel";

/** Model, style and effort of a running conversation change by PATCH; without one they count from the next start on. */
async function changeRunning(context: CommandContext, body: ModelBody): Promise<void> {
  const { command, account, threads, workspace, signal } = context;
  const thread = await threads.get(command.place);
  if (thread !== undefined && accountIdOf(thread) === account.id)
    await workspace.conversations.changeModel(thread.conversationId, body, { signal });
}

/** Agent, project and automatic mode count only at a start: the place's next message begins a new conversation. */
async function beginAnew({ command, threads }: CommandContext): Promise<string> {
  if ((await threads.get(command.place)) === undefined) return "";
  await threads.forget(command.place);
  return " That needs a new conversation: your next message here begins one, without what was said before.";
}

async function changed(
  context: CommandContext,
  change: { [Name in keyof Settings]?: Settings[Name] | undefined },
  text: string,
): Promise<CommandResult> {
  await context.settings.change(context.command.place, change);
  return { tell: text };
}

export const model: Command = {
  name: "model",
  help: "Choose the model that answers here",
  options: [
    { name: "model", help: "A model's name, or best, balanced or fastest", type: "text", required: true, source: "models" },
  ],
  changesPlace: true,
  order: "lane",
  deed: "settings",
  async run({ model: wish = "" }, context) {
    const auto = wish.trim().toLowerCase();
    if (isAuto(auto)) {
      const anew = await beginAnew(context);
      return changed(
        context,
        { auto, model: undefined, agent: undefined },
        `The workspace now chooses the ${auto} model for each message in ${where(context)}.${anew}`,
      );
    }
    const chosen = await chooseModel(context.lists, wish, context.signal);
    if ("refusal" in chosen) return chosen;
    const { agent } = await context.settings.effective(context.command.place);
    const anew = agent === undefined ? "" : await beginAnew(context);
    if (agent === undefined) await changeRunning(context, { ai_model_id: chosen.id });
    return changed(
      context,
      { model: chosen, auto: undefined, agent: undefined },
      `**${chosen.name}** now answers in ${where(context)}.${anew}`,
    );
  },
};

export const style: Command = {
  name: "style",
  help: "Choose the style of the answers here",
  options: [{ name: "style", help: "A style's name; prompty is the usual one", type: "text", required: true }],
  changesPlace: true,
  order: "lane",
  deed: "settings",
  async run({ style: wish = "" }, context) {
    await changeRunning(context, { ai_style: wish });
    return changed(context, { style: wish }, `Answers in ${where(context)} now have the style **${wish}**.`);
  },
};

export const effort: Command = {
  name: "effort",
  help: "Choose how hard a thinking model thinks here",
  options: [{ name: "effort", help: "A tier of the model, such as low, medium or high", type: "text", required: true }],
  changesPlace: true,
  order: "lane",
  deed: "settings",
  async run({ effort: wish = "" }, context) {
    const { model: here } = await context.settings.effective(context.command.place);
    const known =
      here === undefined ? undefined : (await context.lists.models({ signal: context.signal })).find(({ ID }) => ID === here.id);
    if (known !== undefined && !known.reasoning_efforts.includes(wish)) {
      const text =
        known.reasoning_efforts.length === 0
          ? `${known.name} does not think in tiers.`
          : `${known.name} knows ${known.reasoning_efforts.join(", ")}.`;
      return { refusal: { code: "bad_option", text } };
    }
    await changeRunning(context, { reasoning_effort: wish });
    return changed(
      context,
      { effort: wish },
      `Thinking models now use the tier **${wish}** in ${where(context)}. Others go on without.`,
    );
  },
};

export const agent: Command = {
  name: "agent",
  help: "Choose the agent that answers here",
  options: [{ name: "agent", help: "An agent's name or tag, or none", type: "text", required: true, source: "agents" }],
  changesPlace: true,
  order: "lane",
  deed: "settings",
  async run({ agent: wish = "" }, context) {
    if (wish.trim().toLowerCase() === none) {
      const anew = await beginAnew(context);
      return changed(context, { agent: undefined }, `No agent answers in ${where(context)} any more.${anew}`);
    }
    const chosen = await chooseAgent(context.lists, wish, context.signal);
    if ("refusal" in chosen) return chosen;
    const anew = await beginAnew(context);
    return changed(
      context,
      { agent: chosen, model: undefined, auto: undefined },
      `The agent **${chosen.name}** now answers in ${where(context)}.${anew}`,
    );
  },
};

export const project: Command = {
  name: "project",
  help: "Choose the project that conversations here belong to",
  options: [{ name: "project", help: "A project's name, or none", type: "text", required: true, source: "projects" }],
  changesPlace: true,
  order: "lane",
  deed: "settings",
  async run({ project: wish = "" }, context) {
    // The shared key's projects are its owner's to show.
    if (context.account.kind === "shared" && !(await context.may("admin")))
      return refusal("operators_only", "Projects of the team's account are for operators to choose.");
    if (wish.trim().toLowerCase() === none) {
      const anew = await beginAnew(context);
      return changed(context, { project: undefined }, `Conversations in ${where(context)} belong to no project any more.${anew}`);
    }
    const chosen = await chooseProject(context.lists, wish, context.signal);
    if ("refusal" in chosen) return chosen;
    const anew = await beginAnew(context);
    return changed(context, { project: chosen }, `Conversations in ${where(context)} now belong to **${chosen.name}**.${anew}`);
  },
};

export const fresh: Command = {
  name: "new",
  help: "Begin a new conversation here; the next message knows nothing of the former ones",
  options: [],
  order: "lane",
  deed: "settings",
  async run(_options, { command, threads }) {
    await threads.forget(command.place);
    return { tell: "Your next message here begins a new conversation." };
  },
};
