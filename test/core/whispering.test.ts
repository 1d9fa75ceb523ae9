/** Words for one person that their platform does not take at once. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Command } from "../../src/core/commands/table.ts";
import { WriteFault } from "../../src/errors.ts";
import { commands, createWorld, textOf, type World } from "./engine.ts";

let world: World;
let done: number;
/** Does something that is not to be done twice. */
const spend: Command = {
  name: "spend",
  help: "Spend",
  options: [],
  order: "now",
  deed: null,
  run() {
    done++;
    return Promise.resolve({ tell: `Done ${done}.` });
  },
};
beforeEach(async () => {
  done = 0;
  world = await createWorld({}, [], [spend]);
});
afterEach(() => world.close());

const told = (): string[] => world.platform.whispers.map(({ document }) => textOf(document));

describe("a command's private answer", () => {
  test("waits as long as a rate limit names, and the command is not run again", async () => {
    world.platform.order("whisper", new WriteFault("rate_limited", "too many", { retryAfterMs: 20_000 }));
    await world.receive(commands("c1", "spend"));
    await world.run(19_000);
    expect(told()).toEqual([]);
    await world.run(2_000);
    expect(told()).toEqual(["Done 1."]);
    expect(world.outcomes.get("command")).toBe("done");
  });

  test("waits five minutes where the limit names a day", async () => {
    world.platform.order("whisper", new WriteFault("rate_limited", "too many", { retryAfterMs: 86_400_000 }));
    await world.receive(commands("c1", "spend"));
    await world.run(301_000);
    expect(told()).toEqual(["Done 1."]);
  });

  test("is tried again while the platform cannot be reached", async () => {
    const away = new WriteFault("refused", "cannot be reached");
    world.platform.order("whisper", away, away, away, "request_lost");
    await world.receive(commands("c1", "spend"));
    await world.run(20_000);
    expect(told()).toEqual(["Done 1."]);
  });

  test("ends the turn where its person is gone", async () => {
    world.platform.order("whisper", new WriteFault("gone", "the person is no member any more"));
    await world.receive(commands("c1", "spend"));
    await world.run(60_000);
    expect(world.outcomes.get("command")).toBe("gone");
    expect(done).toBe(1);
  });
});
