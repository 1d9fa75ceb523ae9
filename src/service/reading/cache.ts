/** Keeps what a parser found beside the file it came from, so that a document is parsed once and not at every turn. */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Extracted } from "./extracted.ts";
import type { ReadingLimits } from "./limits.ts";

/** What is kept: the text, or why there is none. */
export type Kept = { readonly extracted: Extracted } | { readonly unreadable: string };

// Grows with every change of what a parser makes of a file.
const version = 1;

const keptPath = (path: string): string => `${path}.text`;
const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** What an earlier parse of the file at `path` gave, if it was made by this version and with these limits. */
export async function kept(path: string, limits: ReadingLimits): Promise<Kept | undefined> {
  let stored: { version: number; characters: number; kept: Kept };
  try {
    stored = JSON.parse(await readFile(keptPath(path), "utf8")) as typeof stored;
  } catch (error) {
    // A file that lost its end with the power is made again.
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
  return stored.version === version && stored.characters === limits.characters ? stored.kept : undefined;
}

/** Keeps `found` for the file at `path`; complete or not at all. */
export async function keep(path: string, limits: ReadingLimits, found: Kept): Promise<void> {
  const draft = `${keptPath(path)}.new`;
  await writeFile(draft, JSON.stringify({ version, characters: limits.characters, kept: found }), { mode: 0o600 });
  await rename(draft, keptPath(path));
}

/** Forgets what was kept for the file at `path`. */
export async function forget(path: string): Promise<void> {
  await rm(keptPath(path), { force: true });
}
