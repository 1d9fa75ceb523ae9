/** A visible change of somebody's picture, or an honest card where the picture cannot be opened. */
import { Fault } from "../../../../errors.ts";
import type { MediaSource } from "../port.ts";
import { ffmpeg } from "./film.ts";
import { changePicture, drawPicture } from "./picture.ts";
import type { Pixels } from "./pixels.ts";
import { decodePng } from "./png.ts";
import type { Programs } from "./programs.ts";

const converter = { ...ffmpeg, limitMs: 30_000 };

/** The picture's pixels: a PNG by ourselves, anything else by ffmpeg where it is installed; undefined where it cannot be opened. */
async function pixelsOf(programs: Programs, { bytes }: MediaSource, signal: AbortSignal): Promise<Pixels | undefined> {
  const own = await decodePng(bytes);
  if (own !== undefined) return own;
  const args = ["-v", "error", "-i", "pipe:0", "-frames:v", "1", "-vf", "scale='min(1600,iw)':-1", "-f", "image2pipe"];
  try {
    return await decodePng(await programs.run(converter, [...args, "-c:v", "png", "pipe:1"], bytes, signal));
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code.startsWith("provider_")) return undefined;
    throw thrown;
  }
}

export async function editPicture(programs: Programs, source: MediaSource, prompt: string, signal: AbortSignal): Promise<Pixels> {
  const pixels = await pixelsOf(programs, source, signal);
  if (pixels !== undefined) return changePicture(pixels, prompt);
  return drawPicture(prompt, 768, 512, `${prompt} - ${source.name} could not be opened offline: PNG can, others with ffmpeg`);
}
