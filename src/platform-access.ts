/** Who may do what on each platform, as the configuration says. */
import type { DiscordConfig, SlackConfig } from "./config.ts";
import { openAccess, type AccessRules } from "./core/access.ts";

/** Who may use Parley in Slack: its members, but no guests and nobody from elsewhere, unless the configuration says otherwise. */
export const slackAccess = (slack: SlackConfig | null, contact: AccessRules["contact"]): AccessRules => ({
  channels: slack?.channels ?? null,
  users: slack?.users ?? null,
  externals: slack?.guests === true,
  operators: slack?.operators ?? [],
  settings: slack?.settings ?? "members",
  contact,
});

/** Who may do what in Discord; the adapter itself judges who is answered, as servers and roles are Discord's alone. */
export const discordAccess = (discord: DiscordConfig | null): AccessRules => ({
  ...openAccess,
  operators: discord?.operators ?? [],
  settings: discord?.settings ?? "members",
  contact: () => Promise.resolve("whoever runs Parley here"),
});
