/** The tables of `docs/people.md`, as the code has them. */
import {
  deeds,
  mayInThread,
  permitOf,
  threadDeeds,
  wheres,
  whos,
  type Deed,
  type FollowUpUse,
  type ThreadOwner,
  type Where,
  type Who,
} from "../src/core/permissions.ts";

const shared = { shared: true, settings: "members" } as const;

function cell(who: Who, deed: Deed, where: Where): string {
  const permit = permitOf(who, deed, where, shared);
  if (typeof permit === "string") return permit === "link_needed" ? "link" : "no";
  const account = permit.account === "shared" ? "team" : "own";
  return [account, permit.confirm ? "asked" : "", permit.audience === "asker" ? "private" : ""].filter(Boolean).join(", ");
}

export const peopleRows = (): string[][] =>
  whos.flatMap((who) => wheres.map((where) => [who, where, ...deeds.map((deed) => cell(who, deed, where))]));

const threadsOf: ReadonlyArray<readonly [ThreadOwner, FollowUpUse, string]> = [
  ["team", "everybody", "the team's account"],
  ["asker", "everybody", "the asker's own account"],
  ["colleague", "everybody", "a colleague's own account"],
  ["colleague_drawn", "everybody", "a colleague's own account, once an answer drew on what is theirs"],
  ["colleague", "owner", "a colleague's own account, THREAD_FOLLOW_UPS=owner"],
];
export const threadRows = (): string[][] =>
  threadsOf.map(([owner, followUps, name]) => [
    name,
    ...threadDeeds.map((deed) => (mayInThread(owner, deed, followUps) ? "yes" : "no")),
  ]);
