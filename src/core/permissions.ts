/** Who may do what where, and as whom: the one table. `docs/people.md` shows it, and a test holds the two together. */

/**
 * - `stranger`: of another organisation, or of a tenant that Parley does not serve;
 * - `guest`: a guest of the tenant;
 * - `member`: anybody else, and whoever of the two above the configuration lets in;
 * - `linked`: a member who has linked a workspace account;
 * - `operator`: named by the configuration; the shared key is theirs until they link another.
 */
export const whos = ["stranger", "guest", "member", "linked", "operator"] as const;
export type Who = (typeof whos)[number];

/**
 * - `send`: ask, and go on asking; `media`: have something made, for credits;
 * - `prompt`: run a saved prompt of one's own, for the place to read;
 * - `list`: see what an account has; `tool`: run one of its tools; `write`: change or delete something of it;
 * - `settings`: change how a place is answered; `admin`: look after Parley itself.
 */
export const deeds = ["send", "media", "prompt", "list", "tool", "write", "settings", "admin"] as const;
export type Deed = (typeof deeds)[number];

/** `external`: a channel that people of other organisations read, too. `direct`: nobody else reads it. */
export const wheres = ["public", "private", "direct", "external"] as const;
export type Where = (typeof wheres)[number];

/** Why not: `stranger`, `guest` and `external` are closed by default, `link_needed` asks for the person's own account. */
export type Denial = "stranger" | "guest" | "external" | "operators_only" | "link_needed";

export interface Permit {
  /** `own`: the asker's linked account; an operator's without a link is the shared one. */
  readonly account: "own" | "shared";
  /** Who sees the answer. */
  readonly audience: "place" | "asker";
  /** The asker is shown what would be done, and asked, before it is. */
  readonly confirm: boolean;
}

/** A cell: `team` is the shared account where the place lets it be used, else the asker's own. */
interface Cell {
  readonly account: "own" | "team";
  readonly audience: "place" | "asker";
  readonly confirm: boolean;
}

const toPlace = (account: Cell["account"]): Cell => ({ account, audience: "place", confirm: false });
const toAsker = (account: Cell["account"], confirm = false): Cell => ({ account, audience: "asker", confirm });
type Row = Readonly<Record<Deed, Cell | Denial>>;
const row = (...cells: readonly [...ReadonlyArray<Cell | Denial>]): Row =>
  Object.fromEntries(deeds.map((deed, at) => [deed, cells[at] ?? "operators_only"])) as Row;
const closed = (denial: Denial): Row => row(...deeds.map(() => denial));

const own = toAsker("own");
const ask = toAsker("own", true);
const team = toPlace("team");
const choose = toAsker("team");

/**
 * In channels a new conversation is the team's, so that everybody there goes on with it alike and nobody's own account
 * is spent by others. In direct messages a linked person is on their own, so their own account answers.
 */
const table: Readonly<Record<Who, Readonly<Record<Where, Row>>>> = (() => {
  const same = (inside: Row, direct = inside): Readonly<Record<Where, Row>> => ({
    public: inside,
    private: inside,
    direct,
    external: closed("external"),
  });
  const mine = toPlace("own");
  const none = "link_needed";
  //                 send  media prompt list  tool  write settings admin
  const member = row(team, team, none, none, none, none, choose, "operators_only");
  const linked = row(team, team, mine, own, own, ask, choose, "operators_only");
  const alone = row(mine, mine, mine, own, own, ask, own, "operators_only");
  return {
    stranger: { ...same(closed("stranger")), external: closed("stranger") },
    guest: { ...same(closed("guest")), external: closed("guest") },
    member: same(member),
    linked: same(linked, alone),
    operator: same({ ...linked, admin: own }, { ...alone, admin: own }),
  };
})();

/** What the place adds to the table. */
export interface PlaceRules {
  /** The shared key may be used there. */
  readonly shared: boolean;
  /** Who may change how a place is answered. */
  readonly settings: "members" | "operators";
}

/** What `who` gets, in a place that is `where`. */
export function permitOf(who: Who, deed: Deed, where: Where, rules: PlaceRules): Permit | Denial {
  const cell = table[who][where][deed];
  if (typeof cell === "string") return cell;
  if (deed === "settings" && rules.settings === "operators" && who !== "operator") return "operators_only";
  const account = cell.account === "team" && rules.shared ? "shared" : "own";
  if (account === "own" && who === "member") return "link_needed";
  return { ...cell, account };
}

/** What may be done with a conversation, by whose account began it. */
export const threadDeeds = ["follow_up", "files", "settings", "delete"] as const;
export type ThreadDeed = (typeof threadDeeds)[number];
/** `colleague_drawn`: a colleague's, whose answers may say again what only its account may see. */
export type ThreadOwner = "team" | "asker" | "colleague" | "colleague_drawn";

/** Who else goes on with a conversation that somebody's own key began: everybody of the place, or its owner alone. */
export type FollowUpUse = "everybody" | "owner";

const whole = { follow_up: true, files: true, settings: true, delete: true } as const;
const threadTable: Readonly<Record<ThreadOwner, Readonly<Record<ThreadDeed, boolean>>>> = {
  team: whole,
  asker: whole,
  colleague: { follow_up: true, files: false, settings: false, delete: false },
  colleague_drawn: { follow_up: false, files: false, settings: false, delete: false },
};

export const mayInThread = (owner: ThreadOwner, deed: ThreadDeed, followUps: FollowUpUse): boolean =>
  threadTable[owner][deed] && (owner !== "colleague" || followUps === "everybody");
