/** What the workspace's key may not do: not offered, and told to whom it is for. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mediaErrors, missingPermissions } from "../../src/contract/errors.ts";
import type { Permission } from "../../src/contract/permissions.ts";
import { openAccess } from "../../src/core/access.ts";
import { WorkspaceFault, WriteFault } from "../../src/errors.ts";
import type { FakeWorkspace } from "../fakes/workspace.ts";
import { channel, says } from "./engine.ts";
import { mediaWorld, type MediaWorld } from "./media/making.ts";

let world: MediaWorld;
beforeEach(async () => {
  world = await mediaWorld();
  world.access = { ...openAccess, operators: [] };
});
afterEach(() => world.close());

const operators = (...ids: string[]): void => void (world.access = { ...openAccess, operators: ids });
const forbids = (call: Parameters<FakeWorkspace["fail"]>[0], text: string): void =>
  world.workspace.fail(call, { fault: new WorkspaceFault("forbidden", text, { status: 403 }), when: "before" });
const lacking = (permission: Permission): string => missingPermissions([permission]);
const everything = () => JSON.stringify([world.seen(), world.platform.messages]);
const tool = (name: string) => ({ name, description: "", inputSchema: {}, answer: () => ({}) });

describe("a question that the key may not ask", () => {
  beforeEach(() => forbids("start", lacking("conversations_manage")));
  const ask = async (over = {}): Promise<void> => {
    await world.receive(says("k1", "hello", over));
    await world.run(1_000);
  };

  test("is not enabled, for everybody", async () => {
    await ask();
    expect(world.seen()[0]).toContain("This is not enabled");
    expect(everything()).not.toContain("conversations_manage");
    expect(world.told()).toEqual([]);
  });

  test("tells an operator what the key lacks, alone where others read along", async () => {
    operators("u1");
    await ask();
    expect(world.told()).toEqual(["!This is not enabled: the workspace key lacks the permission conversations_manage."]);
    expect(everything()).not.toContain("conversations_manage");
  });

  test("tells an operator so where nobody else reads along", async () => {
    operators("u1");
    await ask({ place: channel, direct: true });
    expect(world.seen()[0]).toContain("lacks the permission conversations_manage");
    expect(world.told()).toEqual([]);
  });

  test("ends all the same where the operator cannot be told", async () => {
    operators("u1");
    world.platform.order("whisper", new WriteFault("refused", "not now"));
    await ask();
    expect(world.seen()[0]).toContain("This is not enabled");
    expect(world.outcomes.get("message")).toBe("failed");
  });
});

test("a model that the rules restrict is no matter of permissions: everybody is told to choose another", async () => {
  forbids("start", mediaErrors.restricted);
  await world.receive(says("k1", "hello"));
  await world.run(1_000);
  expect(world.seen()[0]).toContain("rules do not allow the chosen model. Choose another one.");
});

test("a picture, a film and a command are not enabled for everybody, and an operator is told why", async () => {
  for (const who of ["member", "operator"]) {
    if (who === "operator") operators("u1");
    forbids("image", lacking("image_generation_manage"));
    await world.asks(`image ${who}`, "image", "a lighthouse");
    forbids("jobModels", lacking("video_generation_get"));
    await world.asks(`video ${who}`, "video", "waves");
    await world.run(500);
    expect(world.seen().at(-1)).toContain("This is not enabled for the workspace account");
  }
  expect(everything()).not.toContain("_manage");
  expect(world.told()).toEqual([
    "!This is not enabled for the workspace account that Parley uses here. Ask whoever runs Parley.",
    "!This is not enabled: the workspace key lacks the permission image_generation_manage.",
    "!This is not enabled: the workspace key lacks the permission video_generation_get.",
  ]);
});

test("speech whose tool is taken away between the list and the call is not enabled", async () => {
  operators("u1");
  const inputSchema = { properties: { text: { type: "string" }, id: { type: "integer" } } };
  for (const name of ["generate_speech", "get_tts_generation_status"])
    world.workspace.known.tools.push({ ...tool(name), inputSchema });
  const call = world.workspace.tools.call.bind(world.workspace.tools);
  world.workspace.tools.call = (name, args, options) => {
    world.workspace.known.tools.length = 0;
    return call(name, args, options);
  };
  await world.asks("k1", "speech", "hello");
  await world.run(500);
  expect(world.seen()[0]).toContain("This is not enabled");
  expect(world.told()).toEqual(["!This is not enabled: the workspace key lacks the permission tts_generation_manage."]);
});

describe("what the tool list does not have", () => {
  const labels = () => world.platform.messages[0]?.document.actions.map(({ label }) => label);

  test("is not offered on a picture", async () => {
    world.workspace.known.tools.push(tool("generate_image"), tool("edit_image"));
    await world.asks("k1", "image", "a lighthouse");
    await world.run(1_000);
    expect(labels()).toEqual(["Change it", "Use in next message"]);
  });

  test("is offered where the list cannot be read", async () => {
    world.workspace.fail("listTools", { fault: new WorkspaceFault("unavailable", "no tools", { status: 503 }), when: "before" });
    await world.asks("k1", "image", "a lighthouse");
    await world.run(1_000);
    expect(labels()).toEqual(["Change it", "Make a film of it", "Use in next message"]);
  });

  test("is not in the help", async () => {
    world.workspace.known.tools.push(tool("generate_image"), tool("transcribe"));
    await world.asks("k1", "help", "");
    const [help = ""] = world.told();
    expect(help).toMatch(/\/image.*\/transcribe/);
    expect(help).toContain("In the menu of a message with a picture or a recording: Edit picture, Transcribe.");
    for (const name of ["/video", "/music", "/speech"]) expect(help).not.toContain(name);
    // Those of one's own account are offered until there is one that tells.
    expect(help).toContain("/prompts");
  });
});
