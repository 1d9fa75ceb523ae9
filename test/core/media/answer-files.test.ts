/** Files that a model made in an answer. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Message, MessagePart } from "../../../src/contract/records.ts";
import { WorkspaceFault } from "../../../src/errors.ts";
import { createWorld, says, type World } from "../engine.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ f1: new TextEncoder().encode("file text") });
});
afterEach(() => world.close());

type Attachment = Message["attachments"][number];

/** A file of the workspace, as an answer names it. */
const made = (ID: number, name: string, content: string): Attachment => {
  const path = `https://files.example/${ID}/${name}`;
  world.workspace.media.bytes.set(path, new TextEncoder().encode(content));
  return { type: "file", ID, name, path };
};
const picturePart = (file: Attachment): MessagePart => ({
  id: `p${String(file.ID)}`,
  type: "image_generation",
  static: true,
  image_generation_part: { file },
});
const ask = async (over: Parameters<typeof says>[2] = {}): Promise<void> => {
  await world.receive(says("k1", "draw", over));
  await world.run();
};
const answer = async (change: Partial<Message>, ms = 500): Promise<void> => {
  world.workspace.answer([...world.workspace.held.keys()][0]!, { status: "finished", text: "Here.", ...change });
  await world.run(ms);
};
const attached = () =>
  world.platform.messages.flatMap(({ files }) => files.map((file) => [file.name, Buffer.from(file.bytes).toString()]));
const notice = () => world.platform.messages[0]?.document.notice;
const downloads = () => world.workspace.calls.filter(({ call }) => call === "download");

describe("an answer with files", () => {
  test("has them attached, each once, with what kind they are", async () => {
    await ask();
    const picture = made(91, "ship.png", "pixels");
    await answer({ attachments: [picture, made(92, "ships.csv", "a,b")], parts: [picturePart(picture)] });
    expect(attached()).toEqual([
      ["ship.png", "pixels"],
      ["ships.csv", "a,b"],
    ]);
    expect(world.platform.messages.at(-1)?.files.map(({ mediaType }) => mediaType)).toEqual(["image/png", "text/csv"]);
    expect(world.seen()[0]).toBe("Here.");
    expect(world.outcomes.get("message")).toBe("answered");
  });

  test("that only a part of it names has it too", async () => {
    await ask();
    await answer({ parts: [picturePart(made(91, "ship.png", "pixels"))] });
    expect(attached()).toEqual([["ship.png", "pixels"]]);
  });

  test("does not give the asker's own files back, nor transcripts", async () => {
    await ask({ files: [{ id: "f1", name: "notes.txt", mediaType: "text/plain", bytes: 9 }] });
    const [sent] = [...world.workspace.uploads.keys()];
    await answer({ attachments: [made(sent!, "notes.txt", "file text"), { type: "transcription", ID: 5 }] });
    expect(attached()).toEqual([]);
    expect(downloads()).toEqual([]);
  });

  test("waits for one that does not come at once, and tries again", async () => {
    await ask();
    world.workspace.fail("download", { fault: new WorkspaceFault("unreachable", "no"), when: "before" });
    await answer({ attachments: [made(91, "ship.png", "pixels")] });
    expect(world.seen()).toEqual(["Here. [Fetching the files…]"]);
    await world.run(2_000);
    expect(attached()).toEqual([["ship.png", "pixels"]]);
    expect(notice()).toBeNull();
  });

  test("is whole without one that cannot be had, and says which", async () => {
    await ask();
    const gone = new WorkspaceFault("not_found", "no such file", { status: 404 });
    world.workspace.fail("download", { fault: gone, when: "before" });
    await answer({
      attachments: [made(91, "lost.png", "pixels"), made(92, "ships.csv", "a,b"), { type: "file", ID: 93, name: "x.md" }],
    });
    expect(attached()).toEqual([["ships.csv", "a,b"]]);
    expect(world.seen()[0]).toMatch(/^Here\./);
    expect(notice()).toMatch(/“lost\.png” could not be fetched.*\n“x\.md” could not be had/);
    expect(world.outcomes.get("message")).toBe("answered");
  });

  test("gives a link to what is too large only where anybody can read it", async () => {
    await ask();
    const open = made(91, "open film.mp4", "x".repeat(1_000_001));
    world.workspace.media.public.add(open.path!);
    await answer({ attachments: [open, made(92, "private.mp4", "x".repeat(1_000_001))] });
    expect(attached()).toEqual([]);
    expect(JSON.stringify(world.platform.messages[0]?.document.blocks)).toContain("https://files.example/91/open%20film.mp4");
    expect(JSON.stringify(world.platform.messages)).not.toContain("https://files.example/92");
    expect(notice()).toMatch(/^“private\.mp4” is too large/);
  });

  test("has ten of them, and counts the others", async () => {
    await ask();
    await answer({ attachments: Array.from({ length: 12 }, (_, at) => made(100 + at, `${at}.txt`, "x")) });
    expect(attached()).toHaveLength(10);
    expect(notice()).toMatch(/^2 more files are in the workspace/);
  });

  test("has them once after a crash at any moment", async () => {
    await ask();
    world.platform.order("attach", "answer_lost");
    await answer({ attachments: [made(91, "ship.png", "pixels")] }, 100);
    await world.crash();
    await world.run(200_000);
    expect(attached()).toEqual([["ship.png", "pixels"]]);
    expect(world.outcomes.get("message")).toBe("answered");
  });
});
