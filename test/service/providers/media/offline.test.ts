/** The offline media: what it makes, with programs that are missing, and with programs that stand in for the real ones. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { drawPicture } from "../../../../src/service/providers/media/offline/picture.ts";
import { linesOf } from "../../../../src/service/providers/media/offline/letters.ts";
import { offlineMedia } from "../../../../src/service/providers/media/offline/offline.ts";
import { decodePng, encodePng } from "../../../../src/service/providers/media/offline/png.ts";
import { readWav, writeWav } from "../../../../src/service/providers/media/offline/wav.ts";
import type { MadeFile, MediaProvider, MediaSource, VideoRequest } from "../../../../src/service/providers/media/port.ts";
import { fakeClock, type FakeClock } from "../../../fakes/clock.ts";
import { openPrograms, type FakePrograms } from "../../../fakes/programs.ts";
import { never } from "../requests.ts";

let programs: FakePrograms;
let folder: string;
let clock: FakeClock;
let media: MediaProvider;
beforeEach(async () => {
  programs = await openPrograms();
  ({ folder } = programs);
  clock = fakeClock();
  media = offlineMedia(clock, folder);
});
afterEach(() => programs.close());

const install: FakePrograms["install"] = (name, body) => programs.install(name, body);
const file = async (made: Promise<unknown>): Promise<MadeFile> => (await made) as MadeFile;

const image = (prompt: string, source?: MediaSource) =>
  file(media.make({ kind: "image", modelKey: "offline:picture", prompt, source }, never));
const speech = (text: string, voice?: string, signal = never) =>
  file(media.make({ kind: "speech", modelKey: "offline:voice", text, voice }, signal));
const film = (more: Partial<VideoRequest> = {}) =>
  file(
    media.make(
      {
        kind: "video",
        modelKey: "offline:film",
        prompt: "a ship",
        aspectRatio: "16:9",
        resolution: "480p",
        seconds: 3,
        firstFrame: undefined,
        lastFrame: undefined,
        references: [],
        ...more,
      },
      never,
    ),
  );
const transcribe = (bytes: Uint8Array) =>
  media.make({ kind: "transcription", modelKey: "offline:ear", audio: { name: "a.wav", bytes } }, never);

describe("pictures", () => {
  test("are the same for the same words, and others for others", async () => {
    const [one, again, other] = [await image("a lighthouse"), await image("a lighthouse"), await image("a ship")];
    expect(one.extension).toBe("png");
    expect(await decodePng(one.bytes)).toMatchObject({ width: 768, height: 512 });
    expect(again.bytes).toEqual(one.bytes);
    expect(other.bytes).not.toEqual(one.bytes);
  });

  test.for(["", "x".repeat(5000), "灯台 🌊 in the night", "a\nb\tc", "word ".repeat(400)])("%j is drawn", async (prompt) => {
    expect(await decodePng((await image(prompt)).bytes)).toBeDefined();
  });

  test("an edit holds the picture, changed, and is larger by its frame and words", async () => {
    const source = await encodePng(drawPicture("a lighthouse", 100, 60));
    const edited = await decodePng((await image("at night", { name: "a.png", bytes: source })).bytes);
    expect(edited?.width).toBeGreaterThan(100);
    expect(edited?.height).toBeGreaterThan(60);
  });

  test("a picture that cannot be opened gives a card, and ffmpeg opens it where it is installed", async () => {
    const photo = { name: "photo.jpg", bytes: new Uint8Array([0xff, 0xd8, 0xff, 1]) };
    expect(await decodePng((await image("at night", photo)).bytes)).toMatchObject({ width: 768, height: 512 });
    const png = await encodePng(drawPicture("inside", 200, 100));
    await writeFile(join(folder, "opened.png"), png);
    await install("ffmpeg", `process.stdout.write(fs.readFileSync(folder + "/opened.png"));`);
    const edited = await decodePng((await image("at night", photo)).bytes);
    expect(edited?.width).toBeLessThan(300);
  });
});

describe("words in a picture", () => {
  test("are broken into lines, and what does not fit ends in dots", () => {
    expect(linesOf("Grüße aus dem Hafen", 10, 5)).toEqual(["GRUSSE AUS", "DEM HAFEN"]);
    expect(linesOf("abcdefghij", 4, 9)).toEqual(["ABCD", "EFGH", "IJ"]);
    expect(linesOf("one two three four five", 7, 2)).toEqual(["ONE TWO", "THRE..."]);
    expect(linesOf("  ", 5, 2)).toEqual([]);
  });
});

describe("music", () => {
  const music = (prompt: string, seconds?: number, signal = never) =>
    file(media.make({ kind: "music", modelKey: "offline:tune", prompt, seconds, instrumental: true }, signal));

  test("plays as long as asked, can be heard, and is the prompt's own", async () => {
    const calm = await music("calm sea", 3);
    const wav = readWav(calm.bytes)!;
    expect(wav.samples.length / wav.rate).toBeCloseTo(3, 3);
    expect(Math.max(...wav.samples)).toBeGreaterThan(3000);
    expect(wav.samples.at(-1)).toBe(0);
    expect((await music("calm sea", 3)).bytes).toEqual(calm.bytes);
    expect((await music("storm", 3)).bytes).not.toEqual(calm.bytes);
    expect((await music("any")).seconds).toBe(20);
  });

  test("ends when it is no longer wanted", async () => {
    const controller = new AbortController();
    const made = music("calm sea", 60, controller.signal);
    controller.abort(new Error("no longer wanted"));
    await expect(made).rejects.toThrow("no longer wanted");
  });
});

describe("speech and its read-back", () => {
  const sound = (): Uint8Array => writeWav({ rate: 8000, samples: new Int16Array(16_000).fill(5), info: undefined });

  test("without espeak-ng it says what to install", async () => {
    await expect(speech("hello")).rejects.toMatchObject({
      code: "provider_missing",
      message: expect.stringContaining("need espeak-ng, which is not installed") as unknown,
    });
  });

  test("the words go in by the program's input, and come back out of the file", async () => {
    await writeFile(join(folder, "sound.wav"), sound());
    await install(
      "espeak-ng",
      `fs.writeFileSync(folder + "/asked.json", JSON.stringify({ args, input: input.toString(), env: Object.keys(process.env) }));
       process.stdout.write(fs.readFileSync(folder + "/sound.wav"));`,
    );
    const text = '-f /etc/passwd; $(touch x) "grüße"\n灯台';
    const spoken = await speech(text, "en-us");
    expect(spoken).toMatchObject({ extension: "wav", seconds: 2 });
    const asked = JSON.parse(await readFile(join(folder, "asked.json"), "utf8")) as { env: string[] };
    expect(asked).toMatchObject({ args: ["--stdin", "--stdout", "-v", "en-us"], input: text });
    expect(asked.env.filter((name) => /KEY|TOKEN|SECRET/i.test(name))).toEqual([]);
    expect(await transcribe(spoken.bytes)).toEqual({
      type: "text",
      text,
      segments: [{ start: 0, end: 2, text }],
      seconds: 2,
    });
  });

  test.for(["/etc/passwd", "en us", "--help", "../en", ""])("%j is no voice", async (voice) => {
    await install("espeak-ng", "process.exit(1);");
    await expect(speech("hello", voice)).rejects.toMatchObject({ code: "provider_rejected" });
  });

  test("too long a text, a program that fails and one that says nothing are told apart, without its words", async () => {
    await install("espeak-ng", `if (input.toString() === "fail") { console.error("a secret"); process.exit(3); }`);
    await expect(speech("x".repeat(20_001))).rejects.toMatchObject({ code: "provider_rejected" });
    await expect(speech("fail")).rejects.toMatchObject({ code: "provider_failed", message: "espeak-ng failed." });
    await expect(speech("nothing")).rejects.toMatchObject({ code: "provider_empty" });
  });

  test("one that never ends is ended after two minutes, or when it is no longer wanted", async () => {
    await install("espeak-ng", `fs.writeFileSync(folder + "/runs", ""); setInterval(() => {}, 1000);`);
    const runs = async (): Promise<void> => {
      for (;;) {
        const there = await readFile(join(folder, "runs")).then(
          () => true,
          () => false,
        );
        if (there) return rm(join(folder, "runs"));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const [late] = await Promise.allSettled([speech("hello"), runs().then(() => clock.advance(120_000))]);
    expect(late).toMatchObject({ status: "rejected", reason: { code: "provider_silent" } });
    const controller = new AbortController();
    const reason = new Error("no longer wanted");
    const [unwanted] = await Promise.allSettled([
      speech("hello", undefined, controller.signal),
      runs().then(() => controller.abort(reason)),
    ]);
    expect(unwanted).toEqual({ status: "rejected", reason });
    expect(clock.pending).toBe(0);
  });

  test("other recordings are not written down, and it says why", async () => {
    const deaf = { code: "provider_deaf", message: expect.stringContaining("OPENAI_API_KEY") as unknown };
    await expect(transcribe(sound())).rejects.toMatchObject(deaf);
    await expect(transcribe(new Uint8Array([1, 2, 3]))).rejects.toMatchObject(deaf);
    const foreign = writeWav({ rate: 8000, samples: Int16Array.of(1), info: { madeBy: "somebody", words: "a lie" } });
    await expect(transcribe(foreign)).rejects.toMatchObject(deaf);
  });
});

describe("films", () => {
  test("without ffmpeg it says what to install", async () => {
    await expect(film()).rejects.toMatchObject({
      code: "provider_missing",
      message: expect.stringContaining("need ffmpeg, which is not installed") as unknown,
    });
  });

  const fake = `fs.writeFileSync(folder + "/asked.json", JSON.stringify({ args, first: fs.readFileSync(args[args.indexOf("-i") + 1]).toString("latin1") }));
    fs.writeFileSync(args.at(-1), "the film");`;
  const asked = async () =>
    JSON.parse(await readFile(join(folder, "asked.json"), "utf8")) as {
      readonly args: readonly string[];
      readonly first: string;
    };

  test("ffmpeg is given the first frame, the size and the seconds; its file is the film", async () => {
    await install("ffmpeg", fake);
    const made = await film({ firstFrame: { name: "a.png", bytes: Buffer.from("the frame") }, resolution: "720p" });
    expect(made).toMatchObject({ extension: "mp4", seconds: 3, bytes: Buffer.from("the film") });
    const { args, first } = await asked();
    expect(first).toBe("the frame");
    expect(args.join(" ")).toContain("-t 3");
    expect(args.join(" ")).toContain("s=1280x720");
    expect(args.filter((arg) => arg === "-i")).toHaveLength(1);
  });

  test("without a frame one is drawn from the words; with a last one the film goes from one to the other", async () => {
    await install("ffmpeg", fake);
    await film({ aspectRatio: "9:16" });
    const drawn = await asked();
    expect(await decodePng(Buffer.from(drawn.first, "latin1"))).toMatchObject({ width: 480, height: 854 });
    const frame = { name: "a.png", bytes: Buffer.from("frame") };
    await film({ firstFrame: frame, lastFrame: frame, seconds: 1 });
    const both = await asked();
    expect(both.args.filter((arg) => arg === "-i")).toHaveLength(2);
    expect(both.args.join(" ")).toContain("xfade=transition=fade:duration=0.5:offset=0.5");
  });
});
