/** Who may do what on each platform, as the configuration says. */
import type { DiscordConfig } from "./config/discord.ts";
import type { SlackConfig } from "./config/slack.ts";
import type { WorkspaceConfig } from "./config/workspace.ts";
import { openAccess, type AccessRules } from "./core/access.ts";

type Uses = Pick<WorkspaceConfig, "sharedKey" | "threadFollowUps">;

/** Null: wherever Parley answers. */
const sharedKeyIn = (use: Uses["sharedKey"], listed: readonly string[]): readonly string[] | null =>
  use === "all" ? null : use === "listed" ? listed : [];

/** Who may use Parley in Slack: its members, but no guests and nobody from elsewhere, unless the configuration says otherwise. */
export const slackAccess = (slack: SlackConfig | null, uses: Uses, contact: AccessRules["contact"]): AccessRules => ({
  channels: slack?.channels ?? null,
  users: slack?.users ?? null,
  groups: slack?.groups ?? null,
  deny: slack?.deny ?? openAccess.deny,
  externals: slack?.guests === true,
  externalChannels: slack?.externalChannels ?? [],
  sharedKey: sharedKeyIn(uses.sharedKey, slack?.sharedKeyChannels ?? []),
  operators: slack?.operators ?? [],
  settings: slack?.settings ?? "members",
  threadFollowUps: uses.threadFollowUps,
  contact,
});

/** Who may do what in Discord; the adapter itself judges who is answered, as servers and roles are Discord's alone. */
export const discordAccess = (discord: DiscordConfig | null, uses: Uses): AccessRules => ({
  ...openAccess,
  externals: false,
  sharedKey: sharedKeyIn(uses.sharedKey, discord?.sharedKeyChannels ?? []),
  operators: discord?.operators ?? [],
  settings: discord?.settings ?? "members",
  threadFollowUps: uses.threadFollowUps,
  contact: () => Promise.resolve("whoever runs Parley here"),
});
