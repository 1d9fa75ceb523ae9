/**
 * Preloaded into a Parley under test: changes lines of its source as they are loaded, so that the suite can run with
 * faster clocks of the platforms, or with a safeguard taken out. The files on disk stay as they are.
 * A change that does not fit exactly once ends the process.
 */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

export interface Patch {
  /** From the root, such as `src/store/turns.ts`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** The variable that carries the patches, in JSON. */
export const patchVariable = "PARLEY_TEST_PATCHES";
/** What is written to the standard error for each patch that was made. */
export const patchedLine = ({ file, find }: Patch): string => `patched ${file}: ${find.split("\n")[0]}\n`;

const root = fileURLToPath(new URL("../../", import.meta.url));
const patches = JSON.parse(process.env[patchVariable] ?? "[]") as readonly Patch[];

if (patches.length > 0)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.startsWith("file:")) return loaded;
      const file = fileURLToPath(url).slice(root.length);
      const wanted = patches.filter((patch) => patch.file === file);
      if (wanted.length === 0) return loaded;
      let source = Buffer.from(loaded.source as Uint8Array).toString();
      for (const patch of wanted) {
        const parts = source.split(patch.find);
        if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times, not once: ${patch.find}`);
        source = parts.join(patch.replace);
        process.stderr.write(patchedLine(patch));
      }
      return { ...loaded, source };
    },
  });
