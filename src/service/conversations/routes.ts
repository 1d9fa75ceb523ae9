/** The routes of conversations. */
import { followUpBody, modelBody, retryBody, startBody } from "../../contract/bodies.ts";
import { errorTexts } from "../../contract/errors.ts";
import { isNumericId } from "../../contract/identifiers.ts";
import type { StreamAccepted } from "../../contract/records.ts";
import { HttpError } from "../http-error.ts";
import type { Call, Handlers } from "../http.ts";
import { modelById } from "../models.ts";
import { json, listPage, noContent } from "../responses.ts";
import { readRules, restrictionOf } from "../rules.ts";
import type { ConversationRow } from "../schema.ts";
import { choose } from "./choice.ts";
import { conversationRecord, messageRecord, relatedTo } from "./record.ts";
import { followUp, retry, start, type Reply, type SendContext } from "./send.ts";
import { conversationOf, conversationsOf, deleteConversation, messageById, messagesOf, updateConversation } from "./store.ts";

/** The conversation that the path names, if it is the caller's. */
async function ownConversation({ ctx, caller, param }: Call): Promise<ConversationRow> {
  const found = await conversationOf(ctx, caller.userId, param("id"));
  if (found === undefined) throw new HttpError(404, errorTexts.conversationNotFound);
  return found;
}

/** The header `X-Project-ID`; a value that is not a whole number counts as absent. */
const projectOf = ({ request }: Call): number | null => {
  const value = request.headers.get("x-project-id")?.trim() ?? "";
  return isNumericId(value) ? Number(value) : null;
};

const accepted = ({ conversationId, messageId }: Reply): Response =>
  json(200, { conversation_context_id: conversationId, message_id: messageId } satisfies StreamAccepted & { message_id: number });

/** Waits for the reply: the finished message without `raw_text`, or 503 with the reason of its failure. */
async function whole(ctx: SendContext, { messageId, done }: Reply): Promise<Response> {
  await done;
  const row = await messageById(ctx, messageId);
  if (row === undefined) throw new HttpError(404, errorTexts.conversationNotFound);
  if (row.error_text !== null) {
    throw new HttpError(503, { error: row.error_text, ...(row.error_code === null ? {} : { error_code: row.error_code }) });
  }
  const { raw_text: _raw, ...message } = messageRecord(row, (await relatedTo(ctx, [row]))(row));
  return json(200, message);
}

/** The model that would answer now; 0 when none could. */
async function nextModel(ctx: SendContext, conversation: ConversationRow): Promise<number> {
  try {
    return (await choose(ctx, conversation, "")).model.id;
  } catch (thrown) {
    if (thrown instanceof HttpError) return 0;
    throw thrown;
  }
}

async function checkModel(ctx: SendContext, id: number): Promise<void> {
  const model = await modelById(ctx, id);
  if (model === undefined) throw new HttpError(503, "AI model not found");
  const restriction = restrictionOf(await readRules(ctx.db), model);
  if (restriction === undefined) return;
  const code = restriction.code === undefined ? {} : { error_code: restriction.code };
  throw new HttpError(503, { error: restriction.text, ...code });
}

export const conversationHandlers = (ctx: SendContext) =>
  ({
    "POST /conversation": async (call) => whole(ctx, await start(ctx, call.caller, await call.body(startBody), projectOf(call))),
    "POST /conversation/stream": async (call) =>
      accepted(await start(ctx, call.caller, await call.body(startBody), projectOf(call))),
    "POST /conversation/:id": async (call) =>
      whole(ctx, await followUp(ctx, await ownConversation(call), await call.body(followUpBody))),
    "POST /conversation/:id/stream": async (call) =>
      accepted(await followUp(ctx, await ownConversation(call), await call.body(followUpBody))),
    "POST /conversation/:id/retry": async (call) =>
      accepted(await retry(ctx, await ownConversation(call), (await call.body(retryBody)).message_id)),

    "POST /conversation/:id/stop": async (call) => {
      const { id } = await ownConversation(call);
      await ctx.running.end(id, "stopped");
      return noContent();
    },

    "PATCH /conversation/:id/model": async (call) => {
      const conversation = await ownConversation(call);
      const { ai_model_id, ai_style, reasoning_effort } = await call.body(modelBody);
      if (ai_model_id !== undefined) await checkModel(ctx, ai_model_id);
      const changed = await updateConversation(ctx, conversation.id, {
        // A model that somebody chose ends the automatic choice.
        ...(ai_model_id === undefined ? {} : { ai_model_id, auto_model_type: null }),
        ...(ai_style === undefined ? {} : { ai_style }),
        ...(reasoning_effort === undefined ? {} : { reasoning_effort }),
      });
      return json(200, conversationRecord(changed, await nextModel(ctx, changed)));
    },

    "GET /conversation/:id": async (call) => {
      const { id } = await ownConversation(call);
      const { rows, total } = await messagesOf(ctx, id, call.page);
      const related = await relatedTo(ctx, rows);
      return listPage(
        rows.map((row) => messageRecord(row, related(row))),
        call.page,
        total,
      );
    },

    "GET /conversation": async ({ caller, page }) => {
      const { rows, total } = await conversationsOf(ctx, caller.userId, page);
      // Most conversations of a page choose alike, and each choice asks the database.
      const known = new Map<string, number>();
      const records = [];
      for (const row of rows) {
        const alike = JSON.stringify([row.agent_id, row.auto_model_type, row.ai_model_id, row.project_id]);
        const next = known.get(alike) ?? (await nextModel(ctx, row));
        known.set(alike, next);
        records.push(conversationRecord(row, next));
      }
      return listPage(records, page, total);
    },

    // The same path with an upgrade never comes here: the live channel takes it from the socket.
    "GET /conversation/:id/ws": async (call) => {
      await ownConversation(call);
      return json(426, { error: "this route is a WebSocket: send an upgrade request" }, { Upgrade: "websocket" });
    },

    "DELETE /conversation/:id": async (call) => {
      if (!isNumericId(call.param("id"))) throw new HttpError(400, "expected the numeric ID of a conversation");
      const { id } = await ownConversation(call);
      await deleteConversation(ctx, id);
      await ctx.running.end(id, "deleted");
      ctx.hub.end(id);
      return noContent();
    },
  }) satisfies Handlers;
