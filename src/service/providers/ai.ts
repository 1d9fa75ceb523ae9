/** Language models through the `ai` package, which is imported when the first question is asked. */
import type { Clock } from "../../clock.ts";
import { Fault } from "../../errors.ts";
import { chosenEntries, entriesOf } from "./listing.ts";
import type { ModelEvent, ModelProvider, ModelRequest } from "./port.ts";
import { messagesOf } from "./prompt.ts";
import { providerFault } from "./provider-faults.ts";
import { silenceLimit } from "./silence.ts";
import type { Upstream } from "./upstreams.ts";

export interface AiOptions {
  readonly clock: Clock;
  /** The models to offer, in this order; empty: those that the service lists. */
  readonly models: readonly string[];
}

/**
 * How long a model may say nothing, before its first word and between any two, in ms. Reasoning without a word takes
 * minutes; whoever reads the answer gives up after five, so that this ends first and says why.
 * A connection that is not made ends by itself after 10 s, which is the default of Node's `fetch`.
 */
const silenceMs = 240_000;

type Effort = "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
const efforts: readonly Effort[] = ["minimal", "low", "medium", "high", "xhigh", "max"];

/** What a finished answer still has to say for itself; a Fault when it is none. */
function ending(reason: string, rawReason: string | undefined, spoke: boolean, label: string): ModelEvent | undefined {
  if (reason === "content-filter")
    throw new Fault("provider_filtered", `${label} withheld the answer by its content rules. Ask in other words.`);
  // An end without a reason is a connection that a proxy closed in good order.
  if (reason === "error" || (reason === "other" && rawReason === undefined))
    throw new Fault("provider_lost", `${label} broke off before the answer was complete.`);
  if (!spoke && reason === "tool-calls")
    throw new Fault(
      "provider_rejected",
      `${label} asked for a tool instead of answering, and was given none. Choose another model.`,
    );
  if (!spoke) throw new Fault("provider_empty", `${label} ended without a word. Ask again, or choose another model.`);
  return reason === "length"
    ? { type: "text", text: "\n\n*(The answer ends here: the model's limit of length is reached.)*" }
    : undefined;
}

/** A name for a file that a model made, of which nothing is known but what kind it is, such as `image/png`. */
const madeName = (mediaType: string): string => {
  const [kind = "", form = ""] = mediaType.split("/");
  const extension = form
    .replace(/\+.*$/, "")
    .replace(/^jpeg$/, "jpg")
    .replace(/^plain$/, "txt");
  return `${kind === "image" ? "picture" : "file"}.${/^[a-z0-9]{1,10}$/.test(extension) ? extension : "bin"}`;
};

/** A provider of the models behind `upstream`. Nothing is retried: the asker decides that. */
export function aiProvider(upstream: Upstream, { clock, models }: AiOptions): ModelProvider {
  const { name, blamed } = upstream;
  const chosen = chosenEntries(name, models);

  async function* run(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    const id = request.modelKey.slice(name.length + 1);
    const { streamText } = await import("ai");
    // Its warnings about unsupported settings would go to the console.
    globalThis.AI_SDK_LOG_WARNINGS = false;
    const effort = efforts.find((known) => known === request.reasoningEffort);
    const limit = silenceLimit(clock, silenceMs, signal);
    let spoke = false;
    try {
      const { stream } = streamText({
        model: await upstream.model(id),
        messages: messagesOf(request),
        maxRetries: 0,
        abortSignal: limit.signal,
        providerOptions: upstream.options(id, request),
        // Without it errors are printed; they come as parts of the stream too.
        onError: () => undefined,
        ...(request.system === null ? {} : { instructions: request.system }),
        ...(effort === undefined ? {} : { reasoning: effort }),
      });
      for await (const part of stream) {
        limit.heard();
        if (part.type === "text-delta" && part.text !== "") {
          spoke = true;
          yield { type: "text", text: part.text };
        } else if (part.type === "reasoning-delta" && part.text !== "") {
          yield { type: "thinking", text: part.text };
        } else if (part.type === "file") {
          spoke = true;
          yield { type: "file", name: madeName(part.file.mediaType), bytes: part.file.uint8Array };
        } else if (part.type === "error") {
          throw part.error;
        } else if (part.type === "finish") {
          const last = ending(part.finishReason, part.rawFinishReason, spoke, blamed.label);
          if (last !== undefined) yield last;
          const { inputTokens, outputTokens } = part.totalUsage;
          if (inputTokens !== undefined && outputTokens !== undefined) yield { type: "usage", inputTokens, outputTokens };
        }
      }
      limit.signal.throwIfAborted();
    } catch (thrown) {
      signal.throwIfAborted();
      if (limit.exceeded)
        throw new Fault("provider_silent", `${blamed.label} said nothing for ${silenceMs / 60_000} minutes and was given up.`);
      throw providerFault(thrown, blamed);
    } finally {
      limit.end();
    }
  }

  return {
    name,
    catalogue: async (signal) => (chosen.length > 0 ? chosen : entriesOf(name, await upstream.list(signal))),
    run,
  };
}
