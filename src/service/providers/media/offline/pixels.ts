/** A picture as pixels, and the little that is needed to draw on it. */

export type Colour = readonly [red: number, green: number, blue: number];

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel, row by row. */
  readonly rgb: Uint8Array;
}

export const blank = (width: number, height: number): Pixels => ({ width, height, rgb: new Uint8Array(width * height * 3) });

/** Lays `colour` over a pixel. @param share 1 covers it, 0 leaves it; what is outside is left out */
export function blend({ width, height, rgb }: Pixels, x: number, y: number, colour: Colour, share = 1): void {
  if (x < 0 || y < 0 || x >= width || y >= height) return;
  const at = (y * width + x) * 3;
  for (let channel = 0; channel < 3; channel++) {
    const below = rgb[at + channel] ?? 0;
    rgb[at + channel] = Math.round(below + ((colour[channel] ?? 0) - below) * share);
  }
}

export function fillRectangle(
  pixels: Pixels,
  { x, y, width, height }: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  colour: Colour,
  share = 1,
): void {
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++) blend(pixels, column, row, colour, share);
}

/** A colour by hue in degrees, saturation and lightness from 0 to 1. */
export function hsl(hue: number, saturation: number, lightness: number): Colour {
  const channel = (offset: number): number => {
    const turn = (offset + hue / 30) % 12;
    const strength = saturation * Math.min(lightness, 1 - lightness);
    return Math.round(255 * (lightness - strength * Math.max(-1, Math.min(turn - 3, 9 - turn, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

export const mix = (from: Colour, to: Colour, share: number): Colour => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];

/** The same picture no larger than `most` pixels on its longer side. */
export function shrunk(pixels: Pixels, most: number): Pixels {
  const factor = Math.max(pixels.width, pixels.height) / most;
  if (factor <= 1) return pixels;
  const small = blank(Math.max(1, Math.floor(pixels.width / factor)), Math.max(1, Math.floor(pixels.height / factor)));
  for (let y = 0; y < small.height; y++)
    for (let x = 0; x < small.width; x++) {
      const from = (Math.floor(y * factor) * pixels.width + Math.floor(x * factor)) * 3;
      small.rgb.set(pixels.rgb.subarray(from, from + 3), (y * small.width + x) * 3);
    }
  return small;
}
