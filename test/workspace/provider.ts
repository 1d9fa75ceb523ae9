/** A model provider for tests: it answers at once, as its question says, and remembers what it was asked. */
import type { CatalogueEntry, ModelEvent, ModelProvider, ModelRequest } from "../../src/service/providers/port.ts";
import { broken, createGate } from "./gate.ts";

const plain: CatalogueEntry = {
  key: "test:plain",
  name: "Plain",
  description: "Repeats what it is told",
  best_for: "Tests",
  version: "1",
  powered_by: "Tests",
  multiplier: "2",
  credit_cost_per_input_token: "0.001",
  credit_cost_per_output_token: "0.0025",
  flagship: true,
  premium: false,
  deprecated: false,
  successorKey: null,
  thinking_model: false,
  reasoning_efforts: [],
  default_reasoning_effort: "",
  tools: ["file_upload", "web_search"],
  tags: ["balanced"],
  knowledge_cutoff: "2026-01-01T00:00:00Z",
  supported_file_extensions: [],
  residency: ["eu", "zero_retention"],
};

const testModels: readonly CatalogueEntry[] = [
  plain,
  {
    ...plain,
    key: "test:thinking",
    name: "Thinking",
    powered_by: "Others",
    flagship: false,
    thinking_model: true,
    reasoning_efforts: ["low", "high"],
    default_reasoning_effort: "low",
    tags: ["powerful", "careful"],
    residency: ["eu"],
  },
  { ...plain, key: "test:quick", name: "Quick", flagship: false, tools: [], tags: ["fast"], residency: ["zero_retention"] },
  {
    ...plain,
    key: "test:old",
    name: "Old",
    deprecated: true,
    successorKey: "test:plain",
    flagship: false,
    tags: [],
    residency: [],
  },
  { ...plain, key: "test:sheets", name: "Sheets", flagship: false, tags: [], supported_file_extensions: ["csv"] },
];

/** The first bytes of every PNG: enough to be taken for a picture. */
const pngSignature = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export interface TestProvider extends ModelProvider {
  /** Everything it was asked, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Lets a held answer go on; those asked to hold later wait again. */
  release(): void;
}

/**
 * What the last turn says decides: `fail` breaks off after a word, `fail once` only the first time, `hold` waits for
 * `release` after a word, `think`, `cite`, `draw` and `empty` do just that, and everything else is repeated.
 */
export function testProvider(): TestProvider {
  const requests: ModelRequest[] = [];
  let failedOnce = false;
  const gate = createGate();

  async function* run(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    requests.push(request);
    const question = request.turns.at(-1)?.text ?? "";
    if (question === "empty") return;
    if (question === "think") yield { type: "thinking", text: "Let me see." };
    yield { type: "text", text: "You " };
    if (question === "fail") broken();
    if (question === "fail once" && !failedOnce) {
      failedOnce = true;
      broken();
    }
    if (question === "hold") await gate.wait(signal);
    yield { type: "text", text: `said: ${question}` };
    if (question === "cite") {
      yield { type: "text", text: " [1]" };
      const citation = { url: "https://example.org/a", file_path: "", title: "A", info: {}, citation_index: 1 };
      yield { type: "citation", citation };
    }
    if (question.startsWith("draw")) yield { type: "file", name: "tide.png", bytes: pngSignature };
    if (question === "draw and hold") await gate.wait(signal);
    if (question === "draw and fail") broken();
    yield { type: "usage", inputTokens: 10, outputTokens: 4 };
  }

  return {
    name: "test",
    requests,
    catalogue: () => Promise.resolve(testModels),
    run,
    release: () => gate.release(),
  };
}
