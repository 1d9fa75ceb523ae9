/** Text where a platform has room for so many characters only. */

/** At most `most` UTF-16 units; what is longer ends in an ellipsis, with no half of a character before it. */
export const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;

/** The same as one line: whatever space stands in it is a single blank. */
export const oneLine = (text: string, most: number): string => shorten(text.replace(/\s+/g, " ").trim(), most);
