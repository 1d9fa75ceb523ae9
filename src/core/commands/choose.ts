/** Finds the one thing that a person means among those of the workspace. */
import type { WorkspaceLists } from "../directory.ts";
import { refusal, type Refusal } from "../refusal.ts";

export type Choice = { readonly id: number; readonly name: string };
type Found = Choice | { readonly refusal: Refusal };

interface Candidate extends Choice {
  /** Other names it answers to. */
  readonly aliases: readonly string[];
  /** Why it cannot be chosen; null when it can. */
  readonly blocked: string | null;
}

const same = (a: string, b: string): boolean => a.localeCompare(b, undefined, { sensitivity: "base" }) === 0;

/** By id, by name, by another name, or by the only name that contains what was written. An empty wish takes the first. */
function choose(kind: string, candidates: readonly Candidate[], wish: string): Found {
  const wanted = wish.trim().replace(/^@/, "");
  const all = (test: (candidate: Candidate) => boolean): readonly Candidate[] => candidates.filter(test);
  const exact = all(({ id, name, aliases }) => String(id) === wanted || [name, ...aliases].some((known) => same(known, wanted)));
  const partial = all(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const [found] = exact.length > 0 ? exact : wanted === "" || partial.length === 1 ? partial : [];
  if (found !== undefined) {
    return found.blocked === null
      ? { id: found.id, name: found.name }
      : refusal("blocked", `${found.name} cannot be chosen: ${found.blocked}.`);
  }
  if (candidates.length === 0) return refusal("not_found", `The workspace has no ${kind} that you could choose.`);
  const names = (partial.length > 0 ? partial : candidates).slice(0, 10).map(({ name }) => name);
  return refusal(
    "not_found",
    `There is no one ${kind} “${wish}”. There are: ${names.join(", ")}${names.length < candidates.length ? ", …" : ""}.`,
  );
}

export const chooseModel = async (lists: WorkspaceLists, wish: string, signal: AbortSignal): Promise<Found> =>
  choose(
    "model",
    (await lists.models({ signal })).map(({ ID, name, selectable, restriction_reason }) => ({
      id: ID,
      name,
      aliases: [],
      blocked: selectable ? null : (restriction_reason ?? "the workspace's rules forbid it").replace(/\.$/, ""),
    })),
    wish,
  );

export const chooseAgent = async (lists: WorkspaceLists, wish: string, signal: AbortSignal): Promise<Found> =>
  choose(
    "agent",
    (await lists.agents({ signal })).map(({ ID, name, tag, slug }) => ({ id: ID, name, aliases: [tag, slug], blocked: null })),
    wish,
  );

export const chooseProject = async (lists: WorkspaceLists, wish: string, signal: AbortSignal): Promise<Found> =>
  choose(
    "project",
    (await lists.projects({ signal })).map(({ ID, name, slug }) => ({ id: ID, name, aliases: [slug], blocked: null })),
    wish,
  );

export const choosePrompt = async (lists: WorkspaceLists, wish: string, signal: AbortSignal): Promise<Found> =>
  choose(
    "prompt",
    (await lists.prompts({ signal })).map(({ ID, name, slug }) => ({ id: ID, name, aliases: [slug], blocked: null })),
    wish,
  );
