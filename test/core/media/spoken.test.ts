/** Speech and transcripts, by tools whose schemas are all that is known of them. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { WorkspaceTool } from "../../../src/contract/records.ts";
import { placeKey } from "../../../src/core/place.ts";
import { transcribeTools } from "../../fakes/transcribe-tools.ts";
import { channel } from "../engine.ts";
import { mediaWorld, type MediaWorld } from "./making.ts";

let world: MediaWorld;
let calls: Array<{ name: string; args: Readonly<Record<string, unknown>> }>;
let status: unknown;

const tool = (name: string, properties: Record<string, unknown>, required: readonly string[]): WorkspaceTool => ({
  name,
  description: "",
  inputSchema: { type: "object", properties, required },
});
const offers = (...tools: WorkspaceTool[]): void => {
  Object.assign(world.workspace, {
    tools: {
      list: () => Promise.resolve(tools),
      call: (name: string, args: Readonly<Record<string, unknown>>) => {
        calls.push({ name, args });
        return Promise.resolve(name.startsWith("get_") ? status : { data: { id: 7, state: "pending" } });
      },
    },
  });
};
const [string, integer] = [{ type: "string" }, { type: "integer" }];

beforeEach(async () => {
  world = await mediaWorld({ f1: new TextEncoder().encode("sound") });
  calls = [];
});
afterEach(() => world.close());

test("a text is spoken by a tool with names of its own, and its file is attached once", async () => {
  offers(
    tool("generate_speech", { input: string, voice_name: string }, ["input"]),
    tool("get_tts_generation_status", { job_id: string }, ["job_id"]),
  );
  world.workspace.media.bytes.set("https://files.example/7/hello.mp3", new TextEncoder().encode("spoken"));
  status = { id: 7, state: "completed", cost: 3, audio_url: "https://files.example/7/hello.mp3" };
  await world.asks("k1", "speech", "hello voice:Ada");
  await world.run(10_000);
  expect(calls[0]).toEqual({ name: "generate_speech", args: { input: "hello", voice_name: "Ada" } });
  expect(calls.slice(1).map(({ args }) => args)).toContainEqual({ job_id: "7" });
  expect(world.attached().map(({ files }) => files)).toEqual([["spoken"]]);
  expect(world.platform.messages[0]?.document.footer).toBe("Ada · 3 credits");
});

test("a recording is uploaded once and its words are shown", async () => {
  offers(tool("transcribe", { file_id: integer }, ["file_id"]), tool("get_transcription_status", { id: integer }, ["id"]));
  status = { ID: 7, status: "done", text: "heard it" };
  const files = [{ id: "f1", name: "a.mp3", mediaType: "audio/mpeg", bytes: 5 }];
  await world.asks("k1", "transcribe", "", { files });
  await world.run(10_000);
  expect(calls[0]?.args).toEqual({ file_id: [...world.workspace.uploads.keys()][0] });
  expect(world.seen()[0]).toContain("heard it");
});

test("a transcript with times is given as files too, once, and silence is said", async () => {
  offers(tool("transcribe", { file_id: integer }, ["file_id"]), tool("get_transcription_status", { id: integer }, ["id"]));
  const segments = ["one", "two"].map((text, at) => ({ text, start: at, end: at + 1 }));
  status = { ID: 7, status: "done", text: "one two", segments };
  const files = [{ id: "f1", name: "a.mp3", mediaType: "audio/mpeg", bytes: 5 }];
  await world.asks("k1", "transcribe", "", { files });
  await world.run(10_000);
  const named = world.platform.messages.flatMap((message) => message.files.map(({ name }) => name));
  expect(named).toEqual(["a.txt", "a.vtt"]);
  expect(world.platform.messages.find((message) => message.files.length > 0)?.posted.place.thread).toBe(
    world.platform.messages[0]?.posted.id,
  );
  status = { ID: 7, status: "done", text: "", segments: [] };
  await world.asks("k2", "transcribe", "", { files });
  await world.run(10_000);
  expect(world.seen().at(-1)).toContain("it heard no words in it");
});

test("without a file, the newest recording of the place is taken, and named", async () => {
  world.workspace.known.tools.push(...transcribeTools());
  const file = (id: string, name: string, mediaType: string) => ({ id, name, mediaType, bytes: 5 });
  world.platform.recent.set(placeKey(channel), [
    file("f0", "new.pdf", "application/pdf"),
    file("f1", "clip.ogg", "application/octet-stream"),
    file("f2", "old.mp3", "audio/mpeg"),
  ]);
  await world.asks("k1", "transcribe", "");
  await world.run(10_000);
  expect(world.seen()[0]).toBe("Ann asked for a transcript of the newest recording here: clip.ogg heard it");
  expect([...world.workspace.uploads.values()].map(({ name }) => name)).toEqual(["clip.ogg"]);
  // What is attached and is no recording is not passed over for another one.
  await world.asks("k2", "transcribe", "", { files: [file("f3", "notes.pdf", "application/pdf")] });
  await world.asks("k3", "transcribe", "", { files: [], chosen: true });
  expect(world.told()).toEqual([
    "!“notes.pdf” is no recording: expected an audio or video file.",
    "!There is no recording in that message: no audio or video file, and no voice message.",
  ]);
  expect(world.callsOf("callTool").filter((call) => (call as { name: string }).name === "transcribe")).toHaveLength(1);
});

test("what cannot be asked for is said before anything is begun", async () => {
  await world.asks("k1", "transcribe", "");
  offers();
  await world.asks("k2", "speech", "hello");
  offers(
    tool("generate_speech", { text: string, region: string }, ["text", "region"]),
    tool("get_tts_generation_status", {}, []),
  );
  await world.asks("k3", "speech", "hello");
  expect(world.told()).toEqual([
    "!There is no recording here: post one, or attach one to `/transcribe`.",
    expect.stringContaining("not enabled"),
    expect.stringContaining("also wants `region`"),
  ]);
  expect(calls).toEqual([]);
});
