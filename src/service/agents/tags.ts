/** Mention handles: derived from a name, and unique among the agents of one owner. */
import { agentTagPattern } from "../../contract/bodies.ts";

const longestTag = 50;
const fallback = "agent";

/** `@ai` calls on the AI itself and can be no agent's. */
const reserved: readonly string[] = ["ai"];

/** True for a tag that an owner may choose, as far as its form goes. */
export const isTag = (tag: string): boolean => agentTagPattern.test(tag) && !reserved.includes(tag);

/** The tag that a name gives: lower case, a dash for every other character, none at either end. */
export function tagOf(name: string): string {
  const dashed = name.toLowerCase().replace(/[^a-z0-9_-]/gu, "-");
  return (
    dashed
      .replace(/^[-_]+/, "")
      .slice(0, longestTag)
      .replace(/-+$/, "") || fallback
  );
}

/** `tag`, or the first of `tag-2`, `tag-3` … that is not among `taken`. */
export function freeTag(tag: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : `-${number}`;
    const candidate = tag.slice(0, longestTag - suffix.length) + suffix;
    if (!taken.has(candidate) && !reserved.includes(candidate)) return candidate;
  }
}
