/** Where the shared key may not be used, `SHARED_KEY=off` or another channel than the listed ones, nobody acts with it: in Slack. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorld, shownOf, type World } from "../slack/world.ts";
import { keys, openWire, probes, stated, statedKeys, statedWords, type Wire } from "./wire.ts";

const ids = { member: "U0ANN", linked: "U0BEN", operator: "U0OPAL" } as const;
const whos = ["member", "linked", "operator"] as const;
const wheres = ["public", "private", "direct"] as const;
const rooms = (who: keyof typeof ids) => ({ public: "C0GENERAL", private: "C0SECRET", direct: `D${ids[who].slice(1)}` });

describe.each([
  ["off", []],
  ["listed", ["C0GENERAL"]],
] as const)("SHARED_KEY=%s", (_use, sharedKey) => {
  let wire: Wire;
  let world: World;
  beforeAll(async () => {
    wire = await openWire();
    world = await openWorld("http", {
      access: { operators: ["U0OPAL"], sharedKey, contact: () => Promise.resolve("Opal") },
      commands: probes,
      shared: wire.connect(keys.team),
      connect: wire.connect,
      before({ state }) {
        state.users.set("U0OPAL", { id: "U0OPAL", name: "Opal", team: "T0ACME" });
        for (const who of whos) {
          for (const channel of ["C0GENERAL", "C0SECRET"]) state.channels.get(channel)?.members.add(ids[who]);
          const direct = { name: "", type: "im", members: new Set(["U0PARLEY", ids[who]]), archived: false } as const;
          state.channels.set(rooms(who).direct, { ...direct, id: rooms(who).direct, user: ids[who] });
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

  const cases = whos.flatMap((who) =>
    wheres.flatMap((where) => (["send", "media"] as const).map((deed) => [who, where, deed] as const)),
  );
  it.each(cases)("a %s, %s: %s", async (who, where, deed) => {
    const { state } = world.slack;
    const channel = rooms(who)[where];
    const before = { whispers: state.ephemerals.length, answers: state.responses.length, posts: state.messages.length };
    wire.look();
    await world.slack.person(ids[who]).slash(channel, `try${deed}`);
    const told = await world.until(
      () =>
        state.ephemerals.slice(before.whispers).map(shownOf)[0] ??
        state.responses.slice(before.answers).map(({ body }) => JSON.stringify(body))[0] ??
        state.messages
          .slice(before.posts)
          .filter((one) => one.channel === rooms(who).direct)
          .map(shownOf)[0],
    );
    const open = sharedKey.some((one) => one === channel);
    const cell = stated(who, where, deed);
    const expected = !cell.startsWith("team") || open ? cell : who === "member" ? "link" : "own";
    expect(told).toMatch(statedWords(expected, deed));
    expect(wire.look()).toEqual(statedKeys(expected));
    expect(state.messages.slice(before.posts).filter((one) => one.channel !== rooms(who).direct)).toEqual([]);
  });
});
