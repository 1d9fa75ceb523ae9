/** The port between the embedded workspace and whatever answers: a catalogue of models, and a run that streams. */
import type { AiModel, Base, Citation, Timestamp } from "../../contract/records.ts";
import type { PassageSource } from "../reading/passages.ts";

/** Marks that the workspace's residency rules ask for: processed in the EU; nothing kept by the provider. */
export type ResidencyTag = "eu" | "zero_retention";

/** What a catalogue row says that the service does not work out by itself, from the interface's record. */
type Described = Omit<
  AiModel,
  keyof Base | "knowledge_cutoff" | "stream_support" | "successor" | "selectable" | "restriction_reason"
>;

/** A model as its provider describes it. Prices are credits for one token, before `multiplier`, as decimal strings. */
export interface CatalogueEntry extends Described {
  /** Unique for ever across providers, such as `openai:gpt-5`; the service gives each key its numeric id. */
  readonly key: string;
  readonly knowledge_cutoff: Timestamp | null;
  /** The `key` of the model that replaces a deprecated one. */
  readonly successorKey: string | null;
  readonly residency: readonly ResidencyTag[];
}

export interface RequestImage {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A file's text, with the places of its pages or rows where it has any. */
export type RequestDocument = PassageSource;

/** A file that could not be read, with the reason in words. */
export interface UnreadFile {
  readonly name: string;
  readonly reason: string;
}

export interface RequestTurn {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly images?: readonly RequestImage[];
  readonly documents?: readonly RequestDocument[];
  readonly unread?: readonly UnreadFile[];
}

/** One answer to be made. The last turn is the question, from a user. */
export interface ModelRequest {
  /** `CatalogueEntry.key` of one of this provider's models. */
  readonly modelKey: string;
  /** Everything that stands before the conversation: agent prompt, project instructions, style. */
  readonly system: string | null;
  readonly turns: readonly RequestTurn[];
  /** One of the model's `reasoning_efforts`; null where it has none, or the default shall count. */
  readonly reasoningEffort: string | null;
  /** Asks for the provider's priority tier where it has one. */
  readonly flash: boolean;
  /** Who and what the answer is for, in words; language models are told by `system`, the offline model by this. */
  readonly setting: { readonly agent: string | null; readonly project: string | null; readonly style: string };
}

/**
 * A piece of an answer, in order. Text and thinking are deltas. A citation's `[n]` stands in the text, with n its
 * `citation_index`, and may come before or after it. A `file` is a picture or another whole file that the model made. `usage` comes at most once, at the end; without it the service estimates.
 */
export type ModelEvent =
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "citation"; readonly citation: Citation }
  | { readonly type: "file"; readonly name: string; readonly bytes: Uint8Array }
  | { readonly type: "usage"; readonly inputTokens: number; readonly outputTokens: number };

export interface ModelProvider {
  /** `offline`, `openai`, `openai-compatible`, `anthropic` or `google`: the part of a key before its first colon. */
  readonly name: string;
  /** The models that can be asked now, in display order; the service asks every minute or so. Throws a Fault `provider_*` when the provider cannot say. */
  catalogue(signal: AbortSignal): Promise<readonly CatalogueEntry[]>;
  /**
   * Streams the answer. Throws a Fault `provider_*` when it fails, before the first event or after any; its message is
   * fit for the asker's eyes. Throws the signal's reason when `signal` is aborted.
   */
  run(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
