/** Conversations: start, follow up, read, follow live, retry, stop, delete. */
import type { FollowUpBody, ModelBody, StartBody } from "../contract/bodies.ts";
import { looksLikeMessage } from "../contract/live.ts";
import type { Conversation, Message } from "../contract/records.ts";
import { WorkspaceFault } from "../errors.ts";
import { conversationIdIn, pageIn, type Page, type Paging } from "./answers.ts";
import { isObject } from "./fields.ts";
import type { Answer, CallOptions, Http, Identifier } from "./http.ts";
import type { Live } from "./live.ts";
import { readConversation, readMessage } from "./records.ts";

/** A finished exchange; without a message where the AI was not meant to answer. */
export interface Exchange {
  readonly conversationId: number;
  readonly message: Message | undefined;
}

/** `projectId` is the numeric ID: a slug would silently count as absent. */
export type StartOptions = CallOptions & { readonly projectId?: number };

// Answers with which a workspace says that it has no such route.
const noSuchRoute = [404, 405, 501];

const startCall = (body: StartBody, { projectId, ...rest }: StartOptions) => ({
  body,
  ...rest,
  ...(projectId !== undefined && { headers: { "x-project-id": String(projectId) } }),
});

const messageOf = ({ body }: Answer): Message | undefined => (looksLikeMessage(body) ? readMessage(body) : undefined);

export const conversationCalls = (http: Http, live: Live) => ({
  /** Stores the first message and returns at once; the reply is read with `follow` or `messages`. */
  async start(body: StartBody, options: StartOptions = {}): Promise<{ conversationId: number }> {
    return { conversationId: conversationIdIn(await http.call("POST /conversation/stream", startCall(body, options))) };
  },
  /** Stores the first message and returns once the reply is complete. */
  async startAndWait(body: StartBody, options: StartOptions = {}): Promise<Exchange> {
    const answer = await http.call("POST /conversation", { ...startCall(body, options), patient: true });
    return { conversationId: conversationIdIn(answer), message: messageOf(answer) };
  },
  async followUp(id: Identifier, body: FollowUpBody, options?: CallOptions): Promise<void> {
    await http.call("POST /conversation/:id/stream", { params: { id }, body, ...options });
  },
  /** Undefined where the AI was not meant to answer. */
  async followUpAndWait(id: Identifier, body: FollowUpBody, options?: CallOptions): Promise<Message | undefined> {
    return messageOf(await http.call("POST /conversation/:id", { params: { id }, body, patient: true, ...options }));
  },
  /** Messages, newest first. */
  async messages(id: Identifier, options: Paging & CallOptions = {}): Promise<Page<Message>> {
    const { signal, ...query } = options;
    const answer = await http.call("GET /conversation/:id", { params: { id }, query, ...(signal && { signal }) });
    // The interface does not show the envelope of this read, if it has one.
    return pageIn(answer, readMessage, (row) => isObject(row) && typeof row["isUser"] === "boolean");
  },
  async list(options: Paging & CallOptions = {}): Promise<Page<Conversation>> {
    const { signal, ...query } = options;
    return pageIn(await http.call("GET /conversation", { query, ...(signal && { signal }) }), readConversation);
  },
  /** Whole messages as they grow. Resolves once the channel is open; the iterable ends when it closes, for whatever reason. */
  follow(id: number, options?: CallOptions): Promise<AsyncIterable<Message>> {
    return live.follow(id, options);
  },
  /** Re-runs a failed message of the AI. */
  async retry(id: Identifier, messageId: number, options?: CallOptions): Promise<void> {
    await http.call("POST /conversation/:id/retry", { params: { id }, body: { message_id: messageId }, ...options });
  },
  /** Changes model, style or reasoning effort of later turns. */
  async changeModel(id: Identifier, body: ModelBody, options?: CallOptions): Promise<void> {
    await http.call("PATCH /conversation/:id/model", { params: { id }, body, ...options });
  },
  /** Asks the workspace to end the running reply. False where it has no such route, as the interface has none. */
  async stop(id: Identifier, options?: CallOptions): Promise<boolean> {
    try {
      await http.call("POST /conversation/:id/stop", { params: { id }, ...options });
      return true;
    } catch (fault) {
      if (fault instanceof WorkspaceFault && noSuchRoute.includes(fault.status)) return false;
      throw fault;
    }
  },
  /** The numeric ID only. */
  async remove(id: number, options?: CallOptions): Promise<void> {
    await http.call("DELETE /conversation/:id", { params: { id }, ...options });
  },
});
