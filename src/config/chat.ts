/** What Slack and Discord are both told: which messages are taken, who looks after Parley, and where the shared key serves. */
import type { VariableInfo } from "./reader.ts";

export interface ChatConfig {
  readonly followUps: "thread" | "mention";
  readonly catchUp: boolean;
  /** Channels that the shared key may be used in, where it is not used in all. */
  readonly sharedKeyChannels: readonly string[];
  readonly operators: readonly string[];
  readonly settings: "members" | "operators";
}

type Chat = "Slack" | "Discord";

/** Of the variables that begin with the platform's name, those that mean the same on both. */
export const chatVariables = (chat: Chat): readonly VariableInfo[] => {
  const prefix = chat.toUpperCase();
  return [
    {
      name: `${prefix}_FOLLOW_UPS`,
      fallback: "thread",
      help: "messages of a thread that Parley takes part in: thread takes all, mention those that mention it",
    },
    { name: `${prefix}_CATCH_UP`, fallback: "1", help: `0 leaves what was missed in ${chat} while Parley was down` },
    {
      name: `${prefix}_OPERATORS`,
      fallback: "none",
      help: "user ids of those who look after Parley, and to whom the shared key is their own",
    },
    { name: `${prefix}_SETTINGS`, fallback: "members", help: `who may change settings in ${chat}: members, operators` },
  ];
};

export const sharedKeyVariable = (chat: Chat): VariableInfo => ({
  name: `${chat.toUpperCase()}_SHARED_KEY_CHANNELS`,
  fallback: "none",
  help: "channel ids of the shared key, with SHARED_KEY=listed",
});
