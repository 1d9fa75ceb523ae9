/** The model that is built in: deterministic, streamed at a reading pace, and never out of reach. */
import type { Clock } from "../../clock.ts";
import { Fault } from "../../errors.ts";
import type { bestPassages } from "../reading/passages.ts";
import { demonstrationFor } from "./demonstrations.ts";
import { tokensIn } from "./estimate.ts";
import { pricesOf } from "./families.ts";
import { beginnings, documentsOf, howToConnect, quotations, unreadOf, type OfflineAnswer } from "./offline-answer.ts";
import { paced } from "./paced.ts";
import type { CatalogueEntry, ModelEvent, ModelProvider, ModelRequest } from "./port.ts";

export interface OfflineOptions {
  readonly clock: Clock;
  /** Finds the sentences that answer a question. */
  readonly passages: typeof bestPassages;
  /** Default 60: ten words a second, as quickly as people skim. Above 0. */
  readonly charactersPerSecond?: number;
}

const defaultPace = 60;

/** Sentences that are quoted at most. */
const quoted = 4;

const plain: CatalogueEntry = {
  key: "offline:parley",
  name: "Parley offline",
  description:
    "Built in, needs no account. Quotes the sentences of attached files that match the question; writes nothing of its own.",
  best_for: "Trying Parley; finding a sentence in a file",
  version: "2",
  powered_by: "Parley",
  multiplier: "1",
  ...pricesOf("fast"),
  flagship: true,
  premium: false,
  deprecated: false,
  successorKey: null,
  thinking_model: false,
  reasoning_efforts: [],
  default_reasoning_effort: "",
  tools: ["file_upload"],
  tags: ["balanced", "fast"],
  knowledge_cutoff: null,
  supported_file_extensions: [],
  // It runs in this process, and nothing leaves it.
  residency: ["eu", "zero_retention"],
};

const thinking: CatalogueEntry = {
  ...plain,
  key: "offline:parley-thinking",
  name: "Parley offline, thinking",
  description:
    "The offline model, which also says what it does before it answers: for trying reasoning efforts and thinking parts.",
  best_for: "Trying reasoning efforts",
  flagship: false,
  thinking_model: true,
  reasoning_efforts: ["low", "medium", "high"],
  default_reasoning_effort: "medium",
  tags: ["powerful"],
};

const classic: CatalogueEntry = {
  ...plain,
  key: "offline:parley-classic",
  name: "Parley offline, classic",
  description: "The offline model's former version, replaced by Parley offline: for trying what a deprecated model looks like.",
  best_for: "Trying a model's successor and residency rules",
  version: "1",
  flagship: false,
  deprecated: true,
  successorKey: plain.key,
  tags: [],
  // Without tags, so that a residency rule has something to block.
  residency: [],
};

const entries: readonly CatalogueEntry[] = [plain, thinking, classic];

/** What the thinking variant says that it does, which is what it does; a higher effort says more of it. */
function thoughts(request: ModelRequest): string {
  const steps = [
    `The question has ${request.turns.at(-1)?.text.length ?? 0} characters.`,
    `The conversation has ${request.turns.length} ${request.turns.length === 1 ? "turn" : "turns"}.`,
    `There are ${documentsOf(request).length} documents to look through, and ${unreadOf(request).length} files that cannot be read.`,
    "No language model is connected, so the answer can only quote.",
    "The sentences are ranked by how often they have the question's words, and how rare those words are.",
    "The best ones are quoted with the file that they stand in.",
  ];
  const count = { low: 1, medium: 3, high: steps.length }[request.reasoningEffort ?? thinking.default_reasoning_effort] ?? 3;
  return steps.slice(0, count).join(" ");
}

async function answerTo(request: ModelRequest, options: OfflineOptions, signal: AbortSignal): Promise<OfflineAnswer> {
  const documents = documentsOf(request);
  if (documents.length === 0) return howToConnect(request);
  const passages = await options.passages(request.turns.at(-1)?.text ?? "", documents, quoted, signal);
  return passages.length > 0 ? quotations(passages, request) : beginnings(documents, request);
}

const wordsOf = (request: ModelRequest): string =>
  [
    request.system ?? "",
    ...request.turns.flatMap(({ text, documents }) => [text, ...(documents ?? []).map((one) => one.text)]),
  ].join("\n");

/** The offline model, as a provider with a plain, a thinking and a deprecated entry. */
export function offlineProvider(options: OfflineOptions): ModelProvider {
  const { clock, charactersPerSecond: pace = defaultPace } = options;
  /** The conversation whose `fail once` has failed and may now succeed. */
  let failedOnce: string | undefined;

  async function* run(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    if (!entries.some(({ key }) => key === request.modelKey))
      throw new Fault("provider_rejected", `The offline provider has no model ${request.modelKey}. Choose another model.`);
    let written = "";
    if (request.modelKey === thinking.key) {
      const text = thoughts(request);
      for await (const piece of paced(text, pace, clock, signal)) yield { type: "thinking", text: piece };
      written += text;
    }

    const demonstration = demonstrationFor(request.turns.at(-1)?.text ?? "");
    const conversation = JSON.stringify(request.turns.map(({ text }) => text));
    const retried = demonstration?.kind === "failure" && demonstration.once && failedOnce === conversation;
    const answer = retried
      ? { text: "This is the second attempt of the demonstration `fail once`, and it worked.\n", citations: [] }
      : demonstration === undefined
        ? await answerTo(request, options, signal)
        : { text: demonstration.text, citations: [] };
    for (const citation of answer.citations) yield { type: "citation", citation };
    for await (const piece of paced(answer.text, pace, clock, signal)) yield { type: "text", text: piece };
    written += answer.text;
    if (demonstration?.kind === "file") yield { type: "file", name: demonstration.name, bytes: demonstration.bytes() };

    if (retried) failedOnce = undefined;
    else if (demonstration?.kind === "failure") {
      if (demonstration.once) failedOnce = conversation;
      throw new Fault(
        "provider_demonstration",
        "This failure was asked for: it demonstrates how Parley shows a model provider that breaks off. Retry asks the model again.",
      );
    }
    yield { type: "usage", inputTokens: tokensIn(wordsOf(request)), outputTokens: tokensIn(written) };
  }

  return { name: "offline", catalogue: () => Promise.resolve(entries), run };
}
