/** Runs of saved prompts. Each waits for the model's whole work, and creates a conversation that can be followed up. */
import type { PromptInstance, PromptRun, PromptRunEntry } from "../contract/prompt-records.ts";
import { pageIn, recordIn, type Page, type Paging } from "./answers.ts";
import { isObject } from "./fields.ts";
import type { Answer, CallOptions, Http, Identifier } from "./http.ts";
import { readPromptInstance, readPromptRun, readPromptRunEntry } from "./prompt-records.ts";

// Runs have no `ID`; what makes one is the conversation that it created, or the error that kept it from that.
const isRun = (value: unknown): boolean =>
  isObject(value) &&
  (Number.isSafeInteger(value["id"]) || Number.isSafeInteger(value["conversation_context_id"]) || "run_status" in value);

const runIn = (answer: Answer): PromptRun => recordIn(answer, readPromptRun, { marks: isRun, what: "the result of a run" });

const isEntry = (value: unknown): boolean => isRun(value) || (isObject(value) && Array.isArray(value["variables"]));

export const promptRunCalls = (http: Http) => ({
  /** Runs with the prompt's own model. A variable that is left out or empty has its default. Look at `run_status`: a failed run is answered too. */
  async run(
    id: Identifier,
    values: ReadonlyArray<{ readonly variable_id: number; readonly value: string }>,
    options?: CallOptions,
  ): Promise<PromptRun> {
    return runIn(
      await http.call("POST /run/prompt/:id/variables", {
        params: { id },
        body: { variable_values: values },
        patient: true,
        ...options,
      }),
    );
  },
  /** The caller's latest run once more, with `text` in the primary variable. */
  async replay(id: Identifier, text: string, options?: CallOptions): Promise<PromptRun> {
    return runIn(await http.call("POST /run/prompt/:id", { params: { id }, body: { data: text }, patient: true, ...options }));
  },
  /** The caller's runs of a prompt, newest first. */
  async runHistory(id: Identifier, options: Paging & CallOptions = {}): Promise<Page<PromptRunEntry>> {
    const { signal, ...query } = options;
    const answer = await http.call("GET /prompt/:id/run_history", { params: { id }, query, ...(signal && { signal }) });
    return pageIn(answer, readPromptRunEntry, isEntry, isEntry);
  },
  /** The values of an earlier run. */
  async instance(id: number, options?: CallOptions): Promise<PromptInstance> {
    return recordIn(await http.call("GET /instance/:id", { params: { id }, ...options }), readPromptInstance);
  },
  /** Runs with the values of an earlier run. */
  async runInstance(id: number, options?: CallOptions): Promise<PromptRun> {
    return runIn(await http.call("POST /instance/:id/run", { params: { id }, patient: true, ...options }));
  },
});
