/** Keeps what did not change the same object, so that a growing answer draws only its last block again. */

/** @import {Document} from "../../../src/core/document.ts" */

/**
 * @param {Document | null} before
 * @param {Document | null} after
 * @returns {Document | null} equal to `after`; blocks that are equal to those of `before` are the same objects
 */
export function shareDocument(before, after) {
  if (before === null || after === null) return after;
  const blocks = after.blocks.map((block, index) => {
    const old = before.blocks[index];
    return old !== undefined && JSON.stringify(old) === JSON.stringify(block) ? old : block;
  });
  return { ...after, blocks };
}
