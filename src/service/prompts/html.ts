/** The HTML of a run's result, made of the model's Markdown. */
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** Markdown as HTML. HTML in it is shown as text, and links of other protocols than the usual ones go nowhere: a model's words are nobody's markup. */
export const htmlOf = (markdown: string): string => micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
