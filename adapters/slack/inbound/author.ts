/** Who said something, as far as the event tells; the rest is asked of Slack when the turn is run. */
import type { Person } from "../../../src/core/inbound.ts";
import { textIn, type Payload } from "../payload.ts";
import type { Identity } from "./address.ts";

/** Parley's own messages, as events tell of them too. */
export const isOwn = (message: Payload, self: Identity): boolean =>
  textIn(message, "bot_id") === self.bot || textIn(message, "user") === self.user || textIn(message, "app_id") === self.app;

export const isBot = (message: Payload): boolean => textIn(message, "bot_id") !== "" || message["subtype"] === "bot_message";

/** The name is the id until `complete`. */
export const authorOf = (message: Payload, self: Identity): Person => {
  const id = textIn(message, "user") || textIn(message, "bot_id");
  const home = textIn(message, "user_team") || textIn(message, "source_team") || self.team;
  return {
    id,
    name: id,
    ...(isBot(message) || isOwn(message, self) ? { bot: true } : {}),
    ...(home === self.team ? {} : { external: true }),
  };
};
