/** Markdown that Slack itself reads, made so that it cannot mention, link, show an image or preview. */
import { literal } from "./literal.ts";

/** Not seen, and no part of any name, address or code. */
const joiner = "\u2060";

/**
 * What opens a mention, an entity, an emoji code, an address or a link's target is parted from what follows it.
 * The beginning of a longer text has the beginning of its result, so that it may be appended as it grows.
 */
export const harmless = (markdown: string): string => literal(markdown).replace(/[<&@:\]]|(?<=www)\./gi, `$&${joiner}`);
