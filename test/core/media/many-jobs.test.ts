/** A thousand films of a thousand people at once: few questions, and each posted soon after it is finished. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { watchTimes } from "../../../src/core/media/job-watch.ts";
import { channel, commands } from "../engine.ts";
import { mediaWorld, type MediaWorld } from "./making.ts";

let world: MediaWorld;
beforeEach(async () => {
  world = await mediaWorld();
});
afterEach(() => world.close());

const films = 1_000;
/** Ends are spread over this, in ms of the world's clock. */
const spread = 60_000;
const stepMs = 500;

describe("a thousand films at once", () => {
  test("are each posted once, within a poll of their end, with few questions", async () => {
    for (let index = 0; index < films; index++) {
      const over = { place: { ...channel, channel: `c${index}` }, author: { id: `u${index}`, name: "Ann" } };
      await world.receive(commands(`k${index}`, "video", "waves seconds:2", over));
    }
    await world.run(3_000);
    const ids = world.jobs();
    expect(ids).toHaveLength(films);

    const begun = world.workspace.calls.length;
    const since = world.clock.now();
    const endedAt = new Map<string, number>();
    for (let at = 0; at < spread; at += stepMs) {
      for (const id of ids.slice((at / spread) * films, ((at + stepMs) / spread) * films)) {
        world.workspace.media.finishJob(id, "film.mp4", `film ${id}`);
        endedAt.set(`film ${id}`, world.clock.now());
      }
      await world.clock.advance(stepMs);
    }
    await world.clock.advance(watchTimes.pollLimit);
    const seconds = (world.clock.now() - since) / 1_000;

    const wordsOf = new Map(
      world.platform.messages.map(({ posted: { id }, files }) => [
        id,
        files.map(({ bytes }) => new TextDecoder().decode(bytes)).join(),
      ]),
    );
    const posted = world.platform.log.filter(({ method }) => method === "attach");
    const waits = posted.map(({ at, id }) => at - endedAt.get(wordsOf.get(id)!)!);
    expect(posted).toHaveLength(films);
    const p99 = waits.toSorted((a, b) => a - b)[Math.floor(films * 0.99)]!;
    const looks = world.workspace.calls.slice(begun).filter(({ call }) => call === "jobs").length;
    // Ten pages of a hundred jobs in each look; then one read and one download for each job that has ended.
    expect(looks / seconds).toBeLessThanOrEqual(11 / (watchTimes.poll / 1_000));
    expect(world.callsOf("job")).toHaveLength(films);
    expect(p99).toBeLessThanOrEqual(watchTimes.poll + stepMs);
  });
});
