/** `/forget`: what Parley holds of the asker is deleted, once they have said so. */
import type { Command } from "./table.ts";

const many = (count: number): string => (count === 1 ? "1 conversation" : `${count} conversations`);
const holds =
  "This deletes what Parley holds of you: your messages to it with what belongs to them, your ratings, your linked account, and your settings. Answers that form for you are stopped.";

export const forget: Command = {
  name: "forget",
  help: "Delete what Parley holds of you",
  options: [],
  order: "now",
  deed: null,
  /** Without the key Parley could not delete conversations any more, so it is asked what becomes of them. */
  async run({ conversations }, { command, forgetting }) {
    const count = (await forgetting.begun(command.place.platform, command.author.id)).length;
    const begun = `${many(count)} in the workspace ${count === 1 ? "was" : "were"} begun here with your own account. Should ${count === 1 ? "it" : "they"} be deleted there, too? Nothing is deleted before you choose.`;
    const said = conversations === undefined ? {} : { conversations };
    return {
      propose: {
        deed: null,
        tell: count === 0 ? holds : `${holds}\n\n${begun}`,
        command: "forget",
        choices:
          count === 0
            ? // What a former try of the same yes has deleted is no longer counted.
              [{ label: "Forget me", options: said }]
            : [
                { label: "Forget me, keep them", options: { conversations: "keep" } },
                { label: "Forget me and delete them", options: { conversations: "delete" } },
              ],
        begun: null,
        run: () => Promise.resolve({ forget: conversations === "delete" ? "all" : "asker" }),
      },
    };
  },
};
