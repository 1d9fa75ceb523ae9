/** What the core needs of the workspace; `client` meets it structurally. Every call throws `WorkspaceFault`. */
import type { FollowUpBody, ModelBody, StartBody } from "../contract/bodies.ts";
import type { JobBodies, JobModels, MediaJob, RestJobKind } from "../contract/media.ts";
import type { Prompt, PromptRun, PromptRunEntry } from "../contract/prompt-records.ts";
import type {
  Agent,
  AiModel,
  Conversation,
  Message,
  Project,
  UnsavedMessage,
  WorkspaceFile,
  WorkspaceTool,
} from "../contract/records.ts";

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
    /** Deletes a conversation for good. */
    remove(conversationId: number, options?: CallOptions): Promise<void>;
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
  readonly prompts: {
    /** All pages of own, shared and favourite prompts, the last run first. */
    all(options?: CallOptions & { search?: string; workspaceShared?: boolean }): Promise<readonly Prompt[]>;
    /** Own prompts outside projects or, with a project's numeric ID, that project's. */
    list(options?: CallOptions & { search?: string; projectId?: number; page?: number; size?: number }): Promise<Page<Prompt>>;
    /** At most 8, the last run first. */
    lastUsed(options?: CallOptions): Promise<readonly Prompt[]>;
    /** At most 8. */
    mostUsed(options?: CallOptions): Promise<readonly Prompt[]>;
    /** At most 8 of the caller's own, newest first. */
    recentlyAdded(options?: CallOptions): Promise<readonly Prompt[]>;
    favorites(options?: CallOptions): Promise<readonly Prompt[]>;
    /**
     * Runs a prompt and waits for its answer; a variable that is left out has its default. A failed run is answered too:
     * look at `run_status`.
     */
    run(
      id: number,
      values: ReadonlyArray<{ readonly variable_id: number; readonly value: string }>,
      options?: CallOptions,
    ): Promise<PromptRun>;
    /** The caller's latest run once more, with `text` in the primary variable. */
    replay(id: number, text: string, options?: CallOptions): Promise<PromptRun>;
    /** The caller's runs, newest first, with the values that their variables had. */
    runHistory(id: number, options?: CallOptions & { page?: number; size?: number }): Promise<Page<PromptRunEntry>>;
  };
  readonly files: {
    /** Uploads one file as it is read; nothing is held whole. */
    upload(name: string, mediaType: string, content: AsyncIterable<Uint8Array>, options?: CallOptions): Promise<WorkspaceFile>;
    /** The bytes of a file record's `path`, as they come. The key goes to the workspace's own origin only. */
    download(path: string, options?: CallOptions): Promise<AsyncIterable<Uint8Array>>;
    /** Whether anybody can read `path` without a key, by trying it. Never throws for an address that cannot be read. */
    isPublic(path: string, options?: CallOptions): Promise<boolean>;
  };
  /** Each call waits for the whole work. After a lost answer it is not known whether the picture was made and paid for. */
  readonly images: {
    generate(prompt: string, options?: CallOptions): Promise<WorkspaceFile>;
    /** A new picture made from one of the caller's files, which stays as it is. */
    edit(prompt: string, fileId: number, options?: CallOptions): Promise<WorkspaceFile>;
  };
  /** Background jobs of the kinds that have documented paths; those of the others are begun and read by tools. */
  readonly jobs: {
    models<K extends RestJobKind>(kind: K, options?: CallOptions): Promise<ReadonlyArray<JobModels[K]>>;
    /** Begins a job; it comes back as `queued`. */
    create<K extends RestJobKind>(kind: K, body: JobBodies[K], options?: CallOptions): Promise<MediaJob>;
    /** With the true `credit_cost`. */
    read(kind: RestJobKind, id: number | string, options?: CallOptions): Promise<MediaJob>;
    /** Newest first; `credit_cost` is always 0 here. */
    list(kind: RestJobKind, options?: CallOptions & { page?: number; size?: number; status?: string }): Promise<Page<MediaJob>>;
    /** Begins a failed job anew. */
    retry(kind: RestJobKind, id: number | string, options?: CallOptions): Promise<void>;
    /** Success does not say that there was such a job. */
    remove(kind: RestJobKind, id: number, options?: CallOptions): Promise<void>;
  };
  readonly tools: {
    /** What this key may call now, all pages. */
    list(options?: CallOptions): Promise<readonly WorkspaceTool[]>;
    /**
     * Calls a tool and gives the JSON value that it answers. Faults beside those of every call: `not_found` for a tool that
     * does not exist or that the key may not call, both alike; `rejected` or `quota` when the tool itself says no.
     */
    call(name: string, args: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<unknown>;
  };
  /** Free-text run: nothing is kept. */
  run(prompt: string, options?: CallOptions & { modelId?: number }): Promise<UnsavedMessage>;
}
