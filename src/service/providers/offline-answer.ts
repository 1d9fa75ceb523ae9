/** What the offline model says: quotations from attached documents, or plainly that no language model is connected. */
import { defaultStyle, type Citation } from "../../contract/records.ts";
import type { Passage } from "../reading/passages.ts";
import type { ModelRequest, RequestDocument, UnreadFile } from "./port.ts";

export interface OfflineAnswer {
  /** Markdown; `[n]` marks the citation with that index. */
  readonly text: string;
  readonly citations: readonly Citation[];
}

/** Characters of the question that are repeated to the asker. */
const echoLimit = 240;

/** Characters of a document's beginning that are shown when no sentence matches. */
const beginningLimit = 280;

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** At most `limit` UTF-16 units, cut between words where there are any, never inside a character. */
function shortened(text: string, limit: number): string {
  const line = oneLine(text);
  if (line.length <= limit) return line;
  const cut = line.slice(0, limit).replace(/[\uD800-\uDBFF]$/, "");
  const atWord = cut.replace(/\s+\S*$/, "");
  return `${atWord === "" ? cut : atWord} …`;
}

/** Foreign text, of one line, as literal Markdown text: what could begin a construct is escaped, and nothing else. */
export const literal = (text: string): string =>
  text
    .replace(/[\\`*[\]<>~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=[#\w]+;)/gu, "\\$&")
    .replace(/^[#+=-]/, "\\$&")
    .replace(/^(\d+)([.)])/, "$1\\$2");

const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;

const bold = (name: string): string => `**${literal(oneLine(name))}**`;

const everyOf = <T>(request: ModelRequest, of: (turn: ModelRequest["turns"][number]) => readonly T[] | undefined): T[] =>
  request.turns.flatMap((turn) => of(turn) ?? []);

/** Each document of the conversation once, the newest first. */
export function documentsOf(request: ModelRequest): RequestDocument[] {
  const all = everyOf(request, (turn) => turn.documents).toReversed();
  return [...new Map(all.map((document) => [document.fileId, document])).values()];
}

/** Files of the conversation that went unread, with reasons; pictures are among them, as there is nothing here to see with. */
export function unreadOf(request: ModelRequest): UnreadFile[] {
  const pictures = everyOf(request, (turn) => turn.images);
  return [
    ...everyOf(request, (turn) => turn.unread),
    ...pictures.map(({ name }) => ({ name, reason: "a picture, which only a connected model can look at" })),
  ];
}

const unreadLine = (unread: readonly UnreadFile[]): string[] =>
  unread.length === 0 ? [] : [`Not read: ${unread.map(({ name, reason }) => `${bold(name)} (${literal(reason)})`).join("; ")}.`];

const unconnected = "No language model is connected, so these are quotations, not an answer in my own words.";

type Source = Pick<Passage, "fileId" | "name" | "page" | "row">;

const citationOf = ({ fileId, name, page, row }: Source, index: number): Citation => ({
  url: "",
  file_path: name,
  title: name,
  info: {
    file_id: fileId,
    ...(page === undefined ? {} : { pages: [page] }),
    ...(row === undefined ? {} : { rows: [row] }),
  },
  citation_index: index,
});

/** Quotes the passages, with one citation for each file and page. The sources are listed from the citations, not in the text. */
export function quotations(passages: readonly Passage[], request: ModelRequest): OfflineAnswer {
  const citations = new Map<string, Citation>();
  const quotes = passages.map((passage) => {
    const key = JSON.stringify([passage.fileId, passage.page, passage.row]);
    const citation = citations.get(key) ?? citationOf(passage, citations.size + 1);
    citations.set(key, citation);
    return `> ${literal(oneLine(passage.text))} [${citation.citation_index}]`;
  });
  const names = [...new Set(passages.map(({ name }) => name))].map(bold);
  const text = [
    `${passages.length === 1 ? "The sentence" : `The ${passages.length} sentences`} of ${listed(names)} that match${passages.length === 1 ? "es" : ""} your question best:`,
    ...quotes,
    ...unreadLine(unreadOf(request)),
    `*${unconnected}*`,
  ].join("\n\n");
  return { text: `${text}\n`, citations: [...citations.values()] };
}

/** How the documents begin: for a question of which no word occurs in them, such as "summarise this". */
export function beginnings(documents: readonly RequestDocument[], request: ModelRequest): OfflineAnswer {
  const shown = documents.slice(0, 5);
  const citations = shown.map((document, at) => citationOf(document, at + 1));
  const text = [
    `No sentence of ${listed(shown.map(({ name }) => bold(name)))} matches your question. ${shown.length === 1 ? "It begins" : "They begin"}:`,
    ...shown.map(({ text: content }, at) => `> ${literal(shortened(content, beginningLimit)) || "(no text)"} [${at + 1}]`),
    ...unreadLine(unreadOf(request)),
    `*${unconnected} Ask with words that the text itself uses.*`,
  ].join("\n\n");
  return { text: `${text}\n`, citations };
}

/** Says that nothing is connected, what was understood, and what to do about it. */
export function howToConnect(request: ModelRequest): OfflineAnswer {
  const { agent, project, style } = request.setting;
  const question = shortened(request.turns.at(-1)?.text ?? "", echoLimit);
  const circumstances = [
    ...(agent === null ? [] : [`as the agent ${bold(agent)}`]),
    ...(project === null ? [] : [`in the project ${bold(project)}`]),
    ...(style === defaultStyle ? [] : [`in the style ${bold(style)}`]),
  ];
  const understood = question === "" ? "You asked nothing in words" : `You asked: “${literal(question)}”`;
  const text = [
    "I am Parley's built-in offline model. **No language model is connected yet**, so I cannot answer this myself.",
    `${understood}${circumstances.length === 0 ? "" : `, ${listed(circumstances)}`}.`,
    ...unreadLine(unreadOf(request)),
    "To connect a model, set one of these and restart Parley:",
    [
      "- `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `GOOGLE_GENERATIVE_AI_API_KEY`",
      "- `OPENAI_BASE_URL` for a server of your own: Ollama (`http://127.0.0.1:11434/v1`), vLLM or LM Studio",
    ].join("\n"),
    "Until then, attach a text, PDF, Word or Excel file and ask about it: I quote the sentences that match best. To see how answers look, ask me to `show me markdown`, `write 3000 words` or `fail once`.",
  ].join("\n\n");
  return { text: `${text}\n`, citations: [] };
}
