/** Names that are made here, and the shapes of those that the page makes. */

/** Fills the bytes it is given; cryptographic in production. */
export type Random = (bytes: Uint8Array) => Uint8Array;

/** 32 hexadecimal digits: no two are the same, and none can be guessed. */
export const newId = (random: Random): string => Buffer.from(random(new Uint8Array(16))).toString("hex");

/** Ids that the page makes: of a message, an edit, a press. */
export const isId = (value: unknown): value is string => typeof value === "string" && /^[A-Za-z0-9_-]{8,64}$/.test(value);

/** Ids of files: their names on disk, so nothing else may ever reach the file system. */
export const isFileId = (value: unknown): value is string => typeof value === "string" && /^[0-9a-f]{32}$/.test(value);

/** Lower case, so that `Direct` stays the direct message's own. */
export const isChannelName = (value: unknown): value is string =>
  typeof value === "string" && /^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u.test(value);
