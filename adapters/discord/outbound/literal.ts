/** Text as literal text: nothing in it is markup, a mention, a time stamp, an emoji or a link to Discord. */

/** Control characters, and those that turn the direction of the text after them, a link's host included. */
// oxlint-disable-next-line no-control-regex
const unwanted = /[\u0000-\u0008\u000B-\u001F\u007F\u202A-\u202E\u2066-\u2069]/g;

/** Unseen, and something where Discord needs something. */
export const zeroWidthSpace = "\u200B";

/** Text that Discord can take. */
export const shown = (text: string): string => text.toWellFormed().replace(unwanted, "");

/** Marks anywhere in a line. "<" opens every mention, custom emoji, time stamp and command; "@" broadcasts without it. */
const marks = /[\\*_~`|[\]<@]/g;
/** What Discord makes a link of by itself, also where what follows is written by the next node. */
const addresses = /:(?=\/\/|\/?$)/g;
/** Invitations are links without a scheme, too. */
const invitations = /(^|discord(?:app)?\.(?:gg|com|new|gift))\//gi;

/** For running text, wherever in a line it stands. */
export const literal = (text: string): string =>
  shown(text).replace(marks, "\\$&").replace(addresses, "\\:").replace(invitations, "$1\\/");

/**
 * Makes the beginnings of lines plain: headings, small text, lists and quotations.
 * For running text whose own marks begin none of these, as those of `phrasing.ts`.
 */
export const plainLines = (text: string): string =>
  text.replace(/^(\s*)(?:([#>+-])|(\d+)([.)]))/gm, (_, space: string, mark?: string, digits?: string, dot?: string) =>
    mark === undefined ? `${space}${digits ?? ""}\\${dot ?? ""}` : `${space}\\${mark}`,
  );

/** Words on one line of their own. */
export const oneLine = (text: string): string => plainLines(literal(text.replace(/\s*\n\s*/g, " ").trim()));
