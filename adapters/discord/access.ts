/** Who may use Parley on Discord: lists of guilds, channels, roles and users that are let in, and that are kept out. */

/** Ids. */
export interface IdLists {
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
 * Once there is any list but of denied users and channels, direct messages are for the users on theirs, as nothing else is known of a stranger there.
 */
/** An empty list of `allow` lets everybody in; what `deny` names counts first. */
export interface AccessLists {
  readonly allow: IdLists;
  readonly deny: IdLists;
}

const isDenied = (deny: IdLists, { user, roles, guild, channels }: Asker): boolean =>
  deny.users.includes(user) ||
  roles.some((role) => deny.roles.includes(role)) ||
  (guild !== null && (deny.guilds.includes(guild) || channels.some((channel) => deny.channels.includes(channel))));

/** True where roles have a say, so that Discord has to be asked for them. */
export const needsRoles = ({ allow, deny }: AccessLists): boolean => allow.roles.length + deny.roles.length > 0;

export function isAllowed({ allow, deny }: AccessLists, asker: Asker): boolean {
  if (isDenied(deny, asker)) return false;
  const { guilds, channels, roles, users } = allow;
  if (asker.guild === null) {
    const open = guilds.length + channels.length + roles.length + users.length + deny.guilds.length + deny.roles.length === 0;
    return open || users.includes(asker.user);
  }
  const person =
    roles.length + users.length === 0 || users.includes(asker.user) || asker.roles.some((role) => roles.includes(role));
  return listed(guilds, [asker.guild]) && listed(channels, asker.channels) && person;
}
