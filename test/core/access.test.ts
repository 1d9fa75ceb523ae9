import { describe, expect, it } from "vitest";
import { deeds, permitOf } from "../../src/core/permissions.ts";
import { openAccess, placeRules, refuseAccess, whereIs, whoIs, type AccessRules, type Asked } from "../../src/core/access.ts";

const none = { tenants: [], channels: [], users: [], groups: [] };
const team: AccessRules = { ...openAccess, externals: false, operators: ["U0OP"], contact: () => Promise.resolve("Olivia") };
const asked = (over: Partial<Asked> = {}): Asked => ({
  place: { platform: "slack", tenant: "T1", channel: "C1", thread: null },
  author: { id: "U1", name: "Ann", groups: ["S1"] },
  ...over,
});
const told = async (over: Partial<Asked>, rules: Partial<AccessRules>): Promise<string | null> =>
  (await refuseAccess(asked(over), { ...team, ...rules }))?.refusal.text ?? null;

describe("who is answered", () => {
  it("is everybody of the tenant, without any list", async () => {
    expect(await told({}, {})).toBeNull();
  });

  it("is nobody who is denied, by tenant, channel, group or id, even an operator or somebody who is allowed", async () => {
    const author = { id: "U0OP", name: "Olivia", groups: ["S1"], home: "T9" };
    for (const deny of [{ tenants: ["T1"] }, { tenants: ["T9"] }, { channels: ["C1"] }, { users: ["U0OP"] }, { groups: ["S1"] }])
      expect(await told({ author }, { deny: { ...none, ...deny }, users: ["U0OP"] })).toBe(
        "Parley does not answer you here. Ask Olivia.",
      );
    expect(await told({ direct: true }, { deny: { ...none, channels: ["C1"] } })).toBeNull();
  });

  it("is, with lists, who is on one of them: by id or by group", async () => {
    expect(await told({}, { users: ["U2"] })).toMatch(/does not answer you/);
    expect(await told({}, { users: ["U2"], groups: ["S1"] })).toBeNull();
    expect(await told({}, { groups: ["S2"] })).toMatch(/does not answer you/);
    expect(await told({}, { channels: ["C2"] })).toMatch(/in this channel/);
  });

  it("is no guest and nobody from elsewhere, unless they are let in or named", async () => {
    const guest = { author: { id: "U3", name: "Gil", external: true, guest: true } };
    expect(await told(guest, {})).toMatch(/guests/);
    expect(await told(guest, { users: ["U3"] })).toBeNull();
    expect(await told(guest, { externals: true })).toBeNull();
    expect(whoIs(guest.author, team, false)).toBe("guest");
    expect(whoIs({ ...guest.author, guest: false }, team, true)).toBe("stranger");
    expect(whoIs(guest.author, { ...team, externals: true }, false)).toBe("member");
  });

  it("is nobody in a channel that others read, operators neither, until the channel is named", async () => {
    const shared = { readers: "others" } as const;
    expect(await told(shared, {})).toMatch(/other organisations read/);
    expect(await told({ ...shared, author: { id: "U0OP", name: "Olivia" } }, {})).toMatch(/other organisations read/);
    expect(await told(shared, { externalChannels: ["C1"] })).toBeNull();
    expect(whereIs(asked(shared), { ...team, externalChannels: ["C1"] })).toBe("public");
  });

  it("tells nobody any list, id or channel", async () => {
    const rules = { channels: ["C7"], users: ["U7"], groups: ["S7"], deny: { ...none, users: ["U8"] } };
    for (const over of [{}, { readers: "others" as const }, { author: { id: "U8", name: "X", external: true } }])
      expect(await told(over, rules)).not.toMatch(/[CUST]\d/);
  });
});

describe("on the console, which only its operator reaches", () => {
  it.each(deeds)("%s is an operator's, alone with Parley, in every channel and for whoever writes", (deed) => {
    const rules = { shared: true, settings: "members" } as const;
    for (const over of [{}, { readers: "others" as const }, { author: { id: "you", name: "You", external: true } }]) {
      const at = asked(over);
      expect([whoIs(at.author, openAccess, false), whereIs(at, openAccess)]).toEqual(["operator", "direct"]);
      const permit = permitOf(whoIs(at.author, openAccess, true), deed, whereIs(at, openAccess), placeRules(at, openAccess));
      expect(permit).toEqual(permitOf("operator", deed, "direct", rules));
      expect(permit).toHaveProperty("account", "own");
    }
  });
});
