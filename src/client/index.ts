/** The workspace's client: everything that this version does with a workspace, by resource. */
import type { Dispatcher } from "undici";
import { systemClock, type Clock } from "../clock.ts";
import { createAgent } from "./agent.ts";
import { agentCalls } from "./agents.ts";
import type { Breaker } from "./breaker.ts";
import { conversationCalls } from "./conversations.ts";
import { fileCalls } from "./files.ts";
import { createHttp, type Timeouts } from "./http.ts";
import { imageCalls } from "./images.ts";
import { jobCalls } from "./jobs.ts";
import { openLive, type ClientLog } from "./live.ts";
import { modelCalls } from "./models.ts";
import { projectCalls } from "./projects.ts";
import { promptCalls } from "./prompts.ts";
import { runCall } from "./run.ts";
import { toolAddress, toolCalls } from "./tools.ts";

const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  answerMs: 60_000,
  // A model's whole work with its tools is bounded only by the workspace.
  workMs: 15 * 60_000,
  silenceMs: 60_000,
};

export interface ClientOptions {
  /** The REST root; its last path segment is `v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The tool server; its path ends in `/mcp/`. Default: beside the REST root, `…/mcp/` for `…/api/v1`. */
  readonly mcpUrl?: string;
  /** Another way for everything but the live channel, not closed with the client. Default: connections of the client's own. */
  readonly dispatcher?: Dispatcher;
  /** Of all clients of one workspace. Default: every call is sent. */
  readonly breaker?: Breaker;
  readonly timeouts?: Partial<Timeouts>;
  readonly clock?: Clock;
  /** Fills the bytes it is given. */
  readonly random?: (bytes: Uint8Array) => Uint8Array;
  readonly log?: ClientLog;
}

export type Client = ReturnType<typeof createClient>;

/**
 * Every call throws a `WorkspaceFault` for anything but success, and its signal's reason once that is aborted.
 * Nothing is ever sent twice but what only reads, and that three times at most.
 */
export function createClient(options: ClientOptions) {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const dispatcher = options.dispatcher ?? createAgent(timeouts.connectMs);
  const http = createHttp({
    base: options.baseUrl,
    apiKey: options.apiKey,
    dispatcher,
    clock: options.clock ?? systemClock,
    timeouts,
    ...(options.breaker === undefined ? {} : { breaker: options.breaker }),
  });
  const live = openLive(http, options.log);
  return {
    models: modelCalls(http),
    run: runCall(http),
    conversations: conversationCalls(http, live),
    agents: agentCalls(http),
    files: fileCalls(http, options.random ?? ((bytes) => globalThis.crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>))),
    projects: projectCalls(http),
    images: imageCalls(http),
    jobs: jobCalls(http),
    tools: toolCalls(http, options.mcpUrl === undefined ? toolAddress(http.base) : new URL(options.mcpUrl)),
    prompts: promptCalls(http),
    /** Ends open channels and connections; calls that are under way fail as `lost`. */
    async close(): Promise<void> {
      live.close();
      if (options.dispatcher === undefined) await dispatcher.destroy();
    },
  };
}
