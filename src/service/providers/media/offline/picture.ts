/** Pictures without a model: a landscape whose colours and hills come from the prompt's words, with the words on it. */
import { chanceOf } from "./seed.ts";
import { drawLine, lineStep, linesOf, widthOf } from "./letters.ts";
import { blank, blend, fillRectangle, hsl, mix, shrunk, type Colour, type Pixels } from "./pixels.ts";

const white: Colour = [255, 255, 255];
const black: Colour = [0, 0, 0];
const mark = "DRAWN OFFLINE BY PARLEY";

/** Longer side of an edited picture at most. */
const editedSide = 1600;

interface Hill {
  readonly base: number;
  readonly waves: ReadonlyArray<readonly [length: number, height: number, shift: number]>;
  readonly colour: Colour;
}

function landscape(pixels: Pixels, words: string): void {
  const { width, height } = pixels;
  const chance = chanceOf(words);
  const hue = chance() * 360;
  const [zenith, horizon] = [hsl(hue, 0.55, 0.3), hsl((hue + 40 + chance() * 60) % 360, 0.75, 0.75)];
  const sun = {
    x: width * (0.15 + chance() * 0.7),
    y: height * (0.18 + chance() * 0.2),
    radius: height * (0.06 + chance() * 0.07),
  };
  const hills = Array.from({ length: 3 }, (_, layer): Hill => ({
    base: height * (0.62 + layer * 0.12),
    waves: [1, 2.3, 4.1].map((pace) => [
      (width * (0.5 + chance())) / pace,
      (height * (0.05 + chance() * 0.05)) / pace,
      chance() * Math.PI * 2,
    ]),
    colour: mix(hsl((hue + 150) % 360, 0.35, 0.36 - layer * 0.09), horizon, 0.25 - layer * 0.1),
  }));
  const sky = Array.from({ length: height }, (_, y) => mix(zenith, horizon, Math.min(1, y / (height * 0.75))));
  for (let x = 0; x < width; x++) {
    const tops = hills.map(({ base, waves }) =>
      waves.reduce((top, [length, rise, shift]) => top - rise * Math.sin((x / length) * Math.PI * 2 + shift), base),
    );
    let covered = -1;
    for (let y = 0; y < height; y++) {
      // A hill in front hides those behind it, wherever their tops are.
      for (let layer = covered + 1; layer < tops.length; layer++) if (y >= (tops[layer] ?? height)) covered = layer;
      const colour = hills[covered]?.colour ?? sky[y] ?? horizon;
      const at = (y * width + x) * 3;
      pixels.rgb[at] = colour[0];
      pixels.rgb[at + 1] = colour[1];
      pixels.rgb[at + 2] = colour[2];
      if (covered !== -1 || Math.abs(x - sun.x) > sun.radius * 3) continue;
      const distance = Math.hypot(x - sun.x, y - sun.y);
      if (distance < sun.radius * 3)
        blend(pixels, x, y, white, distance < sun.radius ? 0.85 : 0.35 - distance / (sun.radius * 8.6));
    }
  }
}

/** Writes `text` in the middle of an area, as large as it fits. */
function write(pixels: Pixels, text: string, area: { readonly y: number; readonly height: number }, most: number): void {
  const { width } = pixels;
  for (let dot = most; dot >= 1; dot--) {
    const columns = Math.max(1, Math.floor((width * 0.88) / (6 * dot)));
    const rows = Math.max(1, Math.floor(area.height / (lineStep * dot)));
    // Smaller letters only as long as the words do not fit.
    const lines = linesOf(text, columns, dot === 1 ? rows : rows + 1);
    if (lines.length > rows) continue;
    let y = Math.round(area.y + (area.height - lines.length * lineStep * dot) / 2);
    for (const line of lines) {
      const x = Math.round((width - widthOf(line) * dot) / 2);
      drawLine(pixels, line, x + Math.ceil(dot / 2), y + Math.ceil(dot / 2), dot, black, 0.45);
      drawLine(pixels, line, x, y, dot, white);
      y += lineStep * dot;
    }
    return;
  }
}

/** A picture drawn from the words of `prompt`; the same for the same words. */
export function drawPicture(prompt: string, width = 768, height = 512, title = prompt): Pixels {
  const pixels = blank(width, height);
  landscape(pixels, prompt);
  write(pixels, title, { y: height * 0.1, height: height * 0.75 }, Math.max(1, Math.floor(width / 110)));
  drawLine(pixels, mark, 8, height - 14, 1, white, 0.7);
  return pixels;
}

/** The picture with a tint and a frame in a colour of the words' own, and the words below. */
export function changePicture(source: Pixels, prompt: string): Pixels {
  const inner = shrunk(source, editedSide);
  const border = Math.max(4, Math.round(Math.min(inner.width, inner.height) / 40));
  const bar = Math.max(24, Math.round(inner.height / 7));
  const tint = hsl(chanceOf(prompt)() * 360, 0.6, 0.4);
  const pixels = blank(Math.max(160, inner.width + 2 * border), inner.height + 2 * border + bar);
  fillRectangle(pixels, { x: 0, y: 0, width: pixels.width, height: pixels.height }, tint);
  const left = Math.floor((pixels.width - inner.width) / 2);
  for (let y = 0; y < inner.height; y++)
    pixels.rgb.set(inner.rgb.subarray(y * inner.width * 3, (y + 1) * inner.width * 3), ((y + border) * pixels.width + left) * 3);
  fillRectangle(pixels, { x: left, y: border, width: inner.width, height: inner.height }, tint, 0.22);
  write(pixels, prompt, { y: inner.height + border, height: bar + border - 12 }, 4);
  drawLine(pixels, mark, 6, pixels.height - 10, 1, white, 0.7);
  return pixels;
}
