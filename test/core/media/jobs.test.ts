/** Films and music: begun once, followed, and posted once, whatever is lost or dies meanwhile. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WorkspaceFault } from "../../../src/errors.ts";
import { watchTimes } from "../../../src/core/media/job-watch.ts";
import { channel, commands, presses } from "../engine.ts";
import { mediaWorld, type MediaWorld } from "./making.ts";

let world: MediaWorld;
beforeEach(async () => {
  world = await mediaWorld({ photo: new TextEncoder().encode("photo bytes") });
});
afterEach(() => world.close());

const heading = "Ann asked for a film: waves";
const film = (key = "k1", text = "waves seconds:2"): Promise<void> => world.asks(key, "video", text);
const finish = async (id = world.jobs()[0]!): Promise<void> => {
  world.workspace.media.finishJob(id, "film.mp4", `film ${id}`);
  await world.run(watchTimes.poll + 500);
};
const press = async (key: string): Promise<void> => {
  const [button] = world.platform.messages[0]!.document.actions;
  await world.receive({ ...presses(key, button!.action, button!.turn), place: channel });
  await world.run(1_000);
};
const lost = new WorkspaceFault("lost", "no answer");

describe("a film", () => {
  test("is queued, is worked on for so long, and ends as one file with model, form and cost", async () => {
    await film();
    expect(world.callsOf("createJob")).toEqual([
      {
        kind: "video",
        video_generation_model_id: 1,
        prompt: "waves",
        aspect_ratio: "16:9",
        resolution: "720p",
        duration_seconds: 2,
      },
    ]);
    expect(world.seen()).toEqual([`${heading} [In the queue…]`]);
    world.workspace.media.move(world.jobs()[0]!, { status: "processing" });
    await world.run(16_000);
    expect(world.seen()).toEqual([`${heading} [Working for 15 s…]`]);
    await finish();
    expect(world.attached()).toEqual([{ thread: world.platform.messages[0]!.posted.id, files: [`film ${world.jobs()[0]}`] }]);
    expect(world.platform.messages[0]!.document).toMatchObject({
      state: "done",
      status: null,
      actions: [],
      footer: "Film · 16:9 · 720p · 2 s · 12 credits",
    });
  });

  test("begins with the picture that is attached", async () => {
    const file = { id: "photo", name: "photo.png", mediaType: "image/png", bytes: 11 };
    await world.asks("k1", "video", "waves seconds:2", { files: [file] });
    expect(world.callsOf("createJob")).toMatchObject([{ starting_image_file_id: [...world.workspace.uploads.keys()][0] }]);
  });

  test.each([
    ["waves seconds:99", "1 to 8 seconds"],
    ["waves seconds:soon", "expected a whole one"],
    ["waves ratio:4:3", "16:9, not 4:3"],
    ["waves resolution:8k", "720p, not 8k"],
    ["waves model:Unknown", "There are: Film"],
  ])("that cannot be (%s) is refused before anything is spent", async (text, words) => {
    await film("k1", text);
    expect(world.told()).toEqual([expect.stringContaining(words)]);
    expect(world.callsOf("createJob")).toEqual([]);
  });

  test("above the limit is asked for first, of its asker alone, and made once", async () => {
    await film("k1", "waves seconds:8");
    expect(world.callsOf("createJob")).toEqual([]);
    expect(world.told()).toEqual([expect.stringContaining("16 credits")]);
    const [button] = world.platform.whispers[0]!.document.actions;
    const stranger = { ...presses("p0", button!.action, button!.turn), place: channel, author: { id: "u2", name: "Bob" } };
    await world.receive(stranger);
    await world.run(500);
    expect(world.told()[1]).toContain("Only the one who asked");
    for (const key of ["p1", "p2"]) await world.receive({ ...presses(key, button!.action, button!.turn), place: channel });
    await world.run(500);
    expect(world.callsOf("createJob")).toHaveLength(1);
    await finish();
    expect(world.attached()).toHaveLength(1);
  });

  test("that failed says why, and goes on in its message when it is tried again", async () => {
    await film();
    const [id] = world.jobs();
    world.workspace.media.move(id!, { status: "error", error: "no frames left." });
    await world.run(watchTimes.poll + 500);
    expect(world.seen()).toEqual([`${heading} !The workspace could not make this: no frames left.`]);
    await press("p1");
    expect(world.callsOf("retryJob")).toEqual([{ kind: "video", id }]);
    expect(world.callsOf("createJob")).toHaveLength(1);
    await finish();
    expect(world.seen()[0]).toBe(heading);
    expect(world.platform.messages).toHaveLength(2);
    expect(world.attached()).toHaveLength(1);
  });

  test("that failed can be tried again hours later, also when the process dies at the press", async () => {
    await film();
    world.workspace.media.move(world.jobs()[0]!, { status: "error", error: "no" });
    await world.run(watchTimes.poll + 500);
    for (let hour = 0; hour < 5; hour++) await world.clock.advance(60 * 60_000);
    const [button] = world.platform.messages[0]!.document.actions;
    await world.receive({ ...presses("p1", button!.action, button!.turn), place: channel });
    await world.crash();
    await world.run(40_000);
    expect(world.callsOf("createJob")).toHaveLength(1);
    expect(world.callsOf("retryJob")).toHaveLength(1);
    await finish();
    expect(world.attached()).toHaveLength(1);
  });

  test("that failed twice can be tried a third time", async () => {
    await film();
    for (const key of ["p1", "p2"]) {
      world.workspace.media.move(world.jobs()[0]!, { status: "error", error: "no" });
      await world.run(watchTimes.poll + 500);
      await press(key);
    }
    expect(world.callsOf("retryJob")).toHaveLength(2);
    await finish();
    expect(world.attached()).toHaveLength(1);
  });

  test("that is deleted meanwhile ends with one notice and no file", async () => {
    await film();
    world.workspace.media.made.delete(world.jobs()[0]!);
    await world.run(watchTimes.poll + 500);
    expect(world.seen()).toEqual([expect.stringContaining("no longer has this job")]);
    expect(world.attached()).toEqual([]);
  });

  test("that never ends is given up", async () => {
    await film();
    await world.clock.advance(watchTimes.stalled + 60_000);
    await world.run(30_000);
    expect(world.seen()).toEqual([expect.stringContaining("two hours")]);
  });

  test("is stopped on this side alone, which it says", async () => {
    await film();
    await press("p1");
    expect(world.seen()).toEqual([expect.stringContaining("may still finish it")]);
    await finish();
    expect(world.attached()).toEqual([]);
  });

  test("whose file is too large is named, and linked only where anybody can read it", async () => {
    Object.assign(world.platform.limits, { fileBytes: 3 });
    await film();
    await finish();
    expect(world.seen()[0]).toContain("too large");
    expect(world.platform.messages[0]!.document.actions).toEqual([]);
    await film("k2");
    const id = world.jobs()[1]!;
    world.workspace.media.finishJob(id, "film.mp4", "film");
    world.workspace.media.public.add(world.workspace.media.made.get(id)!.output_file_data!.path);
    await world.run(watchTimes.poll + 500);
    expect(JSON.stringify(world.platform.messages[1]!.document.blocks)).toContain("https://files.example/");
  });
});

describe("a film whose beginning was lost", () => {
  test("is found and followed", async () => {
    world.workspace.fail("createJob", { fault: lost, when: "after" });
    await film();
    await world.run(5_000);
    expect(world.callsOf("createJob")).toHaveLength(1);
    await finish();
    expect(world.attached()).toHaveLength(1);
  });

  test("and that was never begun is begun", async () => {
    world.workspace.fail("createJob", { fault: lost, when: "before" });
    await film();
    await world.run(5_000);
    expect(world.jobs()).toHaveLength(1);
    await finish();
    expect(world.attached()).toHaveLength(1);
  });

  test("and that cannot be told from others is not begun twice; its asker decides", async () => {
    const { jobs } = world.workspace;
    const create = jobs.create.bind(jobs);
    // Somebody else begins one with the same key, just then.
    jobs.create = async (kind, body, options) => {
      await create(kind, body, options);
      await create(kind, body, options);
      throw lost;
    };
    await film();
    jobs.create = create;
    await world.run(5_000);
    expect(world.jobs()).toHaveLength(2);
    expect(world.seen()[0]).toContain("spends nothing twice by itself");
  });

  test("is not taken for another turn's", async () => {
    world.workspace.fail("createJob", { fault: lost, when: "after" });
    await Promise.all([film("k1"), film("k2"), film("k3")]);
    await world.run(8_000);
    expect(world.jobs()).toHaveLength(3);
    for (const id of world.jobs()) await finish(id);
    expect(
      world
        .attached()
        .flatMap(({ files }) => files)
        .toSorted(),
    ).toEqual(world.jobs().map((id) => `film ${id}`));
  });
});

describe("a film and the death of its process", () => {
  test.each([0, 50, 100, 3_000, 9_000])("after %d ms loses nothing and posts nothing twice", async (ms) => {
    // Acknowledged: what is not, its platform sends again.
    await world.receive(commands("k1", "video", "waves seconds:2", { place: channel }));
    await world.run(ms);
    await world.crash();
    await world.run(40_000);
    expect(world.jobs()).toHaveLength(1);
    await finish();
    expect(world.platform.messages).toHaveLength(2);
    expect(world.attached()).toHaveLength(1);
    expect(world.seen()[0]).toBe(heading);
  });

  test.each(["createJob", "download", "job"] as const)("in the middle of %s", async (call) => {
    world.workspace.fail(call, { fault: lost, when: "after" });
    void film();
    await world.run(500);
    await world.crash();
    await world.run(40_000);
    expect(world.jobs()).toHaveLength(1);
    await finish();
    await world.run(10_000);
    expect(world.attached()).toHaveLength(1);
  });

  test("which was only paused, and heard last of what it had begun, leaves it to whoever tries it again", async () => {
    const other = await world.beside();
    const awake = Promise.withResolvers<void>();
    let begun = false;
    world.holds = (process, moment) => {
      begun ||= moment === "after create";
      return process === 1 && begun ? awake.promise : undefined;
    };
    await film();
    await world.run(45_000);
    const fails = async (): Promise<void> => {
      world.workspace.media.move(world.jobs()[0]!, { status: "error", error: "no frames left" });
      await world.run(20_000);
    };
    const tryAgain = async (key: string): Promise<void> => {
      const [button] = world.platform.messages[0]!.document.actions;
      await other.inbox.receive({ ...presses(key, button!.action, button!.turn), place: channel });
      await world.run(1_000);
    };
    await fails();
    await tryAgain("p1");
    world.holds = () => undefined;
    awake.resolve();
    await fails();
    await tryAgain("p2");
    expect(world.callsOf("createJob")).toHaveLength(1);
    expect(world.callsOf("retryJob")).toHaveLength(2);
  });

  test("while its file is being posted", async () => {
    await film();
    world.platform.order("attach", "answer_lost");
    world.workspace.media.finishJob(world.jobs()[0]!, "film.mp4", "film");
    await world.run(3_050);
    await world.crash();
    await world.run(60_000);
    expect(world.attached()).toHaveLength(1);
  });
});

describe("music", () => {
  test("has a length, and is posted", async () => {
    await world.asks("k1", "music", "calm seconds:12 instrumental:yes");
    expect(world.callsOf("createJob")).toEqual([
      { kind: "music", music_generation_model_id: 2, prompt: "calm", duration_seconds: 12, instrumental: true },
    ]);
    world.workspace.media.finishJob(world.jobs()[0]!, "tune.mp3", "tune");
    await world.run(watchTimes.poll + 500);
    expect(world.attached()).toMatchObject([{ files: ["tune"] }]);
    expect(world.platform.messages[0]!.document.footer).toBe("Tune · 12 s · instrumental · 12 credits");
  });
});
