/** What is written down of each deed, for whoever answers for Parley: who, where, what kind, with whose key, how it ended. Never content. */
import type { Inbound, Person } from "./inbound.ts";
import type { Place } from "./place.ts";

/**
 * What has no field here cannot get into the audit log: there is none for words, names or file names.
 * Numbers are the only free values.
 */
export interface AuditEntry {
  /** The platform's id of the person; null where nobody asked, as when Parley was removed. */
  readonly person: string | null;
  readonly place: Place;
  /** The place is a direct message: it tells who the person is, too. */
  readonly direct: boolean;
  /** `message`, a command's name as `/forget`, a button's as `button stop`, or a deed of Parley's own: `link`, `purge`. */
  readonly kind: string;
  /** Whose key: `shared`, or a link's id; null where no key was at work. */
  readonly account: string | null;
  readonly outcome: string;
  /** The turn, under which log lines have it. */
  readonly turn: string | null;
  /** The workspace's own reference of a request that failed. */
  readonly correlation: string | null;
  /** How many of what: `{ turns: 3 }`. */
  readonly counts?: Readonly<Record<string, number>>;
}

export interface Audit {
  /** Keeps the entry. One of the same turn and kind is replaced, as a turn may be ended twice after a crash. Throws when it cannot be kept. */
  record(entry: AuditEntry): Promise<void>;
}

/** A word that only Parley's own tables have: never what somebody typed. */
const plainWord = /^[a-z][a-z_-]{0,31}$/;

/** The kind of a deed. A command that Parley does not know is not named, as its name may be anything that was typed. */
export function kindOf(inbound: Inbound, knows: (command: string) => boolean): string {
  if (inbound.kind === "command") {
    const name = inbound.name.toLowerCase();
    return knows(name) ? `/${name}` : "command";
  }
  if (inbound.kind === "action") return plainWord.test(inbound.action) ? `button ${inbound.action}` : "button";
  return inbound.kind === "notice" ? inbound.notice : inbound.kind;
}

/** Who and where, of an entry. */
export const auditedOf = ({ author, place, direct }: { author: Person; place: Place; direct?: boolean }) => ({
  person: author.id,
  place,
  direct: direct === true,
});
