/** Who answers a turn: an agent or none, and which model, in which style and with which effort. */
import { errorTexts } from "../../contract/errors.ts";
import { defaultStyle, type AutoModelType } from "../../contract/records.ts";
import { ownAgent, ownAgents } from "../agents/store.ts";
import type { ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { listModels, modelById, type StoredModel } from "../models.ts";
import { visibleProject } from "../projects/store.ts";
import { autoModel } from "../providers/auto-model.ts";
import { readRules, restrictionOf, type Rules } from "../rules.ts";
import type { AgentRow } from "../agents/schema.ts";
import type { ConversationRow } from "../schema.ts";
import { mentioned } from "./mention.ts";

export interface Choice {
  readonly model: StoredModel;
  readonly agent: AgentRow | null;
  readonly isAuto: boolean;
  readonly style: string;
  /** Null for models that do not think, and for agents. */
  readonly effort: string | null;
}

/** Any failure of a conversation that has no status of its own. */
const unavailable = (error: string): HttpError => new HttpError(503, error);

/** The agent that `message` mentions, or else the one whose chat this is. */
async function agentFor(ctx: ServiceContext, conversation: ConversationRow, message: string): Promise<AgentRow | null> {
  // Agents of nobody but the conversation's owner can be mentioned.
  const own = message.includes("@") ? await ownAgents(ctx, conversation.user_id) : [];
  const invited = JSON.parse(conversation.invited_agent_ids) as number[];
  const agent = mentioned(message, invited.length === 0 ? own : own.filter(({ id }) => invited.includes(id)));
  if (agent !== undefined) return agent;
  if (conversation.agent_id === null) return null;
  const chat = await ownAgent(ctx, conversation.user_id, conversation.agent_id);
  if (chat === undefined) throw unavailable("the agent of this conversation no longer exists");
  return chat;
}

async function byId(ctx: ServiceContext, id: number): Promise<StoredModel> {
  const model = await modelById(ctx, id);
  if (model === undefined) throw unavailable("AI model not found");
  return model;
}

async function automatic(ctx: ServiceContext, type: string, rules: Rules): Promise<StoredModel> {
  const usable = (await listModels(ctx)).filter((model) => restrictionOf(rules, model) === undefined);
  const chosen = autoModel(
    type as AutoModelType,
    usable.map((model) => ({ ...model.entry, model })),
  );
  if (chosen === undefined) throw unavailable(errorTexts.noModel);
  return chosen.model;
}

/** The model of a turn without an agent: the automatic choice, then the chosen model, then the project's. */
async function modelFor(
  ctx: ServiceContext,
  conversation: ConversationRow,
  rules: Rules,
): Promise<{ model: StoredModel; isAuto: boolean }> {
  if (conversation.auto_model_type !== null) {
    return { model: await automatic(ctx, conversation.auto_model_type, rules), isAuto: true };
  }
  if (conversation.ai_model_id !== null) return { model: await byId(ctx, conversation.ai_model_id), isAuto: false };
  const project =
    conversation.project_id === null ? undefined : await visibleProject(ctx, conversation.user_id, conversation.project_id);
  if (project?.auto_model_type) return { model: await automatic(ctx, project.auto_model_type, rules), isAuto: true };
  if (project?.ai_model_id) return { model: await byId(ctx, project.ai_model_id), isAuto: false };
  throw unavailable(errorTexts.noModel);
}

/** The effort that a model is asked for: the wanted one where it has it, else its default; null when it does not think. */
function effortOf({ entry }: StoredModel, wanted: string | null): string | null {
  if (!entry.thinking_model) return null;
  if (wanted !== null && entry.reasoning_efforts.includes(wanted)) return wanted;
  return entry.default_reasoning_effort === "" ? null : entry.default_reasoning_effort;
}

/** Throws HttpError 503 when a rule of the workspace blocks `model`; the code is there for data residency. */
function checkUsable(rules: Rules, model: StoredModel): void {
  const restriction = restrictionOf(rules, model);
  if (restriction === undefined) return;
  throw new HttpError(503, {
    error: restriction.text,
    ...(restriction.code === undefined ? {} : { error_code: restriction.code }),
  });
}

/** Who answers `message` in `conversation`. Throws HttpError 503 when nobody can or may. */
export async function choose(ctx: ServiceContext, conversation: ConversationRow, message: string): Promise<Choice> {
  const rules = await readRules(ctx.db);
  const agent = await agentFor(ctx, conversation, message);
  if (agent !== null) {
    if (agent.ai_model_id === 0) throw unavailable(errorTexts.noModel);
    const model = await byId(ctx, agent.ai_model_id);
    checkUsable(rules, model);
    return { model, agent, isAuto: false, style: defaultStyle, effort: null };
  }
  const { model, isAuto } = await modelFor(ctx, conversation, rules);
  checkUsable(rules, model);
  return { model, agent, isAuto, style: conversation.ai_style, effort: effortOf(model, conversation.reasoning_effort) };
}
