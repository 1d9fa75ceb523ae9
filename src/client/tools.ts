/** The tools of the workspace's tool server: which there are for this key, and calling them. */
import type { WorkspaceTool } from "../contract/records.ts";
import { malformed, parseJson, toolFault } from "./faults.ts";
import { isObject, list, record, text, type Read } from "./fields.ts";
import type { CallOptions, Http } from "./http.ts";
import { createRpc } from "./json-rpc.ts";

/** Pages of the tool list that are read at most; the interface names 60 tools in all. */
const mostPages = 100;

const schema: Read<WorkspaceTool["inputSchema"]> = (value) => (isObject(value) ? value : { type: "object" });
const readTools = list(record<WorkspaceTool>({ name: text(), description: text(), inputSchema: schema }));

const contentText = (value: unknown): string | undefined =>
  isObject(value) && value["type"] === "text" && typeof value["text"] === "string" ? value["text"] : undefined;

/** Beside the REST root, as the interface's placeholders leave it open: `…/api/v1` has its tools at `…/mcp/`. */
export function toolAddress(base: URL): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/(?:api\/v1\/?)?$/, "")}/mcp/`;
  return url;
}

/** @param url of the tool server; it ends with a slash */
export function toolCalls(http: Http, url: URL) {
  const rpc = createRpc(http, url);
  return {
    /** The tools that the key may call now, all pages. */
    async list(options: CallOptions = {}): Promise<WorkspaceTool[]> {
      const found: WorkspaceTool[] = [];
      let cursor: unknown;
      for (let page = 1; ; page++) {
        const { result, head } = await rpc("tools/list", cursor === undefined ? {} : { cursor }, options);
        found.push(...readTools(result["tools"]).filter(({ name }) => name !== ""));
        cursor = result["nextCursor"];
        if (typeof cursor !== "string" || cursor === "") return found;
        if (page === mostPages) throw malformed(`expected at most ${mostPages} pages of tools`, head.status, head.correlationId);
      }
    },

    /**
     * Calls a tool and waits until its work is done. What it answers is JSON; words that are not come as they are.
     * Faults: `not_found` for a tool that does not exist or that the key may not call; `rejected` or `quota` when it says no.
     */
    async call(name: string, args: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<unknown> {
      const { result, head } = await rpc("tools/call", { name, arguments: args }, { patient: true, ...options });
      const content = Array.isArray(result["content"]) ? result["content"] : [];
      const said = content.map(contentText).find((found) => found !== undefined);
      if (result["isError"] === true) throw toolFault(said ?? "", head);
      if (said === undefined) throw malformed("expected a tool's answer as text", head.status, head.correlationId);
      const value = parseJson(said);
      return value === undefined ? said : value;
    },
  };
}
