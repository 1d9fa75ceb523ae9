/** The routes of conversations. */
import { followUpBody, modelBody, retryBody, startBody } from "../../contract/bodies.ts";
import type { StreamAccepted } from "../../contract/records.ts";
import { HttpError } from "../http-error.ts";
import type { Call, Handlers } from "../http.ts";
import { modelById } from "../models.ts";
import { projectInHeader } from "../projects/header.ts";
import { json, listPage, noContent } from "../responses.ts";
import { readRules, restrictionOf } from "../rules.ts";
import type { ConversationRow } from "../schema.ts";
import { deleteOwn, listConversations, nextModel, ownConversation, readMessages, wholeReply } from "./read.ts";
import { conversationRecord } from "./record.ts";
import { followUp, retry, start, type Reply, type SendContext } from "./send.ts";
import { updateConversation } from "./store.ts";

/** The conversation that the path names, if it is the caller's. */
const named = ({ ctx, caller, param }: Call): Promise<ConversationRow> => ownConversation(ctx, caller, param("id"));

const accepted = ({ conversationId, messageId }: Reply): Response =>
  json(200, { conversation_context_id: conversationId, message_id: messageId } satisfies StreamAccepted & { message_id: number });

const whole = async (ctx: SendContext, reply: Reply): Promise<Response> => json(200, await wholeReply(ctx, reply));

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
    "POST /conversation": async (call) =>
      whole(ctx, await start(ctx, call.caller, await call.body(startBody), projectInHeader(call.request))),
    "POST /conversation/stream": async (call) =>
      accepted(await start(ctx, call.caller, await call.body(startBody), projectInHeader(call.request))),
    "POST /conversation/:id": async (call) => whole(ctx, await followUp(ctx, await named(call), await call.body(followUpBody))),
    "POST /conversation/:id/stream": async (call) =>
      accepted(await followUp(ctx, await named(call), await call.body(followUpBody))),
    "POST /conversation/:id/retry": async (call) =>
      accepted(await retry(ctx, await named(call), (await call.body(retryBody)).message_id)),

    "POST /conversation/:id/stop": async (call) => {
      const { id } = await named(call);
      await ctx.running.end(id, "stopped");
      return noContent();
    },

    "PATCH /conversation/:id/model": async (call) => {
      const conversation = await named(call);
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
      const { messages, total } = await readMessages(ctx, await named(call), call.page);
      return listPage(messages, call.page, total);
    },

    "GET /conversation": async ({ caller, page }) => {
      const { conversations, total } = await listConversations(ctx, caller, page);
      return listPage(conversations, page, total);
    },

    // The same path with an upgrade never comes here: the live channel takes it from the socket.
    "GET /conversation/:id/ws": async (call) => {
      await named(call);
      return json(426, { error: "this route is a WebSocket: send an upgrade request" }, { Upgrade: "websocket" });
    },

    "DELETE /conversation/:id": async ({ caller, param }) => {
      await deleteOwn(ctx, caller, param("id"));
      return noContent();
    },
  }) satisfies Handlers;
