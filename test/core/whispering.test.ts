/** Words for one person that their platform does not take at once. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Command } from "../../src/core/commands/table.ts";
import { WriteFault } from "../../src/errors.ts";
import { openAccess } from "../../src/core/access.ts";
import { spareTurns, turnsLimit } from "../../src/core/busy.ts";
import { commands, createWorld, says, textOf, thread, type World } from "./engine.ts";

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

describe("a refusal", () => {
  const limited = new WriteFault("rate_limited", "too many", { retryAfterMs: 20_000 });
  const refusedBy = (key: string): Promise<unknown> =>
    world.receive(says(key, "hello", { author: { id: "u9", name: "Zoe" }, place: { ...thread(key), channel: key } }));
  beforeEach(() => (world.access = { ...openAccess, users: ["u1"] }));
  const running = async (): Promise<number> =>
    ((await world.rows("turns")) as ReadonlyArray<{ readonly owner: string | null }>).filter(({ owner }) => owner !== null)
      .length;

  test("that cannot be told yet gives its turn back, and is told once the limit ends", async () => {
    world.platform.order("whisper", limited, limited);
    await refusedBy("k1");
    await world.run(1_000);
    expect(await running()).toBe(0);
    await world.run(18_000);
    expect(told()).toEqual([]);
    await world.run(25_000);
    expect(told()).toEqual(["!Parley does not answer you here. Ask whoever runs Parley."]);
    expect(world.outcomes.get("message")).toBe("refused");
  });

  test("that cannot be told for 15 minutes ends its turn", async () => {
    world.platform.order("whisper", ...Array.from({ length: 100 }, () => limited));
    await refusedBy("k1");
    await world.run(16 * 60_000);
    expect(world.outcomes.get("message")).toBe("gone");
    expect(told()).toEqual([]);
  });

  test("of thousands who cannot be told holds up nobody else", async () => {
    world.platform.order("whisper", ...Array.from({ length: 100_000 }, () => limited));
    for (let index = 0; index < turnsLimit + spareTurns; index++) await refusedBy(`stranger-${index}`);
    await world.run(5_000);
    await world.receive(says("k1", "hello"));
    await world.run(5_000);
    const [conversation] = world.workspace.held.keys();
    world.workspace.answer(conversation ?? 0, { status: "finished", text: "There." });
    await world.run(3_000);
    expect(world.seen()).toEqual(["There."]);
    expect(world.workspace.held.size).toBe(1);
  });
});
