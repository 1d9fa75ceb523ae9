/** Recordings of a message, written down for its answer. */
import { Decimal } from "decimal.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openAccess } from "../../../src/core/access.ts";
import { hearingMs } from "../../../src/core/turns/transcripts.ts";
import { WorkspaceFault } from "../../../src/errors.ts";
import { transcribeTools } from "../../fakes/transcribe-tools.ts";
import { commands, presses, says, thread } from "../engine.ts";
import { mediaWorld, type MediaWorld } from "./making.ts";

let world: MediaWorld;
beforeEach(async () => {
  world = await mediaWorld({ f1: new TextEncoder().encode("sound"), f2: new TextEncoder().encode("film") });
});
afterEach(() => world.close());

const memo = { id: "f1", name: "memo.ogg", mediaType: "audio/ogg", bytes: 5 };
const film = { id: "f2", name: "film.mp4", mediaType: "video/mp4", bytes: 4 };
const can = (answer?: Readonly<Record<string, unknown>>): void =>
  void world.workspace.known.tools.push(...transcribeTools(answer));
const done = { status: "done", text: "heard it", credit_cost: "2.5" };
const ask = async (text = "what is it about?", over = {}, key = "k1"): Promise<void> => {
  await world.receive(says(key, text, { files: [memo], ...over }));
  await world.run(8_000);
};
const starts = () => world.callsOf("start") as Array<{ message: string; attachments?: unknown }>;
const answers = async (): Promise<void> => {
  world.workspace.answer([...world.workspace.held.keys()][0]!, { status: "finished", text: "Tea.", credits_used: "1" });
  await world.run(500);
};
const begun = () => world.callsOf("callTool").filter((call) => (call as { name: string }).name === "transcribe");
const fileId = () => [...world.workspace.uploads.keys()][0];
const shown = () => world.platform.messages[0]?.document;
const change = async (text: string): Promise<void> => {
  await world.receive(commands(text, "settings", text));
  await world.run(500);
};

describe("a recording of a message", () => {
  test("goes into the turn as a transcription, is told of in the last line, and counts", async () => {
    world.limits.personCredits = new Decimal(3);
    can(done);
    await ask();
    expect(starts()).toMatchObject([{ attachments: [{ id: 701, type: "transcription" }] }]);
    await answers();
    expect(shown()).toMatchObject({ state: "done", notice: null });
    expect(shown()?.footer).toMatch(/1 recording written down for 2.5 credits$/);
    // 3.5 of 3 are spent.
    await world.receive(says("k2", "again?", { place: thread("t2") }));
    await world.run(500);
    expect(world.told().at(-1)).toContain("3.5 of 3");
    expect(starts()).toHaveLength(1);
  });

  test("says that it is listened to, without words of its own asks what is said in it, and a film stays a film", async () => {
    can({ status: "processing" });
    await world.receive(says("k1", "", { files: [film] }));
    await world.run(1_000);
    expect(world.seen()[0]).toContain("Listening to “film.mp4”…");
    world.workspace.known.tools.splice(0, 2, ...transcribeTools(done));
    await world.run(8_000);
    expect(starts()).toMatchObject([
      {
        message: "Please answer what is said in the attached recording.",
        attachments: [
          { id: 701, type: "transcription" },
          { id: fileId(), type: "file" },
        ],
      },
    ]);
  });

  test("is left as a file where the workspace has no way, and nothing is said", async () => {
    await ask();
    expect(starts()).toMatchObject([{ attachments: [{ id: fileId(), type: "file" }] }]);
    await answers();
    expect(shown()).toMatchObject({ notice: null });
    expect(shown()?.footer).not.toContain("recording");
  });

  test("is left as a file where the place wants that; where it wants it written down, what is not enabled is said", async () => {
    can(done);
    await change("transcribe off");
    await ask();
    expect(starts()).toMatchObject([{ attachments: [{ id: fileId(), type: "file" }] }]);
    await answers();
    world.workspace.known.tools.length = 0;
    world.access = { ...openAccess, operators: [] };
    await change("transcribe on");
    await world.clock.advance(61_000);
    await world.receive(says("k2", "and now?", { files: [memo] }));
    await world.run(1_000);
    await answers();
    expect(world.callsOf("followUp")).toMatchObject([{ attachments: [{ type: "file" }] }]);
    expect(world.platform.messages[1]?.document.notice).toMatch(/^“memo.ogg” was not written down. This is not enabled/);
    expect(begun()).toEqual([]);
  });

  test("that is not enabled tells an operator, alone, what the key lacks", async () => {
    world.access = { ...openAccess, operators: ["u1"] };
    await change("transcribe on");
    await ask();
    await answers();
    expect(shown()?.notice).toMatch(/^“memo.ogg” was not written down. This is not enabled for the workspace account/);
    expect(world.told().at(-1)).toBe("!This is not enabled: the workspace key lacks the permission transcription_manage.");
  });

  test("that the workspace fails at costs the answer nothing, and its reason is told", async () => {
    can({ status: "error", error: "there is only noise" });
    await ask();
    expect(starts()).toMatchObject([{ attachments: [{ id: fileId(), type: "file" }] }]);
    await answers();
    expect(world.seen()[0]).toContain("Tea.");
    expect(shown()?.notice).toBe("“memo.ogg” was not written down. The workspace says: “there is only noise”.");
  });

  test("that takes too long is answered without, and said", async () => {
    can({ status: "processing" });
    await world.receive(says("k1", "what is it about?", { files: [memo] }));
    await world.run(2_000);
    for (let left = hearingMs; left > 0; left -= 20_000) await world.clock.advance(20_000);
    await world.run(5_000);
    await answers();
    expect(shown()?.notice).toContain("It took more than 15 minutes");
    expect(begun()).toHaveLength(1);
  });

  test("whose beginning is lost is not begun twice", async () => {
    can(done);
    world.workspace.fail("callTool", { fault: new WorkspaceFault("lost", "no answer"), when: "after" });
    await ask();
    await answers();
    expect(begun()).toHaveLength(1);
    expect(shown()?.notice).toContain("spends nothing twice by itself");
  });

  test("is begun once, whenever the process dies", async () => {
    can({ status: "processing" });
    await world.receive(says("k1", "what is it about?", { files: [memo] }));
    await world.run(5_000);
    expect(begun()).toHaveLength(1);
    world.workspace.known.tools.splice(0, 2, ...transcribeTools(done));
    await world.crash();
    await world.run(60_000);
    expect(starts()).toMatchObject([{ attachments: [{ id: 701, type: "transcription" }] }]);
    await world.crash();
    await world.run(60_000);
    await answers();
    expect(begun()).toHaveLength(1);
    expect(shown()?.footer).toContain("1 recording written down for 2.5 credits");
  });

  test("is paid for once when the answer is tried again", async () => {
    can(done);
    world.workspace.fail("start", { fault: new WorkspaceFault("unavailable", "busy", { status: 503 }), when: "before" });
    await ask();
    const retry = shown()?.actions.find(({ action }) => action === "retry");
    await world.receive(presses("p1", "retry", retry?.turn ?? ""));
    await world.run(2_000);
    await answers();
    expect(begun()).toHaveLength(1);
    expect(starts().at(-1)).toMatchObject({ attachments: [{ id: 701, type: "transcription" }] });
    expect(shown()?.footer).toMatch(/1 recording written down$/);
  });

  test("is stopped with its answer", async () => {
    can({ status: "processing" });
    await world.receive(says("k1", "what is it about?", { files: [memo] }));
    await world.run(1_000);
    const stop = shown()?.actions.find(({ action }) => action === "stop");
    await world.receive(presses("p1", "stop", stop?.turn ?? ""));
    await world.run(2_000);
    expect(shown()?.state).toBe("stopped");
    expect(starts()).toEqual([]);
  });
});

test("/transcribe with a question is answered from the recording, whatever the place has chosen", async () => {
  can(done);
  await change("transcribe off");
  await world.asks("k1", "transcribe", "what is it about?", { files: [memo] });
  await world.run(8_000);
  expect(world.seen()[0]).toBe("Ann asks about “memo.ogg”: what is it about?");
  expect(starts()).toMatchObject([{ message: "what is it about?", attachments: [{ id: 701, type: "transcription" }] }]);
});
