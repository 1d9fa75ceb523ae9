/** What a send is checked for before anything of it is stored. */
import { errorTexts } from "../../contract/errors.ts";
import type { AttachmentRef, ToolChoice } from "../../contract/records.ts";
import type { ServiceContext } from "../context.ts";
import { ownFiles } from "../files/store.ts";
import { HttpError } from "../http-error.ts";
import { ownTranscripts } from "../media/transcripts.ts";
import { checkQuota } from "../quota.ts";
import { guardText } from "../rules.ts";
import { idsOf } from "./store.ts";

/** The part of a send body that starts and follow-ups share, as `followUpBody` gives it. */
export interface Sent {
  readonly message: string;
  readonly attachments?: readonly AttachmentRef[] | undefined;
  readonly knowledge_base_ids?: readonly number[] | undefined;
  readonly knowledge_base_limit_node_ids?: readonly number[] | undefined;
  readonly world_knowledge?: boolean | undefined;
  readonly flash_mode?: boolean | undefined;
  readonly tools?: ReadonlyArray<{ name: string; use: boolean; mcp_tool_id?: number | undefined }> | undefined;
}

/** Each attachment has to be one of the caller's files, or one of their transcriptions that is done. */
async function checkAttachments(ctx: ServiceContext, userId: number, attachments: readonly AttachmentRef[]): Promise<void> {
  const files = new Set((await ownFiles(ctx, userId, idsOf(attachments, "file"))).map(({ id }) => id));
  const transcripts = await ownTranscripts(ctx, userId, idsOf(attachments, "transcription"));
  for (const { type, id } of attachments) {
    const found = type === "file" ? files.has(id) : transcripts.has(id);
    if (!found) throw new HttpError(503, `the attached ${type} ${id} was not found or access is denied`);
    if (type === "transcription" && transcripts.get(id)?.status !== "done") {
      throw new HttpError(503, `the attached transcription ${id} is not done`);
    }
  }
}

/** Throws HttpError: 429 quota, 400 unknown knowledge base, tool server or sensitive text, 503 an attachment that is not the caller's. */
export async function checkSend(ctx: ServiceContext, userId: number, body: Sent): Promise<void> {
  await checkQuota(ctx, userId);
  // No knowledge base and no remote tool server can be made yet, so every id of one is unknown.
  if ((body.knowledge_base_ids ?? []).length > 0) throw new HttpError(400, errorTexts.knowledgeBaseNotFound);
  if ((body.tools ?? []).some(({ name, use }) => name === "remote_mcp" && use)) {
    throw new HttpError(400, { error: "the remote tool server was not found", error_code: "MCP_SERVER_NOT_FOUND" });
  }
  await guardText(ctx, body.message, "error_code");
  await checkAttachments(ctx, userId, body.attachments ?? []);
  if (body.message.trim() === "" && (body.attachments ?? []).length === 0) {
    throw new HttpError(503, "expected a message or an attachment, got neither");
  }
}

/** The tool entries as the record shows them. */
export const toolsOf = ({ tools = [] }: Sent): ToolChoice[] =>
  tools.map(({ name, use, mcp_tool_id }) => ({ name, use, ...(mcp_tool_id === undefined ? {} : { mcp_tool_id }) }));
