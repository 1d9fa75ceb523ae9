/** Parley's own tab in Slack, and what it suggests to whoever opens a conversation with it. */
import type { CommandInfo } from "../../../src/core/commands/types.ts";

const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });

/** @param user Parley's own user id, for its mention */
export function homeView(commands: readonly CommandInfo[], user: string): object {
  const lines = commands.map(({ name, help }) => `\`/parley ${name}\`  ${help}`);
  return {
    type: "home",
    blocks: [
      { type: "header", text: { type: "plain_text", text: "Parley" } },
      section(
        `Mention <@${user}> in a channel with a question: the answer forms in a thread, and you go on there without mentioning again.`,
      ),
      section("Here, in a direct message, every message is for Parley. Files that you share with a message are read with it."),
      { type: "divider" },
      section(lines.join("\n").slice(0, 3_000)),
    ],
  };
}

/** At most four, as Slack shows them. */
export const suggestedPrompts: readonly { readonly title: string; readonly message: string }[] = [
  { title: "What can you do?", message: "What can you help me with, and how do I use you in channels?" },
  { title: "Draft an update", message: "Help me write a short status update for my team. Ask me what you need to know." },
  { title: "Explain a file", message: "I will share a file. Tell me what it says and what I should look at." },
];
