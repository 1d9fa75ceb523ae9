/** A folder of programs that stand in for espeak-ng and ffmpeg: what a workspace finds on its path. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeWav } from "../../src/service/providers/media/offline/wav.ts";

export interface FakePrograms {
  /** To be the path, and what a program finds as `folder`. */
  readonly folder: string;
  /** Puts a program there. It is run by this very Node, and finds what it was given in `args`, `input` and `folder`. */
  install(name: string, body: string): Promise<void>;
  /** An espeak-ng that says one tone, whatever the words. */
  installVoice(): Promise<void>;
  /** An ffmpeg that writes the bytes of the picture that it was given where the film is to be. */
  installFilms(): Promise<void>;
  close(): Promise<void>;
}

export async function openPrograms(): Promise<FakePrograms> {
  const folder = await mkdtemp(join(tmpdir(), "parley-programs-"));
  const install = async (name: string, body: string): Promise<void> => {
    const program = `#!${process.execPath}
const fs = require("node:fs");
const args = process.argv.slice(2);
const folder = ${JSON.stringify(folder)};
const input = fs.readFileSync(0);
${body}`;
    // Without an ending it is CommonJS, whatever package.json stands above.
    await writeFile(join(folder, name), program);
    await chmod(join(folder, name), 0o755);
  };
  return {
    folder,
    install,
    async installVoice() {
      const samples = Int16Array.from({ length: 2_000 }, (_, at) => 8_000 * Math.sin(at / 8));
      await writeFile(join(folder, "tone.wav"), writeWav({ rate: 8_000, samples, info: undefined }));
      await install("espeak-ng", `process.stdout.write(fs.readFileSync(folder + "/tone.wav"));`);
    },
    installFilms: () => install("ffmpeg", `fs.writeFileSync(args.at(-1), fs.readFileSync(args[args.indexOf("-i") + 1]));`),
    close: () => rm(folder, { recursive: true }),
  };
}
