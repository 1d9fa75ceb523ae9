/** Films by ffmpeg, where it is installed: a slow way into a picture, or from a first one to a last. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MadeFile, VideoRequest } from "../port.ts";
import { drawPicture } from "./picture.ts";
import { encodePng } from "./png.ts";
import type { Programs } from "./programs.ts";

export const ffmpeg = { name: "ffmpeg", purpose: "Offline films", limitMs: 10 * 60_000 };

const framesPerSecond = 25;
const usualSeconds = 5;

/** Pixels of the shorter side, by resolution. */
export const shortSides: Readonly<Record<string, number>> = { "480p": 480, "720p": 720 };

/** The size of a ratio such as `16:9`; both sides even, as the codec asks. */
export function sizeOf(ratio: string, shortSide: number): { readonly width: number; readonly height: number } {
  const [across = 16, down = 9] = ratio.split(":").map(Number);
  const long = Math.round((shortSide * Math.max(across, down)) / Math.min(across, down) / 2) * 2;
  return across >= down ? { width: long, height: shortSide } : { width: shortSide, height: long };
}

/** The part of the filter that fills the film's size with the `index`th picture and moves slowly into it. */
function zoom(index: number, { width, height }: { readonly width: number; readonly height: number }, seconds: number): string {
  const frames = Math.ceil(seconds * framesPerSecond);
  // Twice the size first: the zoom goes by whole pixels, and would tremble.
  const [w, h] = [width * 2, height * 2];
  const fill = `scale=${w}:${h}:force_original_aspect_ratio=increase,crop=${w}:${h}`;
  const middle = "x='iw/2-(iw/zoom/2)':y='ih/2-(ih/zoom/2)'";
  return `[${index}:v]${fill},zoompan=z='1+0.25*on/${frames}':${middle}:d=${frames}:s=${width}x${height}:fps=${framesPerSecond},setsar=1`;
}

export async function makeFilm(programs: Programs, request: VideoRequest, signal: AbortSignal): Promise<MadeFile> {
  const { prompt, firstFrame, lastFrame, aspectRatio, seconds = usualSeconds } = request;
  const size = sizeOf(aspectRatio, shortSides[request.resolution ?? "480p"] ?? 480);
  const folder = await mkdtemp(join(tmpdir(), "parley-film-"));
  try {
    const first = firstFrame?.bytes ?? (await encodePng(drawPicture(prompt, size.width, size.height)));
    const pictures = lastFrame === undefined ? [first] : [first, lastFrame.bytes];
    const inputs: string[] = [];
    for (const [index, bytes] of pictures.entries()) {
      const path = join(folder, `picture-${index}`);
      await writeFile(path, bytes, { mode: 0o600 });
      inputs.push("-i", path);
    }
    const crossing = Math.min(1, seconds / 2);
    const filter =
      lastFrame === undefined
        ? `${zoom(0, size, seconds)}[film]`
        : `${zoom(0, size, seconds)}[a];${zoom(1, size, crossing)}[b];[a][b]xfade=transition=fade:duration=${crossing}:offset=${seconds - crossing}[film]`;
    const output = join(folder, "film.mp4");
    const coding = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-movflags", "+faststart"];
    const args = ["-nostdin", "-v", "error", ...inputs, "-filter_complex", filter, "-map", "[film]", "-t", String(seconds)];
    await programs.run(ffmpeg, [...args, ...coding, "-y", output], new Uint8Array(), signal);
    return { type: "file", bytes: await readFile(output), extension: "mp4", seconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
