/** Who may use Parley on Discord: allow lists of guilds, channels, roles and users. */

/** Ids. An empty list allows everybody. */
export interface AllowLists {
  readonly guilds: readonly string[];
  readonly channels: readonly string[];
  readonly roles: readonly string[];
  readonly users: readonly string[];
}

export interface Asker {
  readonly user: string;
  /** In the guild; none in a direct message. */
  readonly roles: readonly string[];
  /** Null: a direct message. */
  readonly guild: string | null;
  /** The channel, and the one that a thread is in. */
  readonly channels: readonly string[];
}

const listed = (list: readonly string[], ids: readonly string[]): boolean =>
  list.length === 0 || ids.some((id) => list.includes(id));

/**
 * In a guild all of it must be allowed: the guild, the channel, and the person by name or by role.
 * Once there is any list, direct messages are for the users on theirs, as nothing else is known of a stranger there.
 */
export function isAllowed({ guilds, channels, roles, users }: AllowLists, asker: Asker): boolean {
  if (asker.guild === null) {
    const open = guilds.length + channels.length + roles.length + users.length === 0;
    return open || users.includes(asker.user);
  }
  const person =
    roles.length + users.length === 0 || users.includes(asker.user) || asker.roles.some((role) => roles.includes(role));
  return listed(guilds, [asker.guild]) && listed(channels, asker.channels) && person;
}
