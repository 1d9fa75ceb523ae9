/** A Slack that is away, or says nothing, by a clock that the test moves: how often it is dialled, and how soon it is back. */
import { expect, onTestFinished, test } from "vitest";
import { socketTimes } from "../../adapters/slack/transport/socket.ts";
import { createSockets } from "../../adapters/slack/transport/sockets.ts";
import { fakeClock } from "../fakes/clock.ts";
import { serverError } from "../fakes/slack/faults.ts";
import { openFakeSlack } from "../fakes/slack/slack.ts";

/** As Parley ships it, with chance as given. */
async function open(chance: number) {
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
  return {
    slack,
    clock,
    sockets,
    /** Those that the log names; that of the start is none. */
    waits,
    dials: () => slack.calls.filter(({ method }) => method === "apps.connections.open").length,
    /** No dial takes any of the time that the test moves. */
    step: async (ms: number): Promise<void> => {
      await expect.poll(() => dialling).toBe(0);
      await clock.advance(ms);
    },
    idle: async (): Promise<void> => {
      await expect.poll(() => dialling).toBe(0);
    },
  };
}

const awayMs = 600_000;
/** A Slack that is there again is found within this. */
const backMs = 35_000;

test.for([0, 0.5, 0.999])("ten minutes of it are waited out, and it is back within 35 s: chance %s", async (chance) => {
  const { slack, clock, sockets, waits, dials, step, idle } = await open(chance);
  slack.faults.always("apps.connections.open", serverError());
  const gone = clock.now();
  await sockets.start(new AbortController().signal);
  while (clock.now() - gone < awayMs) await step(500);
  await idle();
  expect(sockets.health()).toMatch(/cannot be opened/);
  expect(waits.slice(0, 8)).toEqual([NaN, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000]);
  expect(new Set(waits.slice(7))).toEqual(new Set([20_000]));
  expect(dials()).toBe(waits.length);
  expect(dials()).toBeLessThanOrEqual(40);

  slack.faults.always("apps.connections.open", null);
  const back = clock.now();
  while (sockets.health() !== null) {
    await step(500);
    await idle();
    expect(clock.now() - back).toBeLessThanOrEqual(backMs);
  }
});

test("a socket that never says hello is given up, and another dialled, within 15 s", async () => {
  const { slack, clock, sockets, idle } = await open(0.999);
  slack.socket.greets = false;
  const since = clock.now();
  const started = sockets.start(new AbortController().signal);
  await expect.poll(() => slack.socket.opened).toBe(1);
  slack.socket.greets = true;
  await clock.advance(socketTimes.hello - 1);
  expect(sockets.health()).not.toBeNull();
  await clock.advance(1);
  await started;
  while (sockets.health() !== null) {
    await clock.advance(100);
    await idle();
    expect(clock.now() - since).toBeLessThanOrEqual(15_000);
  }
  expect(slack.socket.opened).toBe(2);
});
