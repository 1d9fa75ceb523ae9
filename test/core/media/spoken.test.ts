/** Speech and transcripts, by tools whose schemas are all that is known of them. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { WorkspaceTool } from "../../../src/contract/records.ts";
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
    "!There is no recording to write down: attach one to `/transcribe`.",
    expect.stringContaining("not enabled"),
    expect.stringContaining("also wants `region`"),
  ]);
  expect(calls).toEqual([]);
});
