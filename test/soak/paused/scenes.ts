/** Every moment at which an owner is paused. Run as a program it says what came of each, so that a safeguard can be taken out. */
import { agreedScenes } from "./agreed.ts";
import { askedScenes } from "./asked.ts";
import { mediaScenes } from "./media.ts";
import { pauseIn, type Woken } from "./pause.ts";

export type AllWoken = readonly Woken[];

if (import.meta.main) {
  const all: Woken[] = [];
  for (const scene of [...mediaScenes, ...askedScenes, ...agreedScenes]) all.push(await pauseIn(scene));
  process.stdout.write(`${JSON.stringify(all)}\n`);
}
