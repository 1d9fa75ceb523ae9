/** Puts a reply's pages and everything around them into documents, none of them larger than a message. */
import { emptyDocument, type Document, type Footnote } from "../document.ts";
import type { Limits } from "../platform.ts";
import { documentCost, within } from "./measure.ts";
import type { Page } from "./renderer.ts";

type Surroundings = Omit<Document, "blocks" | "source">;

export interface Layout {
  /**
   * One document for each message. A document that needs no change is the same object as before.
   * @param source the whole reply's Markdown, for the document that has all of it
   */
  documents(pages: readonly Page[], surroundings: Surroundings, source?: string): readonly Document[];
}

const isEmpty = ({ status, notice, footnotes, footer, actions }: Surroundings): boolean =>
  status === null && notice === null && footer === null && footnotes.length === 0 && actions.length === 0;

/** The longest beginning of `text` that `fits`, with an ellipsis where something is left out. */
function shortened(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  let low = 0;
  for (let high = text.length; low < high;) {
    const middle = (low + high + 1) >> 1;
    if (fits(`${text.slice(0, middle)}…`)) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? "" : `${text.slice(0, low).toWellFormed()}…`;
}

export function createLayout(limits: Limits): Layout {
  const fits = (document: Document): boolean => within(documentCost(document, limits), limits);
  const full = new WeakMap<Page, Document>();

  /** A page that others follow: nothing but the answer. */
  const fullPage = (page: Page): Document => {
    const known = full.get(page) ?? { ...emptyDocument, blocks: page };
    full.set(page, known);
    return known;
  };

  /** Until it is final a reply opens no message for its surroundings alone: what does not fit waits. */
  const growing = (page: Page, around: Surroundings): Document =>
    [
      around,
      { ...around, footnotes: [] },
      { ...around, footnotes: [], status: null, footer: null },
      { ...around, footnotes: [], status: null, footer: null, actions: [] },
    ]
      .map((some): Document => ({ ...some, blocks: page }))
      .find(fits) ?? { ...emptyDocument, state: around.state, blocks: page };

  const closing = (around: Surroundings): Document => {
    const alone: Document = { ...around, blocks: [], footnotes: [] };
    if (fits(alone)) return alone;
    const notice =
      around.notice && shortened(around.notice, (text) => fits({ ...alone, notice: text, status: null, footer: null }));
    return { ...alone, notice, status: null, footer: null };
  };

  const footnoteThatFits = (footnote: Footnote): Footnote => {
    const alone = (some: Footnote): boolean => fits({ ...emptyDocument, footnotes: [some] });
    const bare = alone(footnote) ? footnote : { ...footnote, detail: "" };
    const linked = alone({ ...bare, title: "" }) ? bare : { ...bare, url: null };
    return { ...linked, title: shortened(linked.title, (title) => alone({ ...linked, title })) };
  };

  /** The last page; then as many messages as the sources need; the last of them has the rest. */
  const finished = (page: Page, around: Surroundings): Document[] => {
    const whole: Document = { ...around, blocks: page };
    if (fits(whole)) return [whole];
    const documents: Document[] = [];
    let open: Document = page.length === 0 ? emptyDocument : fullPage(page);
    for (const footnote of around.footnotes.map(footnoteThatFits)) {
      const wider: Document = { ...open, footnotes: [...open.footnotes, footnote] };
      if (fits(wider)) open = wider;
      else {
        documents.push(open);
        open = { ...emptyDocument, footnotes: [footnote] };
      }
    }
    const end = closing(around);
    const together: Document = { ...end, blocks: open.blocks, footnotes: open.footnotes };
    return fits(together)
      ? [...documents, together]
      : [...documents, ...(isEmpty(open) && open.blocks.length === 0 ? [] : [open]), end];
  };

  return {
    documents(pages, around, source) {
      const final = around.state === "done" || around.state === "failed" || around.state === "stopped";
      const last = pages.at(-1);
      if (last === undefined && isEmpty(around)) return [];
      const before = pages.slice(0, -1).map(fullPage);
      const end = final ? finished(last ?? [], around) : [growing(last ?? [], around)];
      const [only] = end;
      if (source === undefined || only === undefined || before.length + end.length > 1) return [...before, ...end];
      return [{ ...only, source }];
    },
  };
}
