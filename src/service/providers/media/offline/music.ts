/** Music without a model: chords, a bass and a tune whose key, pace and steps come from the prompt's words. */
import { setImmediate } from "node:timers/promises";
import type { MadeFile, MusicRequest } from "../port.ts";
import { chanceOf } from "./seed.ts";
import { writeWav } from "./wav.ts";

const rate = 22_050;
const usualSeconds = 20;
/** A loudness that leaves room for all voices at once. */
const loudness = 0.22;
/** The end fades out for this long, in seconds. */
const fade = 1.5;

const scales = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [0, 2, 3, 5, 7, 8, 10],
} as const;
/** Steps of the scale on which the chords stand. */
const progressions = [
  [0, 4, 5, 3],
  [0, 5, 3, 4],
  [5, 3, 0, 4],
  [0, 3, 0, 4],
] as const;

interface Note {
  readonly start: number;
  readonly seconds: number;
  readonly frequency: number;
  readonly share: number;
}

const pick = <T>(list: readonly T[], chance: () => number): T => list[Math.floor(chance() * list.length)] as T;

/** Words that ask for a mood: the rest is chance. */
const isSlow = (words: string): boolean => /\b(?:calm|slow|quiet|sad|sleep|soft|ambient|gentle)/i.test(words);
const isMinor = (words: string): boolean => /\b(?:sad|dark|minor|night|storm|lonely|tense)/i.test(words);

function compose(prompt: string, seconds: number): Note[] {
  const chance = chanceOf(prompt);
  const scale = isMinor(prompt) || (chance() < 0.35 && !/\b(?:happy|bright|major)/i.test(prompt)) ? scales.minor : scales.major;
  const root = 48 + Math.floor(chance() * 12);
  const beat = 60 / (isSlow(prompt) ? 66 + chance() * 14 : 92 + chance() * 40);
  const chords = pick(progressions, chance);
  const frequency = (step: number): number => {
    const octave = Math.floor(step / 7);
    return 440 * 2 ** ((root + (scale[((step % 7) + 7) % 7] ?? 0) + octave * 12 - 69) / 12);
  };
  const notes: Note[] = [];
  let tune = 7;
  for (let bar = 0; bar * 4 * beat < seconds; bar++) {
    const start = bar * 4 * beat;
    const chord = chords[bar % chords.length] ?? 0;
    for (const third of [0, 2, 4]) notes.push({ start, seconds: 4 * beat, frequency: frequency(chord + third), share: 0.5 });
    for (const half of [0, 2])
      notes.push({ start: start + half * beat, seconds: 2 * beat, frequency: frequency(chord - 7), share: 0.9 });
    for (let quarter = 0; quarter < 4; quarter++) {
      tune = Math.max(5, Math.min(16, tune + Math.floor(chance() * 5) - 2));
      // On the first beat the tune belongs to the chord.
      if (quarter === 0) tune = chord + 7 + pick([0, 2, 4], chance);
      if (chance() < 0.82)
        notes.push({ start: start + quarter * beat, seconds: beat * 1.4, frequency: frequency(tune), share: 0.8 });
    }
  }
  return notes;
}

/** A plucked tone at `at` seconds from its start: soft at first, then dying away. */
function tone({ frequency, seconds, share }: Note, at: number): number {
  const angle = 2 * Math.PI * frequency * at;
  const shape = Math.min(1, at / 0.015) * Math.exp((-3 * at) / seconds);
  return share * shape * (Math.sin(angle) + 0.35 * Math.sin(2 * angle) + 0.12 * Math.sin(3 * angle));
}

/** The tune of these words; the same for the same words and length. Nobody ever sings in it. */
export async function playMusic({ prompt, seconds = usualSeconds }: MusicRequest, signal: AbortSignal): Promise<MadeFile> {
  const mixed = new Float32Array(Math.round(seconds * rate));
  for (const [index, note] of compose(prompt, seconds).entries()) {
    const first = Math.round(note.start * rate);
    const length = Math.min(mixed.length - first, Math.round(note.seconds * rate));
    for (let at = 0; at < length; at++) mixed[first + at] = (mixed[first + at] ?? 0) + tone(note, at / rate);
    // Others want to be answered meanwhile.
    if (index % 8 === 0) {
      await setImmediate();
      signal.throwIfAborted();
    }
  }
  const samples = Int16Array.from(mixed, (value, at) => {
    const left = (mixed.length - at) / rate;
    const end = Math.min(1, left / Math.min(fade, seconds / 2));
    return Math.round(Math.tanh(value * loudness) * end * 32_000);
  });
  return { type: "file", bytes: writeWav({ rate, samples, info: undefined }), extension: "wav", seconds };
}
