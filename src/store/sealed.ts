/** The form of sealed text, by which it is known wherever it is stored. */
const form = /^1\.([0-9a-f]{8})\.[A-Za-z0-9+/]+={0,2}$/;

export const isSealed = (text: string): boolean => form.test(text);
/** The id of the key that sealed text opens with. */
export const keyIdOf = (sealed: string): string | undefined => form.exec(sealed)?.[1];
