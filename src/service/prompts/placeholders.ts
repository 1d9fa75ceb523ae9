/** Placeholders in a prompt's content: `{{slug}}`, with spaces inside the braces or without. */

const placeholder = /\{\{\s*([A-Za-z0-9_-]{1,100})\s*\}\}/g;

/** The slugs that `content` has a placeholder for, each once, in their order. */
export const placeholdersIn = (content: string): string[] => [
  ...new Set([...content.matchAll(placeholder)].map(([, slug = ""]) => slug)),
];

/** `content` with values in place of their placeholders. What a value holds is text: a placeholder in it stays as it is. */
export const fillIn = (content: string, values: ReadonlyMap<string, string>): string =>
  content.replaceAll(placeholder, (whole, slug: string) => values.get(slug) ?? whole);
