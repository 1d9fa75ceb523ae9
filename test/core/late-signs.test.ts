/** A process that is paused with the sign of a waiting question on its way, and wakes after another has the lane. */
import { afterEach, describe, expect, test } from "vitest";
import { presses, says } from "./engine.ts";
import { openPaused, whole, type Paused } from "./paused.ts";

let under: Paused;
const open = async (): Promise<void> => void (under = await openPaused());
afterEach(() => under.world.close());

describe("a sign that is posted after its lease has ended", () => {
  const later = says("k2", "and then?", { at: 2 });
  /** The first process freezes with the sign of a second question on its way, or just posted. */
  const signTakenOver = async (moment: string): Promise<void> => {
    await under.world.receive(says("k1", "hello"));
    await under.world.run(500);
    under.freezesAt(moment);
    await under.world.receive(later);
    await under.world.run(40_000);
  };
  const ends = async (): Promise<void> => {
    for (let turn = 0; turn < 3; turn++) {
      under.answerAll("finished", "The whole answer");
      await under.world.run(12_000);
    }
  };

  test("is removed where another process shows its own", async () => {
    await open();
    await signTakenOver("before post");
    expect(under.ids()).toEqual(["m1", "m2"]);
    await under.wakes();
    expect(under.ids()).toEqual(["m1", "m2"]);
    expect(under.world.latePosts).toEqual(["removed"]);
    await ends();
    expect(under.ids()).toEqual(["m1", "m2"]);
    expect(under.seen()).toEqual([whole, whole]);
  });

  test("stays where another process has found it and goes on in it", async () => {
    await open();
    await signTakenOver("after post");
    await under.wakes();
    expect(under.world.latePosts).toEqual(["kept"]);
    await ends();
    expect(under.ids()).toEqual(["m1", "m2"]);
    expect(under.seen()).toEqual([whole, whole]);
    expect(under.removals()).toEqual([]);
  });

  test("needs no search where it was posted in time: the next process knows it", async () => {
    await open();
    await under.world.receive(says("k1", "hello"));
    await under.world.run(500);
    await under.world.receive(later);
    await under.world.run(500);
    let searches = 0;
    under.world.holds = (process, moment) => {
      if (moment === "before find") searches++;
      return process === 1 ? under.frozen.promise : undefined;
    };
    await under.world.run(40_000);
    await ends();
    expect(searches).toBe(0);
    expect(under.ids()).toEqual(["m1", "m2"]);
    expect(under.seen()).toEqual([whole, whole]);
  });

  test("is removed where its turn was stopped meanwhile", async () => {
    await open();
    await signTakenOver("before post");
    await under.other.inbox.receive(presses("p1", "stop", "k2"));
    await under.world.run(2_000);
    await under.wakes();
    await ends();
    expect(under.ids()).toEqual(["m1"]);
    expect(under.world.latePosts).toEqual(["removed"]);
  });
});
