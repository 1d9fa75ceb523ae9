/** Every cell of the table of permissions, in Slack: what people are told, who sees it, and whose key the workspace saw. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deeds, wheres, whos, type Where, type Who } from "../../src/core/permissions.ts";
import { openWorld, shownOf, type World } from "../slack/world.ts";
import { asksFirst, keys, openWire, probes, question, stated, statedKeys, statedWords, type Wire } from "./wire.ts";

const ids: Readonly<Record<Who, string>> = {
  stranger: "U0OTHER",
  guest: "U0GUEST",
  member: "U0ANN",
  linked: "U0BEN",
  operator: "U0OPAL",
};
const channels = (who: Who): Readonly<Record<Where, string>> => ({
  public: "C0GENERAL",
  private: "C0SECRET",
  direct: `D${ids[who].slice(1)}`,
  external: "C0SHARED",
});

describe("in Slack", () => {
  let wire: Wire;
  let world: World;
  beforeAll(async () => {
    wire = await openWire();
    world = await openWorld("http", {
      access: { operators: ["U0OPAL"], contact: () => Promise.resolve("Opal") },
      commands: probes,
      shared: wire.connect(keys.team),
      connect: wire.connect,
      before({ state }) {
        state.users.set("U0OPAL", { id: "U0OPAL", name: "Opal", team: "T0ACME" });
        for (const who of whos) {
          for (const channel of ["C0GENERAL", "C0SECRET", "C0SHARED"]) state.channels.get(channel)?.members.add(ids[who]);
          const direct = { name: "", type: "im", members: new Set(["U0PARLEY", ids[who]]), archived: false } as const;
          state.channels.set(channels(who).direct, { ...direct, id: channels(who).direct, user: ids[who] });
        }
      },
    });
    for (const person of ["U0BEN", "U0OPAL"])
      await world.people.links.put({ platform: "slack", tenant: "T0ACME", person }, keys.own, 1);
  });
  afterAll(async () => {
    await world.close();
    await wire.close();
  });

  for (const who of whos) {
    it.each(wheres.flatMap((where) => deeds.map((deed) => [where, deed] as const)))(`a ${who}, %s: %s`, async (where, deed) => {
      const { state } = world.slack;
      const channel = channels(who)[where];
      const before = { whispers: state.ephemerals.length, answers: state.responses.length, posts: state.messages.length };
      wire.look();
      await world.slack.person(ids[who]).slash(channel, `try${deed}`);
      const cell = stated(who, where, deed);
      const agrees = async (): Promise<string> => {
        const asked = await world.until(() => state.ephemerals[before.whispers]);
        const first = `${asked.user}, ${wire.look().length} requests: ${shownOf(asked)}`;
        before.whispers++;
        await world.slack.person(ids[who]).clicksPrivately("parley_run-");
        return first;
      };
      expect(asksFirst(cell) ? await agrees() : question).toContain(
        asksFirst(cell) ? `${ids[who]}, 0 requests: ${question}` : question,
      );
      const told = await world.until(
        () =>
          state.ephemerals.slice(before.whispers).map((one) => ({ user: one.user, words: shownOf(one) }))[0] ??
          state.responses.slice(before.answers).map(({ body }) => ({ user: ids[who], words: JSON.stringify(body) }))[0] ??
          state.messages
            .slice(before.posts)
            .filter((one) => one.channel === channels(who).direct)
            .map((one) => ({ user: ids[who], words: shownOf(one) }))[0],
      );
      expect(told.words).toMatch(statedWords(cell, deed));
      expect(told.user).toBe(ids[who]);
      expect(wire.look()).toEqual(statedKeys(cell));
      expect(told.words).not.toMatch(/general|secret|shared-with|C0[A-Z]|-API-|S0TEAM/);
      // Nobody else sees any of it.
      expect(state.messages.slice(before.posts).filter((one) => one.channel !== channels(who).direct)).toEqual([]);
    });
  }
});
