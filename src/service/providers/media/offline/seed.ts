/** Chance that is the same for the same words, so that a prompt has its own picture and its own tune. */

/** Numbers from 0 up to 1, always the same row for the same words: FNV-1a as the seed of mulberry32, two public-domain classics. */
export function chanceOf(words: string): () => number {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(words)) state = Math.imul(state ^ byte, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
