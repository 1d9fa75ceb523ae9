/** Text as Slack can take it, and whether Slack would read some of it as markup. */

/** Control characters, which Slack refuses, and those that turn the direction of the text after them, a link's host included. */
// oxlint-disable-next-line no-control-regex
const unwanted = /[\u0000-\u0008\u000B-\u001F\u007F\u202A-\u202E\u2066-\u2069]/g;

/** For the text of rich text elements: Slack shows it as it is. */
export const literal = (text: string): string => text.toWellFormed().replace(unwanted, "");

/** Where Slack reads `<...>` and `&...;`: in `text` and, it seems, in plain text objects. */
export const hasMarkup = (text: string): boolean => /[&<>]/.test(text);

/** For the `text` of a message. */
export const escaped = (text: string): string =>
  literal(text).replace(/[&<>]/g, (character) => (character === "&" ? "&amp;" : character === "<" ? "&lt;" : "&gt;"));
