/** Whom Parley is there for on Discord. */
import { describe, expect, it } from "vitest";
import { isAllowed, type AllowLists } from "../../adapters/discord/access.ts";

const all: AllowLists = { guilds: [], channels: [], roles: [], users: [] };
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
});
