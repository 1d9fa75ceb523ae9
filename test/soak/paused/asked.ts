/** Questions, saved prompts and retries, and what goes along with them. */
import { fakePrompt } from "../../fakes/workspace.ts";
import { commands, presses, says, type World } from "../../core/engine.ts";
import type { Message } from "../../../src/contract/records.ts";
import type { Scene } from "./pause.ts";

/** Every answer becomes this. */
const answers =
  (change: Partial<Message>) =>
  async (world: World): Promise<void> => {
    for (const id of world.workspace.held.keys()) world.workspace.answer(id, change);
    await world.run(15_000);
  };
const whole = answers({ status: "finished", text: "Tea.", credits_used: "1" });
const fails = answers({ status: "finished", text: "", error_text: "overloaded", error_id: "e1" });
const question = () => says("k1", "one");
const prompt = () => says("k1", "Digest", { prompt: { id: 9, name: "Digest", values: [] } });
/** The button in the message of the turn `k1`. */
const pressed = (world: World, label: string) => {
  const button = world.platform.messages[0]?.document.actions.find((one) => one.label === label);
  return presses("p1", button?.action ?? "none", button?.turn ?? "none");
};

export const askedScenes: readonly Scene[] = [
  { name: "a question is noted, and not sent", guard: "call", asked: question, pausedBefore: ["start", 1], meanwhile: whole },
  {
    name: "a saved prompt is noted, and not run",
    guard: "call",
    before: async ({ workspace }) => void workspace.known.prompts.push(fakePrompt(9, "Digest")),
    asked: prompt,
    pausedBefore: ["run", 1],
  },
  {
    name: "one answer without a thread is noted, and not asked for",
    guard: "call",
    asked: () => commands("k1", "once", "one"),
    pausedBefore: ["run", 1],
  },
  {
    name: "a failed answer was looked at, and is not yet run again",
    guard: "call",
    async before(world) {
      await world.receive(question());
      await world.run(1_000);
      await fails(world);
    },
    asked: (world) => pressed(world, "Try again"),
    pausedBefore: ["retry", 1],
    // It fails again: only then would the workspace take one more.
    meanwhile: fails,
  },
  {
    name: "a file is opened, and not uploaded",
    guard: "call",
    files: { f1: new TextEncoder().encode("words") },
    asked: () => says("k1", "one", { files: [{ id: "f1", name: "a.txt", mediaType: "text/plain", bytes: 5 }] }),
    pausedBefore: ["upload", 1],
    meanwhile: whole,
  },
  {
    name: "a question is sent, and its thread has not got its conversation",
    guard: "keep",
    asked: question,
    pausedBefore: ["set", 1],
    meanwhile: whole,
  },
];
