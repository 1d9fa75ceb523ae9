/** Conversations and messages as the interface shows them. */
import { fileTypeOf } from "../../contract/file-types.ts";
import type {
  Agent,
  AiModel,
  AttachmentRef,
  Citation,
  Conversation,
  Message,
  MessagePart,
  ToolChoice,
} from "../../contract/records.ts";
import { agentRecord } from "../agents/record.ts";
import { agentsById } from "../agents/store.ts";
import type { ServiceContext } from "../context.ts";
import { fileById, fileRecord } from "../files/store.ts";
import { jobRecord } from "../media/record.ts";
import { jobById } from "../media/store.ts";
import { modelById, modelRecord } from "../models.ts";
import { readRules } from "../rules.ts";
import type { ConversationRow, MessageRow } from "../schema.ts";
import { withCitationLinks } from "./citations.ts";

/** @param nextModel id of the model that would answer now; 0 when none is selected */
export const conversationRecord = (row: ConversationRow, nextModel: number): Conversation => ({
  ID: row.id,
  CreatedAt: row.created_at,
  UpdatedAt: row.updated_at,
  DeletedAt: null,
  slug: row.slug,
  userId: row.user_id,
  projectId: row.project_id,
  next_message_ai_model_id: nextModel,
  credits_used: row.credits_used,
  ...(row.name === null ? {} : { name: row.name }),
});

/** By its extension, as the kinds of files are told. */
const isPicture = (name: string): boolean => fileTypeOf(name.toLowerCase()) === "image";

function partsOf(row: MessageRow, text: string, attachments: Message["attachments"]): MessagePart[] {
  const parts: MessagePart[] = [];
  if (row.thinking !== null) {
    parts.push({ id: `${row.id}-thinking`, type: "thinking", static: false, thinking_part: { text: row.thinking } });
  }
  if (text !== "") parts.push({ id: `${row.id}-text`, type: "text", static: true, text_part: { text } });
  for (const { type: _kind, ...file } of attachments) {
    if (!isPicture(file.name ?? "")) continue;
    parts.push({ id: `${row.id}-file-${file.ID}`, type: "image_generation", static: true, image_generation_part: { file } });
  }
  return parts;
}

/** What a message shows of other records. */
export interface Related {
  readonly model: AiModel | null;
  readonly agent: Agent | null;
  readonly attachments: Message["attachments"];
}

export const attachmentsOf = (row: MessageRow): AttachmentRef[] => JSON.parse(row.attachments) as AttachmentRef[];

/** A message as reads and the live channel show it: an AI message with `raw_text`. */
export function messageRecord(row: MessageRow, related: Related): Message {
  const citations = JSON.parse(row.citations) as Citation[];
  const text = row.is_user === 1 ? row.text : withCitationLinks(row.text, citations);
  return {
    ID: row.id,
    CreatedAt: row.created_at,
    UpdatedAt: row.updated_at,
    DeletedAt: null,
    conversation_context_id: row.conversation_id,
    ai_model_id: row.ai_model_id,
    ai_model: related.model,
    agent_id: row.agent_id,
    agent: related.agent,
    is_auto_model: row.is_auto_model === 1,
    prompt_id: row.prompt_id,
    text,
    // A person's words are as they were written: a second and a third copy would only make a long message longer.
    ...(row.is_user === 1 ? {} : { raw_text: row.text }),
    parts: row.is_user === 1 ? [] : partsOf(row, text, related.attachments),
    thinking: row.thinking,
    isUser: row.is_user === 1,
    status: row.status,
    error_text: row.error_text,
    error_id: row.error_id,
    error_code: row.error_code,
    mcp_approval_requests: [],
    tools: JSON.parse(row.tools) as ToolChoice[],
    ai_style: row.ai_style,
    citations,
    knowledge_base_ids: JSON.parse(row.knowledge_base_ids) as number[],
    world_knowledge: row.world_knowledge === 1,
    response_duration_ms: row.response_duration_ms,
    type: "normal",
    attachments: related.attachments,
    ...(row.credits_used === null ? {} : { credits_used: row.credits_used }),
  };
}

/** What was deleted since keeps its place in the list. */
async function attachmentRecord(ctx: ServiceContext, { type, id }: AttachmentRef): Promise<Message["attachments"][number]> {
  if (type === "transcription") {
    const job = await jobById(ctx, id);
    if (job === undefined) return { type, ID: id };
    const { segments: _times, ...record } = await jobRecord(ctx, job);
    return { type, ...record };
  }
  const file = await fileById(ctx, id);
  return { type, ...(file === undefined ? { ID: id } : fileRecord(ctx, file)) };
}

/** Finds what messages show of other records, asking for each model, agent and file once. */
export async function relatedTo(ctx: ServiceContext, rows: readonly MessageRow[]): Promise<(row: MessageRow) => Related> {
  const distinct = (ids: readonly number[]): number[] => [...new Set(ids)].filter((id) => id > 0);
  const rules = await readRules(ctx.db);
  const models = new Map<number, AiModel>();
  for (const id of distinct(rows.map((row) => row.ai_model_id))) {
    const model = await modelById(ctx, id);
    if (model !== undefined) models.set(id, modelRecord(model, rules));
  }
  const agents = new Map<number, Agent>();
  for (const agent of await agentsById(ctx, distinct(rows.map((row) => row.agent_id ?? 0)))) {
    agents.set(agent.id, await agentRecord(ctx, agent));
  }
  const shown = new Map<string, Message["attachments"][number]>();
  const keyOf = ({ type, id }: AttachmentRef): string => `${type} ${id}`;
  for (const one of rows.flatMap(attachmentsOf)) {
    if (!shown.has(keyOf(one))) shown.set(keyOf(one), await attachmentRecord(ctx, one));
  }
  return (row) => ({
    model: models.get(row.ai_model_id) ?? null,
    agent: agents.get(row.agent_id ?? 0) ?? null,
    attachments: attachmentsOf(row).flatMap((one) => shown.get(keyOf(one)) ?? []),
  });
}

/** One message with everything it shows. */
export const wholeMessage = async (ctx: ServiceContext, row: MessageRow): Promise<Message> =>
  messageRecord(row, (await relatedTo(ctx, [row]))(row));
