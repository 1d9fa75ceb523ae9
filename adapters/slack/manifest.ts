/** Parley's registration with Slack: made from the command table and from what the adapter listens to and calls. */
import type { CommandInfo } from "../../src/core/commands/types.ts";
import { askAboutCallback, askAnywhereCallback, menuCallback, summariseCallback } from "./commands/callbacks.ts";
import { suggestedPrompts } from "./commands/home.ts";

/** What Parley may do, each with the reason. */
export const slackScopes: Readonly<Record<string, string>> = {
  "app_mentions:read": "hear when somebody mentions it",
  "assistant:write": "suggest prompts to whoever opens a conversation with it",
  "channels:history":
    "read messages of public channels that it is in: follow-ups, edits, and the thread that a mention stands in",
  "channels:read": "name channels that a message mentions, and find what was missed",
  "chat:write": "post, edit and stream its answers",
  commands: "`/parley` and the shortcuts",
  "files:read": "read files that are shared with a message for it",
  "files:write": "post answers that are too long for messages as files",
  "groups:history": "the same in private channels that it is in",
  "groups:read": "the same in private channels that it is in",
  "im:history": "read its direct messages",
  "im:read": "find direct messages that were missed",
  "mpim:history": "the same in group messages that it is in",
  "mpim:read": "the same in group messages that it is in",
  "usergroups:read": "name groups that a message mentions, and let their people in or keep them out",
  "users:read": "name people, and tell members from guests",
};

/** What Parley listens to. */
export const slackEvents: readonly string[] = [
  "agent_session_stopped",
  "app_home_opened",
  "app_mention",
  "app_uninstalled",
  "member_joined_channel",
  "message.channels",
  "message.groups",
  "message.im",
  "message.mpim",
  "tokens_revoked",
];

const shortcuts = [
  { name: "Ask Parley", type: "message", callback_id: askAboutCallback, description: "Ask something about this message" },
  { name: "Summarise thread", type: "message", callback_id: summariseCallback, description: "Sum this thread up in it" },
  { name: "Ask Parley", type: "global", callback_id: askAnywhereCallback, description: "Ask a question in a channel" },
];

/**
 * The manifest, as Slack takes it in.
 * @param address where Slack reaches `/slack/events`; null for Socket Mode
 */
export function slackManifest(commands: readonly CommandInfo[], address: string | null): object {
  const url = address === null ? {} : { request_url: address };
  const names = commands.map(({ name }) => name).join(" | ");
  return {
    _metadata: { major_version: 2, minor_version: 0 },
    display_information: {
      name: "Parley",
      description: "Your team's AI workspace, where the team already talks.",
      background_color: "#1f3a5f",
    },
    features: {
      app_home: { home_tab_enabled: true, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
      bot_user: { display_name: "Parley", always_online: true },
      slash_commands: [
        {
          command: "/parley",
          description: "Ask the workspace, or choose how it answers here",
          usage_hint: `a question, or ${names}`,
          should_escape: false,
          ...(address === null ? {} : { url: address }),
        },
      ],
      shortcuts: [
        ...shortcuts.map((shortcut) => ({ ...shortcut })),
        ...commands.flatMap(({ name: command, menu }) =>
          menu === undefined
            ? []
            : [{ name: menu.label, type: "message", callback_id: menuCallback(command), description: menu.help }],
        ),
      ],
      agent_view: {
        agent_description: "Answers questions with your team's AI workspace: its models, agents, files and projects.",
        suggested_prompts: suggestedPrompts.map((prompt) => ({ ...prompt })),
      },
    },
    oauth_config: { scopes: { bot: Object.keys(slackScopes) } },
    settings: {
      event_subscriptions: { ...url, bot_events: [...slackEvents] },
      interactivity: { is_enabled: true, ...url, ...(address === null ? {} : { message_menu_options_url: address }) },
      org_deploy_enabled: false,
      socket_mode_enabled: address === null,
      token_rotation_enabled: false,
    },
  };
}
