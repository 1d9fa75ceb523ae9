/** Tools of conversations. */
import { z } from "zod";
import { followUpBody, startBody } from "../../contract/bodies.ts";
import { autoModelTypes } from "../../contract/records.ts";
import { checked } from "../body.ts";
import { HttpError } from "../http-error.ts";
import { identifier, listed, paging, spanOf, tool, type Tools } from "../tools/tool.ts";
import { deleteOwn, listConversations, nextModel, ownConversation, readMessages, wholeReply } from "./read.ts";
import { conversationRecord } from "./record.ts";
import { followUp, start, type SendContext } from "./send.ts";

const id = z.int().nonnegative();

/** What only a start takes: a conversation that has begun keeps what it began with. */
const startFields = {
  ai_model_id: id.describe("The model that answers"),
  auto_model_type: z.enum(autoModelTypes).describe("Chooses the model by itself, whatever ai_model_id says"),
  ai_style: z.string().describe("Style of the answers"),
  reasoning_effort: z.string().describe("One of the model's own efforts"),
  agent_id: id.describe("Your own agent that answers every message"),
  project_id: id.describe("Project that the conversation belongs to"),
};

const sendInput = z
  .strictObject({
    message: z.string().min(1).describe("What to say; @ and an agent's tag asks that agent"),
    conversation_id: identifier("conversation to go on with; without it a new one begins"),
    file_ids: z.array(id).describe("Your files to attach"),
    ...startFields,
  })
  .partial()
  .required({ message: true });

/** Sends to a conversation of the caller's, or to a new one. Throws HttpError 400 for what a conversation cannot change any more. */
async function send(
  ctx: SendContext,
  caller: Parameters<typeof start>[1],
  { conversation_id, file_ids, project_id, ...asked }: z.output<typeof sendInput>,
) {
  const body = { ...asked, attachments: file_ids?.map((file) => ({ id: file, type: "file" as const })) };
  if (conversation_id === undefined) return start(ctx, caller, checked(body, startBody, "the arguments"), project_id ?? null);
  const tooLate = Object.keys(startFields).find(
    (name) => ({ ...asked, project_id })[name as keyof typeof startFields] !== undefined,
  );
  if (tooLate !== undefined)
    throw new HttpError(400, `${tooLate}: expected only where a conversation begins, without conversation_id`);
  const conversation = await ownConversation(ctx, caller, conversation_id);
  return followUp(ctx, conversation, checked(body, followUpBody, "the arguments"));
}

export const conversationTools = (ctx: SendContext) =>
  ({
    list_conversations: tool({
      description: "Lists your conversations, newest first.",
      input: z.strictObject(paging),
      async run({ caller }, span) {
        const { conversations, total } = await listConversations(ctx, caller, spanOf(span));
        return listed(conversations, total);
      },
    }),

    get_conversation: tool({
      description: "Reads one of your conversations and its messages, newest first.",
      input: z.strictObject({ id: identifier("conversation"), ...paging }),
      async run({ caller }, { id: idOrSlug, ...span }) {
        const conversation = await ownConversation(ctx, caller, idOrSlug);
        const { messages, total } = await readMessages(ctx, conversation, spanOf(span));
        return { conversation: conversationRecord(conversation, await nextModel(ctx, conversation)), ...listed(messages, total) };
      },
    }),

    send_message: tool({
      description: "Sends a message to a conversation, or to a new one, and waits for the whole answer.",
      input: sendInput,
      run: async ({ caller }, asked) => wholeReply(ctx, await send(ctx, caller, asked)),
    }),

    delete_conversation: tool({
      description: "Deletes one of your conversations with all its messages, for good.",
      input: z.strictObject({ id: id.describe("ID of the conversation") }),
      async run({ caller }, { id: numericId }) {
        await deleteOwn(ctx, caller, String(numericId));
        return { deleted: numericId };
      },
    }),
  }) satisfies Tools;
