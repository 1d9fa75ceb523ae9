/** Pictures that people have made: paid for once, shown once. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { placeKey } from "../../../src/core/place.ts";
import { WorkspaceFault } from "../../../src/errors.ts";
import { channel, presses, says, thread, type World } from "../engine.ts";
import { mediaWorld, type MediaWorld } from "./making.ts";

let world: MediaWorld;
beforeEach(async () => {
  world = await mediaWorld({ photo: new TextEncoder().encode("photo bytes") });
});
afterEach(() => world.close());

const firstOf = ({ platform }: World) => platform.messages[0]!;
const press = async (label: string, key = `press ${label}`): Promise<void> => {
  const button = firstOf(world).document.actions.find((action) => action.label === label)!;
  await world.receive({ ...presses(key, button.action, button.turn), place: channel });
  await world.run(3_000);
};

describe("/image", () => {
  test("shows a picture in the thread of its message, with what can be done next", async () => {
    await world.asks("k1", "image", "a lighthouse");
    await world.run(1_000);
    expect(world.callsOf("image")).toEqual(["a lighthouse"]);
    expect(world.seen()[0]).toBe("Ann asked for a picture: a lighthouse");
    expect(world.attached()).toEqual([{ thread: firstOf(world).posted.id, files: ["picture of a lighthouse"] }]);
    expect(firstOf(world).document).toMatchObject({ state: "done", notice: null, footer: null });
    expect(firstOf(world).document.actions.map(({ label }) => label)).toEqual([
      "Change it",
      "Make a film of it",
      "Use in next message",
    ]);
  });

  test("changes the newest picture of the thread, and leaves it as it is", async () => {
    await world.asks("k1", "image", "a lighthouse");
    await world.run(1_000);
    const place = thread(firstOf(world).posted.id);
    await world.asks("k2", "image", "edit make it blue", { place });
    await world.run(1_000);
    const [edit] = world.callsOf("editImage") as Array<{ prompt: string; fileId: number }>;
    expect(edit?.prompt).toBe("make it blue");
    expect(world.attached()[1]).toEqual({ thread: place.thread, files: [`${edit?.fileId} with make it blue`] });
  });

  test.each([
    [[{ id: "photo", name: "paper.pdf", mediaType: "application/pdf", bytes: 1 }], "“paper.pdf” is no picture: expected one"],
    [
      ["a.png", "b.png"].map((name) => ({ id: "photo", name, mediaType: "image/png", bytes: 1 })),
      "There is more than one picture: expected the one that is meant.",
    ],
  ])("of what is no one picture is refused before anything is spent", async (files, words) => {
    await world.asks("k1", "image", "make it blue", { files });
    await world.asks("k2", "video", "it moves", { files });
    expect(world.told()).toEqual([expect.stringContaining(words), expect.stringContaining(words)]);
    expect([...world.callsOf("image"), ...world.callsOf("editImage"), ...world.callsOf("createJob")]).toEqual([]);
  });

  test("is asked for as the platform gives files, in the help too", async () => {
    await world.asks("k1", "image", "edit make it blue");
    expect(world.told()).toEqual([expect.stringContaining("attach one to `/image`")]);
    await world.asks("k2", "help", "");
    expect(world.told().at(-1)).toContain("/image, /video, /transcribe take a file: attach one to /image.");
  });

  test("changes a picture that its platform gives no kind, by its name", async () => {
    const files = [{ id: "photo", name: "PHOTO.PNG", mediaType: "application/octet-stream", bytes: 11 }];
    await world.asks("k1", "image", "make it blue", { files });
    await world.run(1_000);
    expect(world.callsOf("editImage")).toHaveLength(1);
  });

  test.each([
    ["once", ""],
    ["once, after a crash too", "before delete"],
  ])("goes along with the next message of its thread, %s", async (_, deathly) => {
    await world.asks("k1", "image", "a lighthouse");
    await world.run(1_000);
    const place = thread(firstOf(world).posted.id);
    const button = firstOf(world).document.actions.find(({ action }) => action === "carry")!;
    await world.receive({ ...presses("p1", button.action, button.turn), place: channel });
    await world.run(500);
    expect(world.told()).toEqual(["The next message in its thread takes this picture along."]);
    world.dies = (process, moment) => process === 1 && moment === deathly;
    await world.receive(says("k2", "what is this?", { place }));
    await world.run(500);
    if (deathly !== "") await world.crash();
    await world.run(3_000);
    const [conversation] = [...world.workspace.held.keys()];
    world.workspace.answer(conversation!, { status: "finished", text: "A lighthouse." });
    await world.run(500);
    await world.receive(says("k3", "and now?", { place }));
    await world.run(500);
    expect(world.callsOf("start")).toMatchObject([{ attachments: [{ type: "file" }] }]);
    expect(world.callsOf("followUp")).toEqual([expect.not.objectContaining({ attachments: expect.anything() as unknown })]);
  });

  test("changes a picture that is attached", async () => {
    const file = { id: "photo", name: "photo.png", mediaType: "image/png", bytes: 11 };
    await world.asks("k1", "image", "make it blue", { files: [file] });
    await world.run(1_000);
    const [id] = [...world.workspace.uploads.keys()];
    expect(world.callsOf("editImage")).toEqual([{ prompt: "make it blue", fileId: id }]);
  });

  test("changes the newest picture that somebody has posted, where none was made", async () => {
    const file = { id: "photo", name: "photo.png", mediaType: "image/png", bytes: 11 };
    world.platform.recent.set(placeKey(channel), [{ ...file, name: "talk.mp3", mediaType: "audio/mpeg" }, file]);
    await world.asks("k1", "image", "edit make it blue");
    await world.run(1_000);
    expect(world.callsOf("editImage")).toEqual([{ prompt: "make it blue", fileId: [...world.workspace.uploads.keys()][0] }]);
  });

  test("chosen on a message asks how its picture is to be changed, where no form could be opened at once", async () => {
    const file = { id: "photo", name: "photo.png", mediaType: "image/png", bytes: 11 };
    await world.asks("k1", "image", "", { files: [file], chosen: true });
    await world.asks("k2", "image", "", { files: [], chosen: true });
    expect(world.told()).toEqual(["What is to be changed in “photo.png”?", "!There is no picture in that message."]);
    const form = world.platform.whispers[0]?.document.actions[0]?.form ?? "none";
    const author = { id: "u1", name: "Ann" };
    await world.receive({ kind: "submission", key: "s1", place: channel, author, at: 1, form, values: { prompt: "blue" } });
    await world.run(1_000);
    expect(world.callsOf("editImage")).toEqual([{ prompt: "blue", fileId: [...world.workspace.uploads.keys()][0] }]);
  });

  test("says so where there is nothing to change", async () => {
    await world.asks("k1", "image", "edit make it blue");
    await world.run(1_000);
    expect(world.told()).toEqual([expect.stringContaining("no picture here to change")]);
    expect(world.workspace.calls).toEqual([]);
  });

  test("is not made twice when its answer is lost; its asker decides", async () => {
    world.workspace.fail("image", { fault: new WorkspaceFault("lost", "no answer"), when: "after" });
    await world.asks("k1", "image", "a lighthouse");
    await world.run(5_000);
    expect(world.callsOf("image")).toHaveLength(1);
    expect(world.seen()[0]).toContain("spends nothing twice by itself");
    await press("Try again");
    expect(world.callsOf("image")).toHaveLength(2);
    expect(world.attached()).toHaveLength(1);
    expect(world.seen()[0]).toBe("Ann asked for a picture: a lighthouse");
  });

  test("is not made twice when the process dies while it is drawn", async () => {
    // The request is under way for ever in the process that dies.
    const { images } = world.workspace;
    const generate = images.generate.bind(images);
    images.generate = (prompt, options) => generate(prompt, options).then(() => new Promise(() => {}));
    await world.asks("k1", "image", "a lighthouse");
    images.generate = generate;
    await world.crash();
    await world.run(60_000);
    expect(world.callsOf("image")).toHaveLength(1);
    expect(world.seen()[0]).toContain("spends nothing twice by itself");
    expect(world.attached()).toEqual([]);
  });

  test("that is stopped says that it may still be finished", async () => {
    const { images } = world.workspace;
    images.generate = (_prompt, { signal } = {}) =>
      new Promise((_, reject) =>
        signal?.addEventListener("abort", () => reject(new WorkspaceFault("lost", "no answer", { cause: signal.reason }))),
      );
    await world.asks("k1", "image", "a lighthouse");
    await press("Stop");
    expect(world.seen()[0]).toContain("may still finish it");
  });

  test("is tried again while the workspace cannot be reached", async () => {
    world.workspace.fail("image", { fault: new WorkspaceFault("unreachable", "refused"), when: "before" });
    await world.asks("k1", "image", "a lighthouse");
    await world.run(3_000);
    expect(world.attached()).toHaveLength(1);
  });

  test("fetches the file again at the press of a button, and makes nothing anew", async () => {
    const fault = new WorkspaceFault("not_found", "gone", { status: 404 });
    world.workspace.fail("download", { fault, when: "before" });
    await world.asks("k1", "image", "a lighthouse");
    await world.run(3_000);
    expect(world.seen()[0]).toContain("could not be fetched");
    await press("Try again");
    expect(world.callsOf("image")).toHaveLength(1);
    expect(world.attached()).toHaveLength(1);
  });

  test("that was paid for while its process was paused is shown at the press of a button, and not made anew", async () => {
    const awake = Promise.withResolvers<void>();
    await world.beside();
    let drawn = false;
    world.holds = (process, moment) => {
      drawn ||= moment === "after generate";
      return process === 1 && drawn ? awake.promise : undefined;
    };
    await world.asks("k1", "image", "a lighthouse");
    await world.run(45_000);
    expect(world.seen()).toEqual([expect.stringContaining("spends nothing twice by itself")]);
    world.holds = () => undefined;
    awake.resolve();
    await world.run(2_000);
    await press("Try again");
    expect(world.callsOf("image")).toHaveLength(1);
    expect(world.attached()).toHaveLength(1);
  });

  test("is tried again once, however often the button is pressed", async () => {
    world.workspace.fail("image", { fault: new WorkspaceFault("quota", "no credits"), when: "before" });
    await world.asks("k1", "image", "a lighthouse");
    await world.run(1_000);
    const [button] = firstOf(world).document.actions;
    await Promise.all(
      ["a", "b", "c"].map((key) => world.receive({ ...presses(key, button!.action, button!.turn), place: channel })),
    );
    await world.run(3_000);
    expect(world.callsOf("image")).toHaveLength(2);
    expect(world.attached()).toHaveLength(1);
    expect(world.told().filter((text) => text.includes("tried again already"))).toHaveLength(2);
  });
});
