/** Views, the agent surface, reactions, and who the app is. */
import { checkBlocks } from "../blocks.ts";
import { refuse } from "../errors.ts";
import { appId, botId, botUser, messageAt, team, writable, type Json, str } from "../state.ts";
import type { Args, Method, World } from "./method.ts";

const viewBytes = 250_000;

export function checkView(value: unknown): Json {
  const view = value as Json | undefined;
  if (view === undefined || !["modal", "home"].includes(str(view["type"]))) return refuse("invalid_arguments", "expected a view");
  if (JSON.stringify(view).length > viewBytes) refuse("view_too_large");
  checkBlocks(view["blocks"], "view");
  if (view["type"] === "modal") {
    const title = (view["title"] as Json | undefined)?.["text"];
    if (typeof title !== "string" || title.length > 24) refuse("invalid_arguments", "title must be 1 to 24 characters");
    const hasInput = (view["blocks"] as Json[]).some((block) => block["type"] === "input");
    if (hasInput && view["submit"] === undefined) refuse("invalid_arguments", "a modal with inputs needs submit");
  }
  if (str(view["private_metadata"] ?? "").length > 3_000) refuse("invalid_arguments", "private_metadata is too long");
  return view;
}

function open(args: Args, { state, ackMs }: World): Json {
  const trigger = state.triggers.get(str(args["trigger_id"]));
  if (trigger === undefined) return refuse("invalid_trigger_id");
  if (trigger.at < 0) return refuse("exchanged_trigger_id");
  if (state.now() - trigger.at > ackMs()) return refuse("expired_trigger_id");
  const view = checkView(args["view"]);
  state.triggers.set(str(args["trigger_id"]), { user: trigger.user, at: -1 });
  const id = state.nextId("V0VIEW");
  state.views.set(id, { id, user: trigger.user, view, type: "modal", open: true });
  return { view: { ...view, id, hash: "1.a" } };
}

const status =
  (key: (args: Args) => string, text: (args: Args) => string): Method =>
  (args, { state }) => {
    writable(state, args["channel_id"] ?? args["channel"]);
    state.statuses.set(key(args), text(args));
    return {};
  };

const threadKey = (args: Args): string => `${str(args["channel_id"])}:${str(args["thread_ts"])}`;

export const surfaces: Readonly<Record<string, Method>> = {
  "auth.test": () => ({
    url: "https://acme.slack.com/",
    team: "Acme",
    user: "parley",
    team_id: team,
    user_id: botUser,
    bot_id: botId,
    app_id: appId,
    is_enterprise_install: false,
  }),
  "apps.connections.open": (_args, { ticket }, host) => ({ url: ticket(host) }),
  "bots.info": () => ({ bot: { id: botId, app_id: appId, user_id: botUser, name: "Parley" } }),
  "team.info": () => ({ team: { id: team, name: "Acme", domain: "acme" } }),
  "views.open": open,
  "views.push": open,
  "views.update": (args, { state }) => {
    const known = state.views.get(str(args["view_id"]));
    if (known === undefined) return refuse("not_found");
    known.view = checkView(args["view"]);
    return { view: { ...known.view, id: known.id, hash: "2.a" } };
  },
  "views.publish": (args, { state }) => {
    const view = checkView(args["view"]);
    if (view["type"] !== "home") refuse("invalid_arguments", "expected a home view");
    const id = `home:${str(args["user_id"])}`;
    state.views.set(id, { id, user: str(args["user_id"]), view, type: "home", open: true });
    return { view: { ...view, id } };
  },
  "reactions.add": (args, { state }) => {
    if (messageAt(state, args["channel"], args["timestamp"]) === undefined) refuse("message_not_found");
    return {};
  },
  "reactions.remove": () => ({}),
  "assistant.threads.setStatus": status(threadKey, (args) => str(args["status"])),
  "assistant.threads.setTitle": status(
    (args) => `title:${threadKey(args)}`,
    (args) => (str(args["title"]).length > 200 ? refuse("invalid_arguments", "title is too long") : str(args["title"])),
  ),
  "assistant.threads.setSuggestedPrompts": status(
    (args) => `prompts:${threadKey(args)}`,
    (args) => {
      const prompts = args["prompts"];
      if (!Array.isArray(prompts) || prompts.length < 1 || prompts.length > 4)
        refuse("invalid_arguments", "expected 1 to 4 prompts");
      return JSON.stringify(prompts);
    },
  ),
  "agents.sessions.setStatus": status(
    (args) => `session:${str(args["channel_id"])}:${str(args["thread_ts"])}`,
    (args) =>
      ["active", "processing", "suspended", "closed"].includes(str(args["status"]))
        ? str(args["status"])
        : refuse("invalid_arguments"),
  ),
  "agents.sessions.rename": status(
    (args) => `session-title:${str(args["channel_id"])}:${str(args["thread_ts"])}`,
    (args) => (str(args["title"]).length > 200 ? refuse("invalid_arguments", "title is too long") : str(args["title"])),
  ),
};
