/** Whom Parley is there for on Discord. */
import { describe, expect, it } from "vitest";
import { isAllowed as judged, type Asker, type IdLists } from "../../adapters/discord/access.ts";

const all: IdLists = { guilds: [], channels: [], roles: [], users: [] };
const isAllowed = (allow: IdLists, asker: Asker, deny = all): boolean => judged({ allow, deny }, asker);
const ann = { user: "ann", roles: ["crew"], guild: "team", channels: ["thread", "general"] };
const direct = { user: "ann", roles: [], guild: null, channels: ["dm"] };

describe("access on Discord", () => {
  it("is everybody's without any list", () => {
    expect(isAllowed(all, ann)).toBe(true);
    expect(isAllowed(all, direct)).toBe(true);
  });

  it("needs guild, channel and person to be allowed; a thread is allowed with its channel", () => {
    expect(isAllowed({ ...all, guilds: ["team"], channels: ["general"], roles: ["crew"] }, ann)).toBe(true);
    expect(isAllowed({ ...all, guilds: ["other"] }, ann)).toBe(false);
    expect(isAllowed({ ...all, channels: ["random"] }, ann)).toBe(false);
    expect(isAllowed({ ...all, roles: ["captains"] }, ann)).toBe(false);
    expect(isAllowed({ ...all, roles: ["captains"], users: ["ann"] }, ann)).toBe(true);
    expect(isAllowed({ ...all, users: ["ben"] }, ann)).toBe(false);
  });

  it("lets only listed users into direct messages once there is a list", () => {
    expect(isAllowed({ ...all, guilds: ["team"] }, direct)).toBe(false);
    expect(isAllowed({ ...all, guilds: ["team"], users: ["ann"] }, direct)).toBe(true);
  });

  it("is nobody's who is denied, whatever else lets them in", () => {
    const allow = { ...all, guilds: ["team"], users: ["ann"] };
    for (const deny of [{ users: ["ann"] }, { roles: ["crew"] }, { guilds: ["team"] }, { channels: ["general"] }])
      expect(isAllowed(allow, ann, { ...all, ...deny })).toBe(false);
    expect(isAllowed(allow, ann, { ...all, users: ["ben"], roles: ["captains"], guilds: ["other"], channels: ["random"] })).toBe(
      true,
    );
    // Nobody's roles are known there.
    expect(isAllowed(all, direct, { ...all, roles: ["captains"] })).toBe(false);
    expect(isAllowed(allow, direct, { ...all, roles: ["captains"] })).toBe(true);
  });
});
