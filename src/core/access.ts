/** Who is answered, and who may do what. */
import type { Inbound, Person } from "./inbound.ts";
import type { FollowUpUse, PlaceRules, Where, Who } from "./permissions.ts";
import { refusal, type Refusal } from "./refusal.ts";

/** `ignore`: no turn at all, and nothing is told, as an answer would start two bots talking to each other. */
export type Judgement = "answer" | "ignore";

/** Bots, webhooks and Parley itself are never answered. */
export const judge = (inbound: Inbound): Judgement => (inbound.author.bot === true ? "ignore" : "answer");

/** Ids that are let in or kept out; what is denied counts first. */
interface IdLists {
  readonly tenants: readonly string[];
  readonly channels: readonly string[];
  readonly users: readonly string[];
  /** Roles or user groups. */
  readonly groups: readonly string[];
}

const noIds: IdLists = { tenants: [], channels: [], users: [], groups: [] };

/** Who may use Parley on a platform. Null lists let everybody in. */
export interface AccessRules {
  readonly channels: readonly string[] | null;
  readonly users: readonly string[] | null;
  /** Roles or user groups whose people are let in, beside `users`. */
  readonly groups: readonly string[] | null;
  readonly deny: IdLists;
  /** Guests and people of other organisations are let in. */
  readonly externals: boolean;
  /** Channels that people of other organisations read, too, and that Parley answers in all the same. */
  readonly externalChannels: readonly string[];
  /** Channels in which the shared key is used; null: wherever Parley answers. */
  readonly sharedKey: readonly string[] | null;
  /** Null: everybody is one, as where only the operator can be. */
  readonly operators: readonly string[] | null;
  readonly settings: "members" | "operators";
  /** Who else goes on with a conversation that somebody's own key began. */
  readonly threadFollowUps: FollowUpUse;
  /** Whom to ask, as it is told to those who are refused. */
  readonly contact: () => Promise<string>;
}

/** For a platform that only its operator reaches. */
export const openAccess: AccessRules = {
  channels: null,
  users: null,
  groups: null,
  deny: noIds,
  externals: true,
  externalChannels: [],
  sharedKey: null,
  operators: null,
  settings: "members",
  threadFollowUps: "everybody",
  contact: () => Promise.resolve("whoever runs Parley"),
};

/** Who asks, and where. */
export type Asked = Pick<Inbound, "place" | "author" | "direct" | "readers">;

export const isOperator = (author: Person, rules: AccessRules): boolean =>
  rules.operators === null || rules.operators.includes(author.id);

/** Named by id, or by a role or user group of theirs. */
const named = ({ id, groups = [] }: Person, users: readonly string[], roles: readonly string[]): boolean =>
  users.includes(id) || groups.some((group) => roles.includes(group));

/** People whom the configuration names are no strangers. */
const isStranger = (author: Person, rules: AccessRules): boolean =>
  author.external === true && !rules.externals && !named(author, rules.users ?? [], rules.groups ?? []);

export function whoIs(author: Person, rules: AccessRules, linked: boolean): Who {
  if (isOperator(author, rules)) return "operator";
  if (isStranger(author, rules)) return author.guest === true ? "guest" : "stranger";
  return linked ? "linked" : "member";
}

/** Where only the operator can be, nobody else reads along. */
export function whereIs({ place, direct, readers }: Asked, rules: AccessRules): Where {
  if (direct === true || rules.operators === null) return "direct";
  if (readers === "others" && !rules.externalChannels.includes(place.channel)) return "external";
  return readers === "members" ? "private" : "public";
}

/** What the place adds to the table of permissions. */
export const placeRules = ({ place }: Asked, rules: AccessRules): PlaceRules => ({
  shared: rules.sharedKey === null || rules.sharedKey.includes(place.channel),
  settings: rules.settings,
});

const denied = ({ place, author, direct }: Asked, { deny }: AccessRules): boolean =>
  deny.tenants.includes(place.tenant) ||
  (author.home !== undefined && deny.tenants.includes(author.home)) ||
  (direct !== true && deny.channels.includes(place.channel)) ||
  named(author, deny.users, deny.groups);

/** Why this person is not answered here at all; null when they are. Direct messages are no channel. */
export async function refuseAccess(asked: Asked, rules: AccessRules): Promise<{ readonly refusal: Refusal } | null> {
  const { place, author, direct } = asked;
  const no = async (why: string) => refusal("not_allowed", `${why} Ask ${await rules.contact()}.`);
  if (denied(asked, rules)) return no("Parley does not answer you here.");
  if (whereIs(asked, rules) === "external")
    return no("Parley does not answer in channels that people of other organisations read.");
  if (rules.operators?.includes(author.id) === true) return null;
  if (direct !== true && rules.channels !== null && !rules.channels.includes(place.channel))
    return no("Parley does not answer in this channel.");
  if (isStranger(author, rules)) return no("Parley does not answer guests and people of other organisations.");
  const listed = rules.users !== null || rules.groups !== null;
  if (listed && !named(author, rules.users ?? [], rules.groups ?? [])) return no("Parley does not answer you here.");
  return null;
}
