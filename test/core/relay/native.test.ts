/** What the relay does for platforms with a form of their own for text that grows. */
import { expect, it } from "vitest";
import type { Budget } from "../../../src/core/platform.ts";
import { done, reply, setUp } from "./set-up.ts";

const budget = (key: string, count = 100): Budget => ({ key, count, windowMs: 60_000, burst: count });

it("gives the whole Markdown to a platform that wants it, while the reply is one message", async () => {
  const { clock, platform, relay } = setUp({}, { limits: { wantsSource: true, characters: 400 } });
  relay.show(reply("One **two"));
  await clock.advance(200);
  expect(platform.messages[0]?.document.source).toBe("One **two");
  relay.show(done("word ".repeat(200)));
  await clock.advance(2_000);
  expect(platform.messages.length).toBeGreaterThan(1);
  expect(platform.messages.map(({ document }) => document.source)).toEqual(platform.messages.map(() => undefined));
});

it("gives no Markdown to a platform that does not want it", async () => {
  const { clock, platform, relay } = setUp();
  relay.show(reply("One"));
  await clock.advance(200);
  expect(platform.messages[0]?.document).not.toHaveProperty("source");
});

it("takes the last state from the last state's budgets, also when a write before it still waits", async () => {
  const limits = {
    budgets: (method: string, _place: unknown, state?: string) => [budget(`${method} ${state}`, state === "working" ? 2 : 100)],
  };
  const { clock, platform, relay } = setUp({}, { limits });
  for (const text of ["One", "One two", "One two three", "One two three four"]) {
    relay.show(reply(text));
    await clock.advance(200);
  }
  expect(platform.log).toHaveLength(3);
  relay.show(done("One two three four."));
  await clock.advance(200);
  expect(platform.log).toHaveLength(4);
  expect(await relay.settled()).toEqual({ kind: "delivered" });
});

it("edits once more where the platform says that the form is not there yet", async () => {
  const { clock, platform, relay } = setUp();
  const edit = platform.edit.bind(platform);
  const answers = ["again", undefined] as const;
  let edits = 0;
  platform.edit = async (...args) => {
    await edit(...args);
    return answers[edits++];
  };
  relay.show(reply("One"));
  await clock.advance(200);
  relay.show(done("One two"));
  await clock.advance(150);
  expect(edits).toBe(1);
  await clock.advance(1_000);
  expect(edits).toBe(2);
  expect(await relay.settled()).toEqual({ kind: "delivered" });
});
