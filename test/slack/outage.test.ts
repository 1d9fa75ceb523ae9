/** A Slack that is away for ten minutes, by a clock that the test moves: how often it is dialled, and how soon it is back. */
import { expect, onTestFinished, test } from "vitest";
import { socketTimes } from "../../adapters/slack/transport/socket.ts";
import { createSockets } from "../../adapters/slack/transport/sockets.ts";
import { fakeClock } from "../fakes/clock.ts";
import { serverError } from "../fakes/slack/faults.ts";
import { openFakeSlack } from "../fakes/slack/slack.ts";

const awayMs = 600_000;

test.for([0, 0.5, 0.999])("ten minutes of it are waited out, and it is back within 35 s: chance %s", async (chance) => {
  const slack = await openFakeSlack({ transport: "socket" });
  const clock = fakeClock();
  const waits: number[] = [];
  let dialling = 0;
  const sockets = createSockets({
    appToken: slack.tokens.app,
    apiUrl: slack.apiUrl,
    clock: {
      ...clock,
      // A dial is under way for as long as its hello is waited for.
      after(ms, fire) {
        const cancel = clock.after(ms, fire);
        if (ms !== socketTimes.hello) return cancel;
        dialling++;
        return () => {
          dialling--;
          cancel();
        };
      },
    },
    times: socketTimes,
    random: () => chance,
    receive: () => {},
    log: { info: () => {}, warn: (fields) => void waits.push(Number((fields as { waitMs?: number }).waitMs)) },
  });
  onTestFinished(async () => {
    sockets.stop();
    await slack.close();
  });
  /** No dial takes any of the time that the test moves. */
  const step = async (): Promise<void> => {
    await expect.poll(() => dialling).toBe(0);
    await clock.advance(500);
  };

  slack.faults.always("apps.connections.open", serverError());
  const gone = clock.now();
  await sockets.start(new AbortController().signal);
  while (clock.now() - gone < awayMs) await step();
  await expect.poll(() => dialling).toBe(0);
  expect(sockets.health()).toMatch(/cannot be opened/);
  // The first dial is that of the start, which waits for nothing.
  expect(waits.slice(0, 8)).toEqual([NaN, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000]);
  expect(new Set(waits.slice(7))).toEqual(new Set([20_000]));
  expect(slack.calls.filter(({ method }) => method === "apps.connections.open")).toHaveLength(waits.length);
  expect(waits.length).toBeLessThanOrEqual(40);

  slack.faults.always("apps.connections.open", null);
  const back = clock.now();
  while (sockets.health() !== null) {
    await step();
    await expect.poll(() => dialling).toBe(0);
    expect(clock.now() - back).toBeLessThanOrEqual(35_000);
  }
});
