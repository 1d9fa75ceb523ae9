/** Agents: the caller's own, and those that others share with the caller. */
import type { AgentBody } from "../contract/bodies.ts";
import type { Agent } from "../contract/records.ts";
import { allPages, pageIn, recordIn, type Page, type Paging } from "./answers.ts";
import type { CallOptions, Http, Identifier } from "./http.ts";
import { readAgent } from "./records.ts";

export interface AgentQuery {
  /** Part of the name, in any case. */
  readonly search?: string;
  /** False: only own agents; true: only those of others. */
  readonly shared?: boolean;
}

export const agentCalls = (http: Http) => ({
  /** All pages, the most used first, as without an order the pages would shift between two reads. */
  all(options: AgentQuery & CallOptions = {}): Promise<Agent[]> {
    const { signal, ...query } = options;
    return allPages(
      (paging) => http.call("GET /agents", { query: { ...query, usage_sort: true, ...paging }, ...(signal && { signal }) }),
      readAgent,
    );
  },
  async list(options: AgentQuery & Paging & CallOptions & { usageSort?: boolean } = {}): Promise<Page<Agent>> {
    const { signal, usageSort, ...query } = options;
    const answer = await http.call("GET /agents", { query: { ...query, usage_sort: usageSort }, ...(signal && { signal }) });
    return pageIn(answer, readAgent);
  },
  async get(id: Identifier, options?: CallOptions): Promise<Agent> {
    return recordIn(await http.call("GET /agents/:id", { params: { id }, ...options }), readAgent);
  },
  async create(body: AgentBody, options?: CallOptions): Promise<Agent> {
    return recordIn(await http.call("POST /agents", { body, ...options }), readAgent);
  },
  /** What is left out, or null, stays; an array replaces the whole set. */
  async update(id: Identifier, body: AgentBody, options?: CallOptions): Promise<Agent> {
    return recordIn(await http.call("PATCH /agents/:id", { params: { id }, body, ...options }), readAgent);
  },
  async remove(id: Identifier, options?: CallOptions): Promise<void> {
    await http.call("DELETE /agents/:id", { params: { id }, ...options });
  },
});
