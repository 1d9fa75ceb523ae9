/** What people think of an answer: Slack's feedback buttons, and where their clicks go. */
import { afterEach, describe, expect, it } from "vitest";
import { mention } from "../fakes/slack/people.ts";
import { openWorld, shownOf, transports, type World } from "./world.ts";

describe.each(transports)("feedback in Slack, by %s", (transport) => {
  let world: World;
  afterEach(() => world.close());

  it("is asked for under an answer, kept with its turn, and thanked for privately", async () => {
    world = await openWorld(transport);
    const { slack, answers, answered, until, received } = world;
    const said = await slack.person("U0ANN").says("C0GENERAL", `${mention} what is up?`);
    await answers("All is well.");
    const [answer] = await answered("C0GENERAL", said.ts, "All is well.");
    const found = await until(() => answer?.blocks?.find(({ type }) => type === "context_actions"));
    expect(JSON.stringify(found)).toContain("Good answer");
    await slack.person("U0BEN").clicks("C0GENERAL", answer!.ts, "parley_feedback/negative");
    const thanks = await until(() => slack.state.ephemerals[0]);
    expect(thanks).toMatchObject({ user: "U0BEN", channel: "C0GENERAL" });
    expect(shownOf(thanks)).toBe("Thank you, noted.");
    expect(received.at(-1)).toMatchObject({ kind: "action", action: "unhelpful", turn: received[0]?.key });
    expect(slack.answers("C0GENERAL")).toHaveLength(1);
  });
});
