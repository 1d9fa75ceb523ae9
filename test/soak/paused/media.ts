/** Pictures, films, speech and transcripts: each costs credits. */
import { channel, commands, presses, says, type World } from "../../core/engine.ts";
import { transcribeTools } from "../../fakes/transcribe-tools.ts";
import type { FakeTool } from "../../fakes/workspace.ts";
import type { Scene } from "./pause.ts";

const memo = { id: "f1", name: "memo.ogg", mediaType: "audio/ogg", bytes: 5 };
const tool = (name: string, argument: string, type: string, answer: FakeTool["answer"]): FakeTool => ({
  name,
  description: "",
  inputSchema: { type: "object", properties: { [argument]: { type } }, required: [argument] },
  answer,
});
const speech = [
  tool("generate_speech", "text", "string", () => ({ ID: 900, status: "queued" })),
  tool("get_tts_generation_status", "id", "integer", () => ({ ID: 900, status: "error", error: "no voice" })),
];

const makes = (name: string, text: string) => () => commands("k1", name, text, { place: channel });
const film = makes("video", "waves seconds:2");
const picture = makes("image", "a lighthouse");
const fail = async (world: World): Promise<void> => {
  for (const id of world.workspace.media.made.keys())
    world.workspace.media.move(id, { status: "error", error: "no frames left", credit_cost: "12" });
  await world.run(15_000);
};
const finish = async (world: World): Promise<void> => {
  for (const [id, { status }] of world.workspace.media.made)
    if (status === "queued") world.workspace.media.finishJob(id, "film.mp4", "film");
  await world.run(15_000);
};
const failedFilm = async (world: World): Promise<void> => {
  await world.receive(film());
  await world.run(1_000);
  await fail(world);
};
/** The only message's button. */
const pressed = (label: string) => (world: World) => {
  const button = world.platform.messages[0]?.document.actions.find((one) => one.label === label);
  return { ...presses("p1", button?.action ?? "none", button?.turn ?? "none"), place: channel };
};

export const mediaScenes: readonly Scene[] = [
  { name: "a picture is noted, and not asked for", guard: "call", asked: picture, pausedBefore: ["generate", 1] },
  {
    name: "a picture is shown, and not kept for what it can become",
    guard: "keep",
    asked: picture,
    pausedBefore: ["set", 4],
  },
  {
    name: "a picture is to go along with the next message, and is not kept for it",
    guard: "keep",
    async before(world) {
      await world.receive(picture());
      await world.run(5_000);
    },
    asked: pressed("Use in next message"),
    pausedBefore: ["set", 1],
  },
  {
    name: "a picture goes along with a message, and is not taken from its place",
    guard: "keep",
    async before(world) {
      await world.receive(picture());
      await world.run(5_000);
      await world.receive(pressed("Use in next message")(world));
      await world.run(5_000);
    },
    asked: (world) => says("k2", "what is it?", { place: { ...channel, thread: world.platform.messages[0]?.posted.id ?? null } }),
    pausedBefore: ["delete", 1],
    async meanwhile(world, receive) {
      await receive({ ...pressed("Use in next message")(world), key: "p2" });
      for (const id of world.workspace.held.keys()) world.workspace.answer(id, { status: "finished", text: "A lighthouse." });
      await world.run(15_000);
    },
  },
  {
    name: "a film is ordered, and its order not kept",
    guard: "keep",
    asked: film,
    pausedBefore: ["set", 1],
    meanwhile: finish,
  },
  { name: "a film is noted, and not begun", guard: "call", asked: film, pausedBefore: ["create", 1], meanwhile: finish },
  {
    name: "a film has failed, and is not kept for another try",
    guard: "keep",
    asked: film,
    goesOn: fail,
    pausedBefore: ["set", 3],
  },
  {
    name: "a film has failed, and its credits are not counted",
    guard: "count",
    asked: film,
    goesOn: fail,
    pausedBefore: ["spend", 1],
  },
  {
    name: "another try at a film is pressed, and not noted",
    guard: "keep",
    before: failedFilm,
    asked: pressed("Try again"),
    pausedBefore: ["set", 1],
    meanwhile: finish,
  },
  {
    name: "another try at a film is noted, and not asked for",
    guard: "call",
    before: failedFilm,
    asked: pressed("Try again"),
    pausedBefore: ["retry", 1],
  },
  {
    name: "another try at a film is agreed to in the list of jobs, and the film is not yet the new turn's",
    guard: "keep",
    async before(world) {
      await failedFilm(world);
      const [id] = world.workspace.media.made.keys();
      await world.receive(commands("k2", "jobs", "", { place: channel, options: { retry: `video-${id}` } }));
      await world.run(1_000);
    },
    asked(world) {
      const [button] = world.platform.whispers.at(-1)?.document.actions ?? [];
      return { ...presses("p1", button?.action ?? "none", button?.turn ?? "none"), place: channel };
    },
    pausedBefore: ["set", 2],
    meanwhile: finish,
  },
  {
    name: "words are noted to be spoken, and their tool looked up, and not called",
    guard: "call",
    before: async ({ workspace }) => void workspace.known.tools.push(...speech),
    asked: makes("speech", "hello"),
    pausedBefore: ["call", 1],
  },
  {
    name: "a recording is noted, and not written down",
    guard: "call",
    files: { f1: new TextEncoder().encode("sound") },
    before: async ({ workspace }) => void workspace.known.tools.push(...transcribeTools()),
    asked: () => says("k1", "what is said?", { files: [memo] }),
    pausedBefore: ["call", 1],
    async meanwhile(world) {
      for (const id of world.workspace.held.keys()) world.workspace.answer(id, { status: "finished", text: "Tea." });
      await world.run(15_000);
    },
  },
];
