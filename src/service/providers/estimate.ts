/** How many tokens a text has, where nobody has counted. */

/** About four characters of English make a token, by the rule of thumb that OpenAI and Google publish. */
export const tokensIn = (text: string): number => Math.ceil(text.length / 4);
