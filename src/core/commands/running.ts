/** Commands for what is running or has failed. */
import { placeKey } from "../place.ts";
import { refusal } from "../refusal.ts";
import type { Command } from "./table.ts";

export const stop: Command = {
  name: "stop",
  help: "Stop the answer that is forming here",
  options: [],
  order: "now",
  deed: null,
  async run(_options, { command, store }) {
    const [first] = await store.openIn(placeKey(command.place), 1);
    return first === undefined ? refusal("nothing_to_stop", "Nothing is running here.") : { stop: first };
  },
};

export const retry: Command = {
  name: "retry",
  help: "Try the last failed answer here again",
  options: [],
  order: "now",
  deed: null,
  async run(_options, { command, store }) {
    const newest = await store.newestOf(placeKey(command.place));
    const failed = newest?.outcome === "failed" || newest?.outcome === "unknown";
    return failed ? { retry: newest.key } : refusal("nothing_to_retry", "The last answer here did not fail, or is too long ago.");
  },
};
