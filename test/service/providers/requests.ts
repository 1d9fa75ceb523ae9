/** Requests and collected answers, for the tests of the providers. */
import type { ModelEvent, ModelProvider, ModelRequest, RequestTurn } from "../../../src/service/providers/port.ts";

export const never = new AbortController().signal;

/** A request with one question, and whatever else a test cares about. */
export const asking = (text: string, more: Partial<ModelRequest> & { turn?: Partial<RequestTurn> } = {}): ModelRequest => {
  const { turn, ...rest } = more;
  return {
    modelKey: "offline:parley",
    system: null,
    turns: [{ role: "user", text, ...turn }],
    reasoningEffort: null,
    flash: false,
    setting: { agent: null, project: null, style: "prompty" },
    ...rest,
  };
};

export interface Heard {
  readonly events: readonly ModelEvent[];
  readonly text: string;
  readonly thinking: string;
  /** What was thrown instead of an end. */
  readonly fault: unknown;
}

/** Reads an answer to its end, be that good or bad. */
export async function hear(provider: ModelProvider, request: ModelRequest, signal: AbortSignal = never): Promise<Heard> {
  const events: ModelEvent[] = [];
  let fault: unknown;
  try {
    for await (const event of provider.run(request, signal)) events.push(event);
  } catch (thrown) {
    fault = thrown;
  }
  const joined = (type: "text" | "thinking"): string => events.map((event) => (event.type === type ? event.text : "")).join("");
  return { events, text: joined("text"), thinking: joined("thinking"), fault };
}
