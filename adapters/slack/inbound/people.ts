/** What Slack says of people, channels and groups, remembered for an hour. */
import type { Clock } from "../../../src/clock.ts";
import { WriteFault } from "../../../src/errors.ts";
import { isPayload, objectIn, objectsIn, textIn, type Payload } from "../payload.ts";
import type { SlackWeb } from "../outbound/web.ts";

export interface Profile {
  readonly name: string;
  /** Where they are at home. */
  readonly team: string;
  readonly guest: boolean;
  readonly stranger: boolean;
}

export interface People {
  /** Undefined for somebody whom Slack does not show Parley. Throws when Slack cannot be asked for now. */
  profile(user: string, signal: AbortSignal): Promise<Profile | undefined>;
  channelName(channel: string, signal: AbortSignal): Promise<string | undefined>;
  /** Who reads a channel, beside everybody of the workspace; undefined where everybody may, or Slack does not show the channel. */
  readers(channel: string, signal: AbortSignal): Promise<"members" | "others" | undefined>;
  /** Those of `groups` that a person is in. */
  groupsOf(user: string, groups: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  groupName(group: string, signal: AbortSignal): Promise<string | undefined>;
}

const keptMs = 60 * 60_000;
/** What decides who is answered is known for this long only, in ms. */
const decidingMs = 5 * 60_000;
const mostKept = 5_000;

/** True when Slack answered, with a no that stays: asking again changes nothing. */
export const isAnswer = (thrown: unknown): boolean =>
  thrown instanceof WriteFault && thrown.message.startsWith("Slack refused") && thrown.outcome !== "unknown";

export function createPeople(web: SlackWeb, clock: Clock): People {
  const kept = <T>(load: (id: string, signal: AbortSignal) => Promise<T>, ms = keptMs) => {
    const known = new Map<string, { readonly value: T | undefined; readonly until: number }>();
    return async (id: string, signal: AbortSignal): Promise<T | undefined> => {
      const found = known.get(id);
      if (found !== undefined && found.until > clock.now()) return found.value;
      let value: T | undefined;
      try {
        value = await load(id, signal);
      } catch (thrown) {
        if (!isAnswer(thrown)) throw thrown;
      }
      known.delete(id);
      known.set(id, { value, until: clock.now() + ms });
      const oldest = known.size > mostKept ? known.keys().next().value : undefined;
      if (oldest !== undefined) known.delete(oldest);
      return value;
    };
  };
  const groups = kept(async (_all, signal) => {
    const answer: Payload = await web.call("usergroups.list", {}, signal);
    return new Map(objectsIn(answer, "usergroups").map((group) => [textIn(group, "id"), `@${textIn(group, "handle")}`]));
  });
  const channels = kept(async (channel, signal) => {
    const { channel: found } = await web.call("conversations.info", { channel }, signal);
    return isPayload(found) ? found : undefined;
  }, decidingMs);
  const members = kept(async (usergroup, signal) => {
    const { users } = await web.call("usergroups.users.list", { usergroup }, signal);
    return new Set(Array.isArray(users) ? users : []);
  }, decidingMs);
  return {
    profile: kept(async (user, signal) => profileOf(objectIn(await web.call("users.info", { user }, signal), "user"))),
    async channelName(channel, signal) {
      const found = await channels(channel, signal);
      return found === undefined ? undefined : `#${textIn(found, "name")}`;
    },
    async readers(channel, signal) {
      const found = await channels(channel, signal);
      if (found?.["is_ext_shared"] === true || found?.["is_pending_ext_shared"] === true) return "others";
      return found?.["is_private"] === true || found?.["is_mpim"] === true ? "members" : undefined;
    },
    async groupsOf(user, groups, signal) {
      const found = await Promise.all(groups.map(async (group) => (await members(group, signal))?.has(user) === true));
      return groups.filter((_, at) => found[at]);
    },
    groupName: async (group, signal) => (await groups("all", signal))?.get(group),
  };
}

function profileOf(user: Payload): Profile {
  const profile = objectIn(user, "profile");
  return {
    name: textIn(profile, "display_name") || textIn(profile, "real_name") || textIn(user, "real_name") || textIn(user, "name"),
    team: textIn(user, "team_id"),
    guest: user["is_restricted"] === true || user["is_ultra_restricted"] === true,
    stranger: user["is_stranger"] === true,
  };
}
