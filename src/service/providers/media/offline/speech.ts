/** Speech by espeak-ng, where it is installed; the words go along in the file, so that they can be read back. */
import { Fault } from "../../../../errors.ts";
import type { MadeFile, MadeText, SpeechRequest, TranscriptionRequest } from "../port.ts";
import type { Programs } from "./programs.ts";
import { readWav, writeWav } from "./wav.ts";

const espeak = { name: "espeak-ng", purpose: "Offline speech and its voices", limitMs: 120_000 };

/** Written into each file: only of such a file are the words what is spoken in it. */
const maker = "Parley, spoken offline by espeak-ng";

/** Letters of a text at most; more would speak for hours. */
const longestText = 20_000;

/** A voice as espeak-ng names them: `en`, `en-us`, `de+f3`. Anything else could be taken for a path. */
const voicePattern = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2}(?:\+[a-z0-9]{1,16})?$/i;

export async function speak(programs: Programs, { text, voice = "en" }: SpeechRequest, signal: AbortSignal): Promise<MadeFile> {
  if (text.length > longestText)
    throw new Fault("provider_rejected", `The offline voice speaks at most ${longestText} letters, and here are ${text.length}.`);
  if (!voicePattern.test(voice))
    throw new Fault("provider_rejected", "The offline voice is chosen by a language, such as en, en-us or de.");
  const spoken = await programs.run(espeak, ["--stdin", "--stdout", "-v", voice], Buffer.from(text, "utf8"), signal);
  const wav = readWav(spoken);
  if (wav === undefined || wav.samples.length === 0) throw new Fault("provider_empty", "espeak-ng said nothing of this text.");
  const bytes = writeWav({ ...wav, info: { madeBy: maker, words: text } });
  return { type: "file", bytes, extension: "wav", seconds: wav.samples.length / wav.rate };
}

/** Reads back what was spoken here. Throws a Fault `provider_deaf` for every other recording: nothing here can listen. */
export function readBack({ audio }: TranscriptionRequest): MadeText {
  const wav = readWav(audio.bytes);
  if (wav?.info?.madeBy !== maker || wav.info.words === "")
    throw new Fault(
      "provider_deaf",
      "Offline, only speech that was made here can be written down: its words are kept in the file. For other recordings set OPENAI_API_KEY.",
    );
  const seconds = wav.samples.length / wav.rate;
  const { words } = wav.info;
  return { type: "text", text: words, segments: [{ start: 0, end: seconds, text: words }], seconds };
}
