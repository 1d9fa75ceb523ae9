/** What people agree to, choose and share. */
import { openAccess } from "../../../src/core/access.ts";
import { commands, presses, type World } from "../../core/engine.ts";
import type { FakeTool } from "../../fakes/workspace.ts";
import type { Scene } from "./pause.ts";

const key = `ACME-API-${"Paused0k".repeat(8)}`;
const sendMail: FakeTool = {
  name: "send_email",
  description: "Sends an e-mail.",
  inputSchema: { type: "object", required: ["to"], properties: { to: { type: "string" } } },
  answer: () => ({ sent: true }),
};
const ownAccount = async (world: World): Promise<void> => {
  world.access = { ...openAccess, externals: false, operators: ["u0"], sharedKey: [] };
  await world.people.links.put({ platform: "fake", tenant: "t", person: "u1" }, key, 1);
};
/** The button that somebody was shown alone. */
const whispered = (world: World, label: string) => {
  const buttons = world.platform.whispers.flatMap(({ document }) => document.actions);
  const button = buttons.findLast((one) => one.label === label);
  return presses("p1", button?.action ?? "none", button?.turn ?? "none");
};

export const agreedScenes: readonly Scene[] = [
  {
    name: "a tool that changes something was said yes to, and is not run",
    guard: "call",
    async before(world) {
      world.workspace.known.tools.push(sendMail);
      await world.receive(commands("k1", "tool", "send_email to:ann@example.org"));
      await world.run(1_000);
    },
    asked: (world) => whispered(world, "Do it"),
    pausedBefore: ["call", 1],
  },
  {
    name: "what is shared is looked up, and not noted as shared",
    guard: "keep",
    async before(world) {
      await ownAccount(world);
      await world.receive(commands("k1", "agents"));
      await world.run(1_000);
    },
    asked: (world) => whispered(world, "Share here"),
    pausedBefore: ["set", 1],
  },
  {
    name: "a list of one's own is read, and not kept to be shared",
    guard: "keep",
    before: ownAccount,
    asked: () => commands("k1", "agents"),
    pausedBefore: ["set", 1],
  },
  {
    name: "a price is asked for, and not noted",
    guard: "keep",
    asked: () => commands("k1", "video", "waves seconds:8"),
    pausedBefore: ["set", 1],
    async meanwhile(world, receive) {
      await receive(whispered(world, "Make it for 16 credits"));
      await world.run(1_000);
      for (const id of world.workspace.media.made.keys()) world.workspace.media.finishJob(id, "film.mp4", "film");
      await world.run(15_000);
    },
  },
  {
    name: "a model is chosen, and not noted",
    guard: "keep",
    asked: () => commands("k1", "model", "Test model"),
    pausedBefore: ["change", 1],
    async meanwhile(world, receive) {
      await receive(commands("k2", "model", "Thinker"));
      await world.run(5_000);
    },
  },
];
