/** A workspace in memory that does what it is told, loses what it is told to lose, and remembers everything that it was asked. */
import { toolNotFound } from "../../src/contract/errors.ts";
import type { FollowUpBody, StartBody } from "../../src/contract/bodies.ts";
import type { Agent, AiModel, Conversation, Message, Project, WorkspaceFile, WorkspaceTool } from "../../src/contract/records.ts";
import type { Prompt, PromptRun, PromptRunEntry } from "../../src/contract/prompt-records.ts";
import { WorkspaceFault } from "../../src/errors.ts";
import type { Workspace } from "../../src/core/workspace.ts";
import { fakeMedia, type FakeMedia, type MediaCall } from "./workspace-media.ts";

type Call =
  | MediaCall
  | "start"
  | "followUp"
  | "messages"
  | "list"
  | "follow"
  | "retry"
  | "changeModel"
  | "stop"
  | "remove"
  | "upload"
  | "run"
  | "agents"
  | "models"
  | "projects"
  | "listTools"
  | "callTool"
  | "prompts"
  | "runPrompt"
  | "replayPrompt"
  | "promptHistory";

/** `before`: the call fails and nothing was done. `after`: it was done, and its answer is lost. */
export interface Failure {
  /** Another error stands for what nobody foresaw, as a store that is away. */
  readonly fault: Error;
  readonly when: "before" | "after";
}

/** Answers what its function makes of the arguments. */
export type FakeTool = WorkspaceTool & { readonly answer: (args: Readonly<Record<string, unknown>>) => unknown };

export interface FakeWorkspace extends Workspace {
  readonly calls: ReadonlyArray<{ readonly call: Call; readonly body: unknown }>;
  /** Fails the next calls of `call`, first in first out. */
  fail(call: Call, ...failures: Failure[]): void;
  /** The conversations that exist, with their messages, oldest first. */
  readonly held: ReadonlyMap<number, readonly Message[]>;
  /** The names of conversations that have one. */
  readonly names: Map<number, string>;
  /** Changes the newest AI message of a conversation, as a model would. */
  answer(conversationId: number, change: Partial<Message>): void;
  /** False: live channels open and never deliver. */
  live: boolean;
  /** Ends every open live channel. */
  dropLive(): void;
  /** What uploads held, by file id. */
  readonly uploads: ReadonlyMap<number, { readonly name: string; readonly text: string }>;
  /** False: sends get no AI message, as in a conversation of a team. */
  answers: boolean;
  /** Its tools and prompts, which may change. */
  readonly known: { readonly tools: FakeTool[]; readonly prompts: Prompt[] };
  /** What runs of prompts say of themselves, beside the usual. */
  runResult: Partial<PromptRun>;
  /** What the message that a run leaves is like, beside the usual. */
  runAnswer: Partial<Message>;
  /** Pictures, jobs and the bytes of files. */
  readonly media: FakeMedia;
}

const base = { CreatedAt: "2026-01-01T00:00:00.000Z", UpdatedAt: "2026-01-01T00:00:00.000Z", DeletedAt: null } as const;

export const fakeModel = (ID: number, name: string, over: Partial<AiModel> = {}): AiModel => ({
  ID,
  ...base,
  name,
  description: "",
  best_for: "",
  version: "",
  powered_by: "fake",
  multiplier: "1",
  credit_cost_per_input_token: "0",
  credit_cost_per_output_token: "0",
  flagship: false,
  premium: false,
  deprecated: false,
  thinking_model: false,
  stream_support: true,
  reasoning_efforts: [],
  default_reasoning_effort: "",
  tools: [],
  tags: [],
  knowledge_cutoff: null,
  supported_file_extensions: [],
  selectable: true,
  ...over,
});

export const fakeAgent = (ID: number, tag: string, over: Partial<Agent> = {}): Agent => ({
  ID,
  ...base,
  user_id: 1,
  name: tag,
  slug: `slug-${ID}`,
  tag,
  icon: "cpu",
  color: "#F59E0B",
  description: null,
  system_prompt: "",
  ai_model_id: 1,
  ai_model: fakeModel(0, ""),
  tools: null,
  knowledge_base_limit_node_ids: null,
  world_knowledge: false,
  ...over,
});

export const fakePrompt = (ID: number, name: string, over: Partial<Prompt> = {}): Prompt => ({
  ID,
  ...base,
  name,
  slug: `prompt${ID}`,
  user_id: 1,
  project_id: null,
  shared_with_workspace_id: null,
  current_version_id: null,
  current_version: null,
  ai_model_id: 1,
  description: "",
  example_output: "",
  is_favorite: false,
  category_id: null,
  category: null,
  duplicated_from_id: null,
  file_data: null,
  tools: null,
  mcp_servers: [],
  ai_style: "prompty",
  ...over,
});

const message = (ID: number, conversation: number, over: Partial<Message>): Message => ({
  ID,
  ...base,
  conversation_context_id: conversation,
  ai_model_id: 1,
  ai_model: fakeModel(1, "Test model"),
  agent_id: null,
  agent: null,
  is_auto_model: false,
  prompt_id: null,
  text: "",
  parts: [],
  thinking: null,
  isUser: false,
  status: "thinking",
  error_text: null,
  error_id: null,
  error_code: null,
  mcp_approval_requests: [],
  tools: [],
  ai_style: "prompty",
  citations: [],
  knowledge_base_ids: [],
  world_knowledge: false,
  response_duration_ms: null,
  type: "normal",
  attachments: [],
  ...over,
});

export interface FakeWorkspaceOptions {
  readonly now: () => number;
  /** Ids count from here. */
  readonly firstId?: number;
  readonly models?: readonly AiModel[];
  readonly agents?: readonly Agent[];
  readonly projects?: readonly Project[];
  readonly tools?: readonly FakeTool[];
  readonly prompts?: readonly Prompt[];
}

export function createFakeWorkspace({
  now,
  firstId = 0,
  models = [fakeModel(1, "Test model")],
  agents = [],
  projects = [],
  tools: firstTools = [],
  prompts: firstPrompts = [fakePrompt(1, "Weekly update")],
}: FakeWorkspaceOptions): FakeWorkspace {
  const calls: Array<{ call: Call; body: unknown }> = [];
  const known = { tools: [...firstTools], prompts: [...firstPrompts] };
  const { tools, prompts } = known;
  const failures = new Map<Call, Failure[]>();
  const held = new Map<number, Message[]>();
  const created = new Map<number, number>();
  const names = new Map<number, string>();
  const uploads = new Map<number, { name: string; text: string }>();
  const channels = new Set<{ conversation: number; push: (message: Message) => void; end: () => void }>();
  let ids = firstId;

  const call = async <T>(name: Call, body: unknown, signal: AbortSignal | undefined, act: () => T): Promise<T> => {
    signal?.throwIfAborted();
    calls.push({ call: name, body });
    const failure = failures.get(name)?.shift();
    await Promise.resolve();
    if (failure?.when === "before") throw failure.fault;
    const result = act();
    if (failure !== undefined) throw failure.fault;
    return result;
  };
  const messagesOf = (id: number): Message[] => {
    const found = held.get(id);
    if (found === undefined) throw new WorkspaceFault("not_found", "conversation not found", { status: 404 });
    return found;
  };
  const tell = (id: number, changed: Message): void => {
    if (workspace.live) for (const channel of channels) if (channel.conversation === id) channel.push(changed);
  };
  const say = (id: number, text: string): void => {
    messagesOf(id).push(message(++ids, id, { isUser: true, status: "finished", text }));
    if (workspace.answers) messagesOf(id).push(message(++ids, id, {}));
  };

  const { media, port, files } = fakeMedia(call, () => ++ids);
  const history: PromptRunEntry[] = [];
  /** Runs a prompt as the service does: a conversation with the question and its finished answer. */
  const runPrompt = (
    promptId: number,
    values: ReadonlyArray<{ readonly variable_id: number; readonly value: string }>,
  ): PromptRun => {
    const prompt = prompts.find(({ ID }) => ID === promptId);
    if (prompt === undefined) throw new WorkspaceFault("not_found", "Prompt not found", { status: 404 });
    const variablesKnown = prompt.current_version?.variables ?? [];
    const conversation = ++ids;
    held.set(conversation, []);
    created.set(conversation, now());
    const asked = {
      isUser: true,
      status: "finished" as const,
      prompt_id: promptId,
      text: values.map(({ value }) => value).join(", "),
    };
    const text = `**ran** ${prompt.name}: ${asked.text}`;
    messagesOf(conversation).push(message(++ids, conversation, asked));
    messagesOf(conversation).push(
      message(++ids, conversation, { status: "finished", text, raw_text: text, ...workspace.runAnswer }),
    );
    const shared = {
      id: ++ids,
      created_at: new Date(now()).toISOString(),
      runtime: 5,
      ai_model_id: prompt.ai_model_id,
      conversation_context_id: conversation,
      conversation_context_slug: `slug${conversation}`,
      error_text: null,
      error_id: null,
      run_status: "success" as const,
    };
    const slugOf = (id: number): string => variablesKnown.find(({ ID }) => ID === id)?.slug ?? "";
    const variables = values.map((one) => ({ ...one, slug: slugOf(one.variable_id) }));
    history.unshift({ ...shared, prompt_id: promptId, instance_id: ++ids, variables });
    return {
      ...shared,
      result: `<p><strong>ran</strong> ${prompt.name}: ${asked.text}</p>`,
      raw_text: null,
      ...workspace.runResult,
    };
  };

  const workspace: FakeWorkspace = {
    ...port,
    media,
    known,
    runResult: {},
    runAnswer: {},
    calls,
    held,
    names,
    uploads,
    live: true,
    answers: true,
    fail(name, ...list) {
      failures.set(name, [...(failures.get(name) ?? []), ...list]);
    },
    dropLive() {
      for (const channel of channels) channel.end();
    },
    answer(id, change) {
      const list = messagesOf(id);
      const at = list.findLastIndex((candidate) => !candidate.isUser);
      const former = list[at];
      if (former === undefined) throw new Error(`conversation ${id} has no AI message`);
      const changed = { ...former, ...change };
      list[at] = changed;
      tell(id, changed);
    },
    conversations: {
      start: (body: StartBody, options = {}) =>
        call("start", { ...body, projectId: options.projectId }, options.signal, () => {
          const id = ++ids;
          held.set(id, []);
          created.set(id, now());
          say(id, body.message ?? "");
          return { conversationId: id };
        }),
      followUp: (id, body: FollowUpBody, options = {}) =>
        call("followUp", { id, ...body }, options.signal, () => say(id, body.message ?? "")),
      messages: (id, options = {}) =>
        call("messages", id, options.signal, () => {
          const { page = 1, size = 10 } = options;
          const newest = messagesOf(id).toReversed();
          return { items: newest.slice((page - 1) * size, page * size), total: newest.length };
        }),
      list: (options = {}) =>
        call("list", null, options.signal, () => {
          const { page = 1, size = 10 } = options;
          const all = [...held.keys()].toReversed().map((ID): Conversation => ({
            ID,
            ...base,
            CreatedAt: new Date(created.get(ID) ?? 0).toISOString(),
            slug: `slug${ID}`,
            ...(names.has(ID) ? { name: names.get(ID) ?? "" } : {}),
            userId: 1,
            projectId: null,
            next_message_ai_model_id: 1,
            credits_used: "0",
          }));
          return { items: all.slice((page - 1) * size, page * size), total: all.length };
        }),
      async follow(id, options = {}) {
        await call("follow", id, options.signal, () => messagesOf(id));
        const queue: Message[] = [];
        let wake = (): void => {};
        let open = true;
        const channel = {
          conversation: id,
          push: (changed: Message) => {
            queue.push(changed);
            wake();
          },
          end: () => {
            open = false;
            wake();
          },
        };
        channels.add(channel);
        options.signal?.addEventListener("abort", channel.end, { once: true });
        return (async function* () {
          try {
            while (open) {
              const next = queue.shift();
              if (next !== undefined) yield next;
              else await new Promise<void>((resolve) => (wake = resolve));
            }
          } finally {
            channels.delete(channel);
          }
        })();
      },
      remove: (id, options = {}) =>
        call("remove", id, options.signal, () => {
          messagesOf(id);
          held.delete(id);
        }),
      retry: (id, messageId, options = {}) =>
        call("retry", { id, messageId }, options.signal, () => {
          const list = messagesOf(id);
          const at = list.findIndex((candidate) => candidate.ID === messageId);
          const failed = list[at];
          if (failed === undefined || failed.error_text === null)
            throw new WorkspaceFault("rejected", "only a failed message can be retried", { status: 400 });
          list[at] = message(messageId, id, {});
        }),
      changeModel: (id, body, options = {}) => call("changeModel", { id, ...body }, options.signal, () => void messagesOf(id)),
      stop: (id, options = {}) =>
        call("stop", id, options.signal, () => {
          workspace.answer(id, { status: "finished" });
          return true;
        }),
    },
    models: { list: (options = {}) => call("models", null, options.signal, () => models) },
    agents: { all: (options = {}) => call("agents", null, options.signal, () => agents) },
    projects: { all: (options = {}) => call("projects", null, options.signal, () => projects) },
    prompts: {
      all: (options = {}) => call("prompts", null, options.signal, () => prompts),
      list: (options = {}) => call("prompts", null, options.signal, () => ({ items: prompts, total: prompts.length })),
      lastUsed: (options = {}) => call("prompts", null, options.signal, () => prompts.slice(0, 8)),
      mostUsed: (options = {}) => call("prompts", null, options.signal, () => prompts.slice(0, 8)),
      recentlyAdded: (options = {}) => call("prompts", null, options.signal, () => prompts.slice(0, 8)),
      favorites: (options = {}) => call("prompts", null, options.signal, () => prompts.filter((one) => one.is_favorite)),
      run: (id, values, options = {}) => call("runPrompt", { id, values }, options.signal, () => runPrompt(id, values)),
      replay: (id, text, options = {}) =>
        call("replayPrompt", { id, text }, options.signal, () => ({
          ...runPrompt(id, [{ variable_id: 0, value: text }]),
          raw_text: `**ran** again: ${text}`,
        })),
      runHistory: (id, options = {}) =>
        call("promptHistory", id, options.signal, () => {
          const { page = 1, size = 10 } = options;
          const runs = history.filter((entry) => entry.prompt_id === id);
          return { items: runs.slice((page - 1) * size, page * size), total: runs.length };
        }),
    },
    files: {
      ...files,
      async upload(name, _mediaType, content, options = {}) {
        const chunks: Uint8Array[] = [];
        for await (const chunk of content) chunks.push(chunk);
        return call("upload", name, options.signal, () => {
          const ID = ++ids;
          uploads.set(ID, { name, text: Buffer.concat(chunks).toString("utf8") });
          return {
            ID,
            ...base,
            name,
            path: "",
            preview_path: "",
            public_path: "",
            user_id: 1,
            workspace_id: null,
            project_id: null,
            fileType: "file_search",
            partial: false,
          } satisfies WorkspaceFile;
        });
      },
    },
    tools: {
      list: (options = {}) =>
        call("listTools", null, options.signal, () =>
          tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
        ),
      call: (name, args, options = {}) =>
        call("callTool", { name, args }, options.signal, () => {
          const found = tools.find((tool) => tool.name === name);
          if (found === undefined) throw new WorkspaceFault("not_found", toolNotFound(name), { status: 200 });
          return found.answer(args);
        }),
    },
    run: (prompt, options = {}) =>
      call("run", { prompt, modelId: options.modelId }, options.signal, () => ({
        ID: 0 as const,
        ai_model_id: options.modelId ?? 0,
        text: `ran: ${prompt}`,
        isUser: false as const,
        status: "finished" as const,
        ai_style: "prompty",
        error_text: null,
        error_id: null,
      })),
  };
  return workspace;
}
