/** Slack's tokens and people's words are found in no log line of any level, no row and no byte of the store. */
import { afterEach, describe, expect, it } from "vitest";
import { serverError } from "../fakes/slack/faults.ts";
import { mention } from "../fakes/slack/people.ts";
import { openWorld, shownOf, transports, type World } from "./world.ts";

describe.each(transports)("in Slack, by %s", (transport) => {
  let world: World;
  afterEach(() => world.close());

  it("keeps tokens and words to itself, also when Slack fails", async () => {
    world = await openWorld(transport);
    const { slack, answers, answered, until } = world;
    const ann = slack.person("U0ANN");
    const { ts } = await ann.says("C0GENERAL", `${mention} canary-question`, {
      files: [{ name: "canary-name.txt", bytes: Buffer.from("canary-content") }],
    });
    slack.faults.add("chat.postMessage", serverError("after"));
    await answers("canary-answer");
    await answered("C0GENERAL", ts, "canary-answer");
    slack.faults.add("chat.update", serverError());
    await ann.says("C0GENERAL", "canary-follow-up", { thread: ts });
    await ann.slash("C0GENERAL", "once canary-prompt");
    await answers("canary-second");
    await answered("C0GENERAL", ts, "canary-second");
    await until(() => world.received.length >= 3);
    const { bot, app, signing } = slack.tokens;
    const places = { log: world.log.join(""), store: await world.dump() };
    for (const [place, text] of Object.entries(places)) {
      expect(text.length).toBeGreaterThan(100);
      for (const secret of ["canary", bot, app, signing])
        expect.soft(text.includes(secret) ? `${secret} in ${place}` : "nothing").toBe("nothing");
    }
  });

  it("forgets who asks, and tells them so alone", async () => {
    world = await openWorld(transport);
    const { slack, answers, answered, until } = world;
    const ann = slack.person("U0ANN");
    const { ts } = await ann.says("C0GENERAL", `${mention} remember this`);
    await answers("I do.");
    await answered("C0GENERAL", ts, "I do.");
    await ann.slash("C0GENERAL", "forget");
    await until(() => slack.state.ephemerals.find((one) => shownOf(one).includes("This deletes what Parley holds of you")));
    await ann.clicksPrivately("parley_run-");
    await until(() => JSON.stringify(slack.calls).includes("Parley has deleted what it held of you"));
    const rows = async () => (await world.dump()).split("SQLite format 3")[0] ?? "";
    await expect.poll(rows).not.toContain("U0ANN");
    expect(await world.stored()).toEqual([]);
  });
});
