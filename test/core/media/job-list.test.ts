/** The list of one's jobs: what it says, and what its buttons do, once. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openAccess } from "../../../src/core/access.ts";
import { watchTimes } from "../../../src/core/media/job-watch.ts";
import { WorkspaceFault } from "../../../src/errors.ts";
import type { FakeWorkspace } from "../../fakes/workspace.ts";
import { channel, presses } from "../engine.ts";
import { mediaWorld, type MediaWorld } from "./making.ts";

let world: MediaWorld;
let count = 0;
beforeEach(async () => {
  world = await mediaWorld();
});
afterEach(() => world.close());

const ask = (text = ""): Promise<void> => world.asks(`j${++count}`, "jobs", text);
const told = (): string => world.told().at(-1) ?? "";
const buttons = () => world.platform.whispers.at(-1)?.document.actions ?? [];
const labels = (): string[] => buttons().map(({ label }) => label);
const press = async (label: string, from = buttons()): Promise<void> => {
  const button = from.find((one) => one.label === label);
  await world.receive({ ...presses(`p${++count}`, button?.action ?? "none", button?.turn ?? "none"), place: channel });
  await world.run(1_000);
};
const poll = (): Promise<void> => world.run(watchTimes.poll + 500);
const film = async (key: string, text: string): Promise<number> => {
  await world.asks(key, "video", `${text} seconds:2`);
  return world.jobs().at(-1)!;
};
const fail = async (id: number): Promise<void> => {
  world.workspace.media.move(id, { status: "error", error: "no *frames* left" });
  await poll();
};
/** Jobs that somebody began elsewhere, the oldest first. */
const elsewhere = async (workspace: FakeWorkspace, many: number): Promise<void> => {
  for (let each = 0; each < many; each++) {
    const { ID } = await workspace.jobs.create(each % 2 === 0 ? "video" : "music", {});
    workspace.media.move(ID, {
      prompt: `wish ${each + 1}`,
      model_id: each % 2 === 0 ? 1 : 2,
      CreatedAt: new Date(world.clock.now() - (many - each) * 60_000).toISOString(),
    });
  }
};
const closeTo = (...calls: Array<"jobs" | "removeJob">): void => {
  for (const call of calls)
    world.workspace.fail(call, { fault: new WorkspaceFault("forbidden", "no", { status: 403 }), when: "before" });
};

describe("the list", () => {
  test("says that there is nothing yet", async () => {
    await ask();
    expect(told()).toBe("There are no films and no music yet. /video and /music make some.");
    await ask("music status:error");
    expect(told()).toBe("There are no such jobs.");
  });

  test("has what was made here and elsewhere, with the true cost, newest first", async () => {
    await elsewhere(world.workspace, 2);
    const id = await film("k1", "waves *at* dawn");
    const begun = world.clock.now();
    world.workspace.media.move(id, { CreatedAt: new Date(begun).toISOString() });
    world.workspace.media.finishJob(id, "film.mp4", "film");
    await poll();
    world.workspace.media.move(id, { UpdatedAt: new Date(begun + 40_000).toISOString() });
    await world.clock.advance(5 * 60_000);
    await ask();
    expect(told()).toBe(
      [
        "Film, finished: waves *at* dawn · 5 min ago · took 40 s · Film · 12 credits",
        "Music, in the queue: wish 2 · 6 min ago · for 6 min · Tune",
        "Film, in the queue: wish 1 · 7 min ago · for 7 min · Film",
      ].join(""),
    );
    expect(labels()).toEqual(["Delete 1", "Delete 2", "Delete 3"]);
    expect(world.seen()).toHaveLength(1 + world.attached().length);
  });

  test("is one kind or one state where that is wanted", async () => {
    await elsewhere(world.workspace, 4);
    world.workspace.media.move(world.jobs()[0]!, { status: "error", error: "no frames" });
    await ask("music");
    expect(told()).toContain("wish 4");
    expect(told()).not.toMatch(/wish [13]/);
    await ask("status:error");
    expect(told()).toMatch(/^Film, failed: wish 1 · “no frames” · 4 min ago/);
    expect(labels()).toEqual(["Retry 1", "Delete 1"]);
    await ask("video status:done");
    expect(told()).toBe("There are no such jobs.");
  });

  test("turns pages, with its filters", async () => {
    await elsewhere(world.workspace, 26);
    await ask("video");
    expect(told()).toMatch(/^1 to 5 of 13, newest first: Film, in the queue: wish 25/);
    expect(labels()).toEqual(["Delete 1", "Delete 2", "Delete 3", "Delete 4", "Delete 5", "More"]);
    await press("More");
    expect(told()).toMatch(/^6 to 10 of 13/);
    await press("More");
    expect(told()).toMatch(/^11 to 13 of 13/);
    expect(labels()).toEqual(["Delete 11", "Delete 12", "Delete 13"]);
    await ask("page:3");
    expect(told()).toMatch(/^11 to 15 of 26, newest first: Music, in the queue: wish 16.*Film, in the queue: wish 15/);
  });

  test.each([
    ["films", "“films” is not a choice for kind: expected video, music."],
    ["page:0", "“0” is no page: expected a whole number from 1 to 20."],
    ["page:soon", "“soon” is no page"],
    ["retry:film", "“film” is no job: expected its kind and number, as video-12."],
    ["delete:speech-1", "“speech-1” is no job"],
    ["delete:video-999", "You have no job video-999, or no longer."],
  ])("says what was expected of %s", async (text, words) => {
    await ask(text);
    expect(told()).toContain(words);
    expect(world.callsOf("removeJob")).toEqual([]);
  });

  test("leaves out a kind that the key may not list; operators are told what the key lacks, others that it is not enabled", async () => {
    await elsewhere(world.workspace, 2);
    closeTo("jobs");
    await ask();
    expect(told()).toMatch(/wish 2.*Films: not enabled. The workspace key lacks the permission video_generation_get\./);
    closeTo("jobs", "jobs");
    await ask();
    expect(told()).toMatch(/^!Films: not enabled.*video_generation_get\.\nMusic: not enabled.*music_generation_get\.$/);
    world.access = { ...openAccess, operators: [] };
    const key = `PARLEY-API-${"A".repeat(64)}`;
    await world.people.links.put({ platform: "fake", tenant: "t", person: "u1" }, key, 1);
    const fault = new WorkspaceFault("forbidden", "no", { status: 403 });
    world.people.workspaceOf(key).fail("jobs", { fault, when: "before" });
    await ask("video");
    expect(told()).toBe("!Films: not enabled for your workspace key.");
  });

  test("is of one's own account, and wants one", async () => {
    world.access = { ...openAccess, operators: [] };
    await elsewhere(world.workspace, 2);
    await ask();
    expect(told()).toContain("Link it once");
    const key = `PARLEY-API-${"A".repeat(64)}`;
    await world.people.links.put({ platform: "fake", tenant: "t", person: "u1" }, key, 1);
    await ask();
    expect(told()).toContain("There are no films and no music yet.");
    expect(told()).toContain("What is made here with the team's account is among the team's.");
    expect(world.callsOf("jobs")).toEqual([]);
  });
});

describe("a failed job", () => {
  test("is begun anew once it was said yes to, followed, and posted once", async () => {
    const id = await film("k1", "waves");
    await fail(id);
    await ask();
    await press("Retry 1");
    expect(told()).toMatch(/^This begins it anew, which may cost credits again\..*Film, failed: waves · “no \*frames\* left”/);
    expect(world.callsOf("retryJob")).toEqual([]);
    const asked = buttons();
    const [yes] = asked;
    for (const key of ["y1", "y2"]) await world.receive({ ...presses(key, yes?.action ?? "", yes?.turn ?? ""), place: channel });
    await world.run(1_000);
    await press("Try it again", asked);
    expect(world.callsOf("retryJob")).toEqual([{ kind: "video", id }]);
    expect(world.seen().at(-1)).toBe("Ann asked for a film: waves [In the queue…]");
    world.workspace.media.finishJob(id, "film.mp4", "film");
    await poll();
    expect(world.attached().map(({ files }) => files)).toEqual([["film"]]);
    expect(world.platform.messages.map(({ document }) => document.footer)).toContain("Film · 16:9 · 720p · 2 s · 12 credits");
    expect(world.callsOf("createJob")).toHaveLength(1);
  });

  test("that was begun elsewhere is shown with what the workspace says of it", async () => {
    await elsewhere(world.workspace, 1);
    const [id] = world.jobs();
    world.workspace.media.move(id!, { status: "error", error: null });
    await ask(`retry:video-${id}`);
    await press("Try it again");
    world.workspace.media.finishJob(id!, "film.mp4", "film");
    await poll();
    expect(world.seen()[0]).toBe("Ann asked for a film: wish 1");
    expect(world.attached()).toHaveLength(1);
  });

  test("that is tried again from the list cannot be from its own message, too", async () => {
    const id = await film("k1", "waves");
    await fail(id);
    const inMessage = world.platform.messages[0]!.document.actions;
    await ask(`retry:video-${id}`);
    await press("Try it again");
    await press("Try again", inMessage);
    expect(told()).toContain("it was tried again already");
    world.workspace.media.finishJob(id, "film.mp4", "film");
    await poll();
    expect(world.attached()).toHaveLength(1);
    expect(world.callsOf("retryJob")).toHaveLength(1);
  });

  test("that is tried again from its own message is not from the list", async () => {
    const id = await film("k1", "waves");
    await fail(id);
    await ask(`retry:video-${id}`);
    const asked = buttons();
    await press("Try again", world.platform.messages[0]!.document.actions);
    await press("Try it again", asked);
    expect(told()).toBe("!Only a failed job can be tried again, and this one is in the queue.");
    expect(world.callsOf("retryJob")).toHaveLength(1);
  });

  test.each([0, 50, 200, 1_000, 4_000])("loses nothing when the process dies %d ms after the yes", async (ms) => {
    const id = await film("k1", "waves");
    await fail(id);
    await ask(`retry:video-${id}`);
    const button = buttons().find(({ label }) => label === "Try it again");
    await world.receive({ ...presses("yes", button?.action ?? "", button?.turn ?? ""), place: channel });
    await world.run(ms);
    await world.crash();
    await world.run(40_000);
    expect(world.callsOf("retryJob")).toHaveLength(1);
    world.workspace.media.finishJob(id, "film.mp4", "film");
    await poll();
    expect(world.attached()).toHaveLength(1);
  });

  test("is none that is finished, at work or unknown", async () => {
    const id = await film("k1", "waves");
    await ask(`retry:video-${id}`);
    expect(told()).toBe("!Only a failed job can be tried again, and this one is in the queue.");
    expect(buttons()).toEqual([]);
  });

  test("counts against what its person may have", async () => {
    world.limits.personTurns = 1;
    const id = await film("k1", "waves");
    await fail(id);
    await ask(`retry:video-${id}`);
    await press("Try it again");
    expect(told()).toMatch(/^!.*minute/);
    expect(world.callsOf("retryJob")).toEqual([]);
  });
});

describe("a job that is to be deleted", () => {
  test("is shown first, and goes once its person says yes", async () => {
    const id = await film("k1", "waves");
    await fail(id);
    await ask();
    await press("Delete 1");
    expect(told()).toMatch(/^This deletes the job from the workspace\. A file that it made stays.*Film, failed: waves/);
    expect(world.callsOf("removeJob")).toEqual([]);
    await press("Delete it");
    expect(world.callsOf("removeJob")).toEqual([{ kind: "video", id }]);
    expect(told()).toContain("Deleted: Film, failed: waves");
    await ask();
    expect(told()).toContain("There are no films");
  });

  test("ends in its message with one word while it is at work", async () => {
    const id = await film("k1", "waves");
    await ask(`delete:video-${id}`);
    expect(told()).toContain("It is still at work, and may be paid for all the same.");
    await press("Delete it");
    await poll();
    expect(world.seen()[0]).toContain("no longer has this job");
  });

  test("stays where the key may not delete", async () => {
    const id = await film("k1", "waves");
    await ask(`delete:video-${id}`);
    closeTo("removeJob");
    await press("Delete it");
    expect(told()).toBe("!Deleting films: not enabled. The workspace key lacks the permission video_generation_delete.");
    expect(world.jobs()).toEqual([id]);
  });
});
