/** An answer that draws on its asker's own account, in a channel of Slack: nobody else is ever shown a word of it. */
import { afterEach, describe, expect, it } from "vitest";
import { mention } from "../fakes/slack/people.ts";
import { openWorld, shownOf, transports, type World } from "../slack/world.ts";
import { cited, keys, ownAnswer } from "./wire.ts";

let world: World;
afterEach(() => world.close());

describe.each(transports)("by %s", (transport) => {
  it("is shown to its asker alone, as often as they ask, until they share it", async () => {
    world = await openWorld(transport, { access: { sharedKey: [] } });
    const { slack, until, people } = world;
    const { state } = slack;
    await people.links.put({ platform: "slack", tenant: "T0ACME", person: "U0ANN" }, keys.own, 1);
    const own = people.workspaceOf(keys.own);
    const [ann, ben] = [slack.person("U0ANN"), slack.person("U0BEN")];
    state.channels.get("C0GENERAL")?.members.add("U0BEN");
    /** Every call that wrote anything, but those that show something to Ann alone. */
    const elsewhere = (): string =>
      JSON.stringify(slack.calls.filter(({ method, args }) => method !== "chat.postEphemeral" || args["user"] !== "U0ANN"));
    const toAnn = () => state.ephemerals.filter(({ user }) => user === "U0ANN").map(shownOf);

    const { ts } = await ann.says("C0GENERAL", `${mention} plans?`);
    const conversation = await until(() => ownAnswer(own, { text: "canary-half" }));
    await until(() =>
      slack.answers("C0GENERAL", ts).find((one) => shownOf(one).includes("Answering Ann with their own account")),
    );
    own.answer(conversation, { status: "finished", text: "canary-words", citations: [cited] });
    const notice = await until(() =>
      slack.answers("C0GENERAL", ts).find((one) => shownOf(one).includes("so only they are shown it")),
    );
    expect(toAnn()).toEqual([expect.stringContaining("canary-words")]);
    expect(toAnn()[0]).toContain("canary-title");
    expect(elsewhere()).not.toContain("canary");

    // Another person's press, of the button in the thread and of the private one.
    await ben.clicks("C0GENERAL", notice.ts, "parley_reveal");
    await until(() => state.ephemerals.find(({ user }) => user === "U0BEN"));
    state.ephemerals.push({ ...state.ephemerals.find(({ user }) => user === "U0ANN")!, user: "U0BEN" });
    const told = state.ephemerals.length;
    await ben.clicksPrivately("parley_share");
    await until(() => state.ephemerals.length > told);
    expect(shownOf(state.ephemerals.at(-1)!)).toContain("can no longer be shared here");
    expect(elsewhere()).not.toContain("canary");

    await ann.clicks("C0GENERAL", notice.ts, "parley_reveal");
    await until(() => toAnn().length === 2);
    expect(elsewhere()).not.toContain("canary");

    // What is asked next in this conversation is its owner's, too, and a colleague begins one of their own.
    await people.links.put({ platform: "slack", tenant: "T0ACME", person: "U0BEN" }, keys.team, 1);
    await ben.says("C0GENERAL", `${mention} and?`, { thread: ts });
    await until(() => state.ephemerals.some((one) => one.user === "U0BEN" && shownOf(one).includes("Begin a new thread")));
    expect(people.workspaceOf(keys.team).calls.filter(({ call }) => call === "start")).toEqual([]);

    await ann.clicks("C0GENERAL", notice.ts, "parley_reveal");
    await until(() => toAnn().length === 3);
    await ann.clicksPrivately("parley_share");
    const shared = await until(() => slack.answers("C0GENERAL", ts).find((one) => shownOf(one).includes("canary-words")));
    expect(shared.thread_ts).toBe(ts);
    expect(shownOf(shared)).toContain("shared by Ann");
  });
});
