/** What a linked person is shown of their own account in one place, and shares there, comes to no other place: row by row. */
import { afterEach, describe, expect, it } from "vitest";
import { openWorld as openDiscord } from "../discord/world.ts";
import { mention } from "../fakes/slack/people.ts";
import { openWorld as openSlack, shownOf, transports } from "../slack/world.ts";
import { keys } from "./wire.ts";

/** What only the account's own list has. */
const canary = "own0";
let close: () => Promise<void> = () => Promise.resolve();
afterEach(() => close());

describe.each(transports)("in Slack, by %s", (transport) => {
  it("a list is its asker's in the place, and shared in that place alone, once", async () => {
    const world = await openSlack(transport);
    close = () => world.close();
    const { slack, until, people, answers } = world;
    const { state } = slack;
    await people.links.put({ platform: "slack", tenant: "T0ACME", person: "U0ANN" }, keys.own, 1);
    people.workspaceOf(keys.own);
    for (const channel of ["C0GENERAL", "C0SECRET"]) state.channels.get(channel)?.members.add("U0ANN");
    const ann = slack.person("U0ANN");
    const posted = (channel: string): string =>
      JSON.stringify(state.messages.filter((one) => one.channel === channel).map(shownOf));
    const toAnn = () => state.ephemerals.filter(({ user }) => user === "U0ANN");
    for (const channel of ["C0GENERAL", "C0SECRET"]) {
      const before = toAnn().length;
      await ann.slash(channel, "agents");
      const shown = await until(() => toAnn()[before]);
      expect([shown.channel, shownOf(shown).includes(canary)]).toEqual([channel, true]);
    }
    expect(posted("C0GENERAL") + posted("C0SECRET")).not.toContain(canary);

    // The private channel's button, pressed as if it stood in the public one.
    const secret = toAnn().at(-1)!;
    state.ephemerals.push({ ...secret, channel: "C0GENERAL" });
    const told = toAnn().length;
    await ann.clicksPrivately("parley_share");
    await until(() => toAnn()[told]);
    expect(shownOf(toAnn().at(-1)!)).toContain("can no longer be shared here");
    expect(posted("C0GENERAL") + posted("C0SECRET")).not.toContain(canary);

    state.ephemerals.push({ ...secret });
    await ann.clicksPrivately("parley_share");
    await until(() => posted("C0SECRET").includes(canary));
    expect(posted("C0GENERAL") + posted("D0ANN")).not.toContain(canary);

    // What is said next elsewhere takes nothing of it along.
    await ann.says("C0GENERAL", `${mention} and here?`);
    await answers("Nothing.");
    await until(() => posted("C0GENERAL").includes("Nothing."));
    expect(JSON.stringify(world.workspace.calls) + posted("C0GENERAL")).not.toContain(canary);
    for (const { user } of state.ephemerals) expect(user).toBe("U0ANN");
    expect(await world.dump()).not.toContain(canary);
  });
});

describe("on Discord", () => {
  it("a list is its asker's in the place, and shared in that place alone, once", async () => {
    const world = await openDiscord();
    close = () => world.close();
    const { fake, guild, general, ann, ben, until, people, answers, shows } = world;
    const secret = fake.text(guild, "secret");
    await people.links.put({ platform: "discord", tenant: "@me", person: ann.user.id }, keys.own, 1);
    people.workspaceOf(keys.own);
    const posted = (id: string): string => JSON.stringify(fake.messages(id).filter(({ onlyFor }) => onlyFor === null));
    const shown = [];
    for (const channel of [general, secret]) {
      ann.runs(channel, "agents");
      shown.push(await until(() => fake.whispers(ann).find((one) => one.channel === channel.id && one.content.includes(canary))));
    }
    expect(posted(general.id) + posted(secret.id)).not.toContain(canary);

    const before = fake.whispers(ann).length;
    ann.presses({ ...shown[1]!, channel: general.id }, "Share here");
    await until(() => fake.whispers(ann).length > before);
    expect(fake.whispers(ann).at(-1)?.content).toContain("can no longer be shared here");
    expect(posted(general.id) + posted(secret.id)).not.toContain(canary);

    ann.presses(shown[1]!, "Share here");
    await until(() => posted(secret.id).includes(canary));
    const said = ann.says(general, `${fake.mention} and here?`);
    await answers("Nothing.");
    await shows(said.id, "Nothing.");
    const elsewhere = [general.id, said.id, fake.direct(ann).id, fake.direct(ben).id].map(posted).join("");
    expect(elsewhere + JSON.stringify([world.workspace.calls, fake.whispers(ben)])).not.toContain(canary);
    expect(await world.dump()).not.toContain(canary);
  });
});
