/** Who is answered, and who may do what. */
import type { Inbound, Person } from "./inbound.ts";
import { refusal, type Refusal } from "./refusal.ts";

/** `ignore`: no turn at all, and nothing is told, as an answer would start two bots talking to each other. */
export type Judgement = "answer" | "ignore";

/** Bots, webhooks and Parley itself are never answered. */
export const judge = (inbound: Inbound): Judgement => (inbound.author.bot === true ? "ignore" : "answer");

/**
 * What a person needs to be, for what lists or opens things of the key's owner (`operator`),
 * and for what changes how a place is answered (`settings`).
 */
export type Permission = "operator" | "settings";

/** Who may use Parley on a platform. Null lists let everybody in. */
export interface AccessRules {
  readonly channels: readonly string[] | null;
  readonly users: readonly string[] | null;
  /** Guests and people of other organisations are let in. */
  readonly externals: boolean;
  /** Null: everybody is one, as where only the operator can be. */
  readonly operators: readonly string[] | null;
  readonly settings: "members" | "operators";
  /** Whom to ask, as it is told to those who are refused. */
  readonly contact: () => Promise<string>;
}

/** For a platform that only its operator reaches. */
export const openAccess: AccessRules = {
  channels: null,
  users: null,
  externals: true,
  operators: null,
  settings: "members",
  contact: () => Promise.resolve("whoever runs Parley"),
};

const lists = (allowed: readonly string[] | null, id: string): boolean => allowed === null || allowed.includes(id);

/** Why this person is not answered here; null when they are. Direct messages are no channel. */
export async function refuseAccess(inbound: Inbound, rules: AccessRules): Promise<{ readonly refusal: Refusal } | null> {
  const { place, author, direct } = inbound;
  const no = async (why: string) => refusal("not_allowed", `${why} Ask ${await rules.contact()}.`);
  if (rules.operators?.includes(author.id) === true) return null;
  if (direct !== true && !lists(rules.channels, place.channel)) return no("Parley does not answer in this channel.");
  if (!lists(rules.users, author.id)) return no("Parley does not answer you here.");
  if (author.external === true && !rules.externals && rules.users === null)
    return no("Parley does not answer guests and people of other organisations.");
  return null;
}

/** True when `person` may do what needs `permission`. */
export const mayDo = (person: Person, permission: Permission | undefined, rules: AccessRules): boolean =>
  permission === undefined ||
  (permission === "settings" && rules.settings === "members") ||
  rules.operators === null ||
  rules.operators.includes(person.id);
