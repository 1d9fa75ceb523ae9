/**
 * What is known of models by their names. Providers list names and little more, and new ones appear all the time:
 * the words in a name say how large a model is and whether it reasons, for models not yet made too.
 */
import { money, formatMoney } from "../../contract/money.ts";
import type { DecimalString } from "../../contract/records.ts";
import type { CatalogueEntry } from "./port.ts";

/** How large a model is. Stands among the entry's `tags`, where people may filter by it and the automatic choice looks. */
export type Size = "powerful" | "balanced" | "fast";

/**
 * Credits for a thousand tokens, in and out. A credit is the workspace's own unit, not money: a hundred answers of a
 * balanced model, of 600 tokens each and to 3,000 tokens of question, cost 75 credits. The steps between sizes, and
 * five times more for output than for input, are those of the large providers' price lists.
 */
const creditsPerThousand: Readonly<Record<Size | "premium", readonly [input: DecimalString, output: DecimalString]>> = {
  fast: ["0.025", "0.125"],
  balanced: ["0.125", "0.625"],
  powerful: ["0.625", "3.125"],
  premium: ["3.125", "15.625"],
};

/** The two prices of a catalogue entry, in credits for one token. */
export function pricesOf(
  size: Size | "premium",
): Pick<CatalogueEntry, "credit_cost_per_input_token" | "credit_cost_per_output_token"> {
  const [input, output] = creditsPerThousand[size];
  const each = (thousand: DecimalString): DecimalString => formatMoney(money(thousand).div(1000));
  return { credit_cost_per_input_token: each(input), credit_cost_per_output_token: each(output) };
}

const fastName =
  /(?:^|[-_/:. ])(?:mini|nano|flash|lite|haiku|luna|small|tiny|instant|fast|air|[1-9](?:\.\d)?b|e[24]b)(?=$|[-_/:. @])/i;
const powerfulName = /(?:^|[-_/:. ])(?:opus|fable|sol|pro|ultra|large|max|huge|[1-9]\d{2}b)(?=$|[-_/:. @])/i;
/** Answers slowly at several times the price of the same maker's best: never chosen automatically. */
const premiumName = /(?:^|\/)(?:gpt-\d[\d.]*-pro|o\d-pro)(?=$|-)/i;

/** Those that take `reasoning_effort`, also through a compatible server. Others that reason refuse the field, and go without. */
const thinkingName =
  /(?:^|\/)(?:o[1-9](?=$|-)|gpt-[5-9](?![\w.-]*chat)|gpt-oss|claude-(?:3-7|[a-z]+-[4-9])|gemini-(?:2\.5|[3-9]))/i;

/** Hides what Parley cannot talk with; by the names that OpenAI, Google and local servers give such models. */
const otherPurpose =
  /embed|rerank|whisper|transcri|translat|speech|tts|audio|realtime|live|image|dall-e|imagen|veo|sora|lyria|moderation|safeguard|guard\b|aqa|davinci|babbage|instruct-0914|computer-use|robotics|decision|deep-research|search-preview|codex/i;

export const isChatModel = (id: string): boolean => !otherPurpose.test(id);

/** The version in a name, as two numbers: `claude-opus-4-5` is 4, 5; a date is none. */
function versionOf(id: string): readonly [major: number, minor: number] {
  const found = /(?<![\d.])(\d{1,2})(?:[.-](\d{1,2}))?(?![\d.b])/i.exec(id.replace(/\d{4}-?\d{2}-?\d{2}/g, ""));
  return [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)];
}

/** Orders ids for display: newest version first, then plain names before longer ones. */
export function newestFirst(a: string, b: string): number {
  const [majorA, minorA] = versionOf(a);
  const [majorB, minorB] = versionOf(b);
  return majorB - majorA || minorB - minorA || a.length - b.length || (a < b ? -1 : 1);
}

/** A model as a provider's list names it. */
export interface ListedModel {
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
}

const bestFor: Readonly<Record<Size, string>> = {
  powerful: "Hard questions, long texts",
  balanced: "Everyday work",
  fast: "Quick, short answers",
};

const makers: ReadonlyArray<readonly [name: RegExp, maker: string]> = [
  [/claude/i, "Anthropic"],
  [/gemini|gemma/i, "Google"],
  [/gpt|(?:^|\/)o\d(?:$|-)/i, "OpenAI"],
  [/llama/i, "Meta"],
  [/mistral|mixtral|magistral|ministral/i, "Mistral"],
  [/qwen|qwq/i, "Alibaba"],
  [/deepseek/i, "DeepSeek"],
  [/grok/i, "xAI"],
  [/phi-?\d/i, "Microsoft"],
];

/**
 * The catalogue entry of a listed model.
 * @param provider the provider's name: the first part of the key, and the maker's label where the name tells none
 */
export function entryOf(provider: string, { id, name, description }: ListedModel): CatalogueEntry {
  const size: Size = fastName.test(id) ? "fast" : powerfulName.test(id) ? "powerful" : "balanced";
  const premium = premiumName.test(id);
  const reasons = thinkingName.test(id);
  const [major, minor] = versionOf(id);
  return {
    key: `${provider}:${id}`,
    name: name ?? id,
    description: description ?? "",
    best_for: bestFor[size],
    version: major === 0 ? "" : minor === 0 ? String(major) : `${major}.${minor}`,
    powered_by: makers.find(([pattern]) => pattern.test(id))?.[1] ?? provider,
    multiplier: "1",
    ...pricesOf(premium ? "premium" : size),
    flagship: false,
    premium,
    deprecated: false,
    successorKey: null,
    thinking_model: reasons,
    reasoning_efforts: reasons ? ["low", "medium", "high"] : [],
    default_reasoning_effort: reasons ? "medium" : "",
    // The others are the provider's to run or Parley's to offer, and neither is done yet.
    tools: ["file_upload"],
    tags: [size],
    knowledge_cutoff: null,
    supported_file_extensions: [],
    residency: [],
  };
}
