/** Slack's part of the configuration. */
import { chatVariables, sharedKeyVariable, type ChatConfig } from "./chat.ts";
import type { Reader, VariableInfo } from "./reader.ts";

export interface SlackConfig extends ChatConfig {
  readonly botToken: string;
  readonly transport: { readonly appToken: string } | { readonly signingSecret: string };
  /** Ends in a slash. */
  readonly apiUrl: string;
  readonly streaming: "auto" | "edit" | "native";
  /** Null: all. */
  readonly channels: readonly string[] | null;
  readonly users: readonly string[] | null;
  /** Other workspaces whose people are answered as if they were of Parley's own. */
  readonly workspaces: readonly string[];
  /** User groups whose people are answered, beside `users`. */
  readonly groups: readonly string[] | null;
  /** Who and what is never answered, whatever else is set. */
  readonly deny: Readonly<Record<"tenants" | "channels" | "groups" | "users", readonly string[]>>;
  /** Slack Connect channels that are answered in all the same. */
  readonly externalChannels: readonly string[];
  readonly guests: boolean;
}

export const slackVariables: readonly VariableInfo[] = [
  { name: "SLACK_BOT_TOKEN", fallback: "none", help: "bot token, xoxb-…: turns Slack on", secret: true },
  { name: "SLACK_APP_TOKEN", fallback: "none", help: "app token, xapp-…: Slack by Socket Mode", secret: true },
  {
    name: "SLACK_SIGNING_SECRET",
    fallback: "none",
    help: "signing secret: Slack by HTTP at /slack/events, where there is no app token",
    secret: true,
  },
  { name: "SLACK_API_URL", fallback: "https://slack.com/api/", help: "root of Slack's Web API" },
  { name: "SLACK_STREAMING", fallback: "auto", help: "how answers grow in Slack: auto, edit, native" },
  ...chatVariables("Slack"),
  { name: "SLACK_CHANNELS", fallback: "all", help: "channel ids that Parley answers in" },
  { name: "SLACK_USERS", fallback: "all members", help: "user ids that Parley answers; guests count when they are named" },
  { name: "SLACK_GROUPS", fallback: "all members", help: "ids of the user groups whose people Parley answers" },
  { name: "SLACK_DENY_CHANNELS", fallback: "none", help: "channel ids that Parley never answers in" },
  { name: "SLACK_DENY_USERS", fallback: "none", help: "user ids that Parley never answers" },
  { name: "SLACK_DENY_GROUPS", fallback: "none", help: "ids of the user groups whose people Parley never answers" },
  { name: "SLACK_DENY_WORKSPACES", fallback: "none", help: "ids of workspaces whose people Parley never answers" },
  { name: "SLACK_EXTERNAL_CHANNELS", fallback: "none", help: "ids of Slack Connect channels that Parley answers in" },
  sharedKeyVariable("Slack"),
  { name: "SLACK_GUESTS", fallback: "0", help: "1 answers guests and people of other organisations too" },
  { name: "SLACK_WORKSPACES", fallback: "its own", help: "ids of other workspaces whose people are answered" },
];

/** Null without a bot token. */
export function readSlack({ text, expect, oneOf, flag, list, address }: Reader): SlackConfig | null {
  const ids = (name: string): readonly string[] | null => list(name, /^[A-Z0-9]{2,}$/, "ids of Slack");
  const botToken = text("SLACK_BOT_TOKEN");
  const appToken = text("SLACK_APP_TOKEN");
  const signingSecret = text("SLACK_SIGNING_SECRET");
  const apiUrl = address("SLACK_API_URL", "https://slack.com/api/");
  expect("SLACK_BOT_TOKEN", botToken === null || botToken.startsWith("xoxb-"), "a bot token, xoxb-…", "something else");
  expect("SLACK_APP_TOKEN", appToken === null || appToken.startsWith("xapp-"), "an app token, xapp-…", "something else");
  const way = appToken ?? signingSecret;
  expect("SLACK_BOT_TOKEN", botToken !== null || way === null, "a bot token beside the other variables of Slack", "nothing");
  expect(
    "SLACK_APP_TOKEN",
    botToken === null || way !== null,
    "an app token for Socket Mode, or SLACK_SIGNING_SECRET for HTTP, as SLACK_BOT_TOKEN is set",
    "neither",
  );
  const config = {
    apiUrl: apiUrl.endsWith("/") ? apiUrl : `${apiUrl}/`,
    streaming: oneOf("SLACK_STREAMING", ["auto", "edit", "native"], "auto"),
    followUps: oneOf("SLACK_FOLLOW_UPS", ["thread", "mention"], "thread"),
    catchUp: flag("SLACK_CATCH_UP", true),
    channels: ids("SLACK_CHANNELS"),
    users: ids("SLACK_USERS"),
    workspaces: ids("SLACK_WORKSPACES") ?? [],
    groups: ids("SLACK_GROUPS"),
    deny: {
      tenants: ids("SLACK_DENY_WORKSPACES") ?? [],
      channels: ids("SLACK_DENY_CHANNELS") ?? [],
      groups: ids("SLACK_DENY_GROUPS") ?? [],
      users: ids("SLACK_DENY_USERS") ?? [],
    },
    externalChannels: ids("SLACK_EXTERNAL_CHANNELS") ?? [],
    sharedKeyChannels: ids("SLACK_SHARED_KEY_CHANNELS") ?? [],
    guests: flag("SLACK_GUESTS", false),
    operators: ids("SLACK_OPERATORS") ?? [],
    settings: oneOf("SLACK_SETTINGS", ["members", "operators"], "members"),
  };
  if (botToken === null || way === null) return null;
  return { botToken, transport: appToken === null ? { signingSecret: way } : { appToken }, ...config };
}
