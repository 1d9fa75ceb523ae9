/** What people see of a message in Slack. */
import type { FakeMessage } from "./state.ts";

/** What people read of a message: its text, blocks and files, one after the other. */
export const shownOf = (message: Pick<FakeMessage, "text" | "blocks" | "stream">): string => {
  const words: string[] = [];
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        if (name === "text" && typeof inner === "string") words.push(inner);
        else walk(inner);
      }
  };
  walk(message.blocks);
  if (message.stream !== undefined) return [message.text, ...words].join("\n");
  return message.blocks === undefined ? message.text : words.join("\n");
};
