/** Fills messages with blocks in their order. A full page never depends on what comes after it. */
import type { Block } from "../document.ts";
import type { Limits } from "../platform.ts";
import { minus, nothing, plus, within, type Size } from "./measure.ts";
import { asText, split } from "./split.ts";

/** The blocks of one message. */
export type Page = readonly Block[];

/** A block is cut for the rest of a page only when that is at least this part of a page. */
const leastRest = 0.25;

export interface Paginator {
  /** The pages of `blocks`; pages and parts that are as before are the same objects as before. */
  paginate(blocks: readonly Block[], room?: Size): readonly Page[];
  readonly room: Size;
  cost(block: Block): Size;
}

/** What a page leaves free for the status line and the buttons that come and go. */
const reserve = ({ characters, blocks }: Limits): Size => ({
  characters: Math.min(300, Math.floor(characters / 10)),
  blocks: Math.min(3, Math.floor(blocks / 10)),
});

export function createPaginator(limits: Limits): Paginator {
  const costs = new WeakMap<Block, Size>();
  // The last cut of each block, and the room it was made for.
  const cuts = new WeakMap<Block, { readonly room: Size; readonly parts: readonly [Block, Block] | null }>();
  let before: readonly Page[] = [];
  const pageRoom = minus(limits, reserve(limits));

  const cost = (block: Block): Size => {
    const known = costs.get(block) ?? limits.cost(block);
    costs.set(block, known);
    return known;
  };

  const cut = (block: Block, room: Size): readonly [Block, Block] | null => {
    const known = cuts.get(block);
    if (known !== undefined && known.room.characters === room.characters && known.room.blocks === room.blocks) return known.parts;
    const parts = split(block, (head) => within(limits.cost(head), room));
    cuts.set(block, { room, parts });
    return parts;
  };

  const fill = (blocks: readonly Block[], room: Size): Page[] => {
    const pages: Block[][] = [];
    let page: Block[] = [];
    let used = nothing;

    const put = (block: Block): void => {
      page.push(block);
      used = plus(used, cost(block));
    };
    // A heading goes with what it heads.
    const turn = (): void => {
      const heading = page.length > 1 && page.at(-1)?.type === "heading" ? page.pop() : undefined;
      pages.push(page);
      page = [];
      used = nothing;
      if (heading !== undefined) put(heading);
    };

    for (const block of blocks) {
      for (let rest: Block | undefined = block; rest !== undefined;) {
        const free = minus(room, used);
        if (within(cost(rest), free)) {
          put(rest);
          break;
        }
        const enough = free.characters >= room.characters * leastRest;
        const parts: readonly [Block, Block] | null = page.length === 0 || enough ? cut(rest, free) : null;
        if (parts !== null) {
          put(parts[0]);
          turn();
          rest = parts[1];
        } else if (page.length > 0) {
          turn();
        } else {
          const text: Block = asText(rest);
          if (rest.type === "paragraph" && cut(text, free) === null) {
            throw new RangeError("a message of this platform holds not even one character");
          }
          rest = text;
        }
      }
    }
    if (page.length > 0) pages.push(page);
    return pages;
  };

  return {
    room: pageRoom,
    cost,
    paginate(blocks, room = pageRoom) {
      const pages = fill(blocks, room).map((page, index) => {
        const known = before[index];
        return known?.length === page.length && page.every((block, at) => block === known[at]) ? known : page;
      });
      before = pages;
      return pages;
    },
  };
}
