/** What the core needs of the workspace; `client` meets it structurally. Every call throws `WorkspaceFault`. */
import type { FollowUpBody, ModelBody, StartBody } from "../contract/bodies.ts";
import type { Agent, AiModel, Conversation, Message, Project, UnsavedMessage, WorkspaceFile } from "../contract/records.ts";

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** One page of a list; `total` counts all pages where the workspace says so. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number | undefined;
}

export interface Workspace {
  readonly conversations: {
    /** Stores the first message and returns at once. `projectId` is the numeric ID, never a slug. */
    start(body: StartBody, options?: CallOptions & { projectId?: number }): Promise<{ conversationId: number }>;
    /** Stores a further message and returns at once. */
    followUp(conversationId: number, body: FollowUpBody, options?: CallOptions): Promise<void>;
    /** Messages, newest first. */
    messages(conversationId: number, options?: CallOptions & { page?: number; size?: number }): Promise<Page<Message>>;
    list(options?: CallOptions & { page?: number; size?: number }): Promise<Page<Conversation>>;
    /** Whole messages as they grow. Resolves once the channel is open; the iterable ends when it closes, for whatever reason. */
    follow(conversationId: number, options?: CallOptions): Promise<AsyncIterable<Message>>;
    retry(conversationId: number, messageId: number, options?: CallOptions): Promise<void>;
    changeModel(conversationId: number, body: ModelBody, options?: CallOptions): Promise<void>;
    /** Asks the workspace to end the running reply. False where it has no such route. */
    stop(conversationId: number, options?: CallOptions): Promise<boolean>;
  };
  readonly models: {
    list(options?: CallOptions & { search?: string; legacy?: boolean }): Promise<readonly AiModel[]>;
  };
  readonly agents: {
    /** All pages. `shared: false` gives only the caller's own, the only ones that can be mentioned. */
    all(options?: CallOptions & { shared?: boolean }): Promise<readonly Agent[]>;
  };
  readonly projects: {
    /** All pages. */
    all(options?: CallOptions & { search?: string }): Promise<readonly Project[]>;
  };
  readonly files: {
    /** Uploads one file as it is read; nothing is held whole. */
    upload(name: string, mediaType: string, content: AsyncIterable<Uint8Array>, options?: CallOptions): Promise<WorkspaceFile>;
  };
  /** Free-text run: nothing is kept. */
  run(prompt: string, options?: CallOptions & { modelId?: number }): Promise<UnsavedMessage>;
}
