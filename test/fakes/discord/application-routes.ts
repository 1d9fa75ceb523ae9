/** The application: itself, its gateway, its commands. */
import { invalid, refuse } from "./errors.ts";
import { ok, type Route } from "./routing.ts";
import type { FakeUser, State } from "./state.ts";

type Json = Record<string, unknown>;

export interface Registered extends Json {
  readonly id: string;
  readonly name: string;
  readonly type: number;
}

export interface ApplicationRouteOptions {
  readonly state: State;
  readonly bot: FakeUser;
  readonly gatewayUrl: () => string;
  readonly shards: number;
  /** By guild; those of the whole application under "". */
  readonly commands: Map<string, Registered[]>;
  /** The application's flags: which intents it has been granted. */
  readonly flags: () => number;
}

export function applicationRoutes({ state, bot, gatewayUrl, shards, commands, flags }: ApplicationRouteOptions): Route[] {
  const register = (scope: string, body: unknown): Registered[] => {
    const before = commands.get(scope) ?? [];
    const after = checkCommands(body).map((command): Registered => {
      const known = before.find(({ name, type }) => name === command["name"] && type === (command["type"] ?? 1));
      return {
        ...command,
        type: Number(command["type"] ?? 1),
        name: String(command["name"]),
        id: known?.id ?? state.id(),
        application_id: bot.id,
        version: state.id(),
        ...(scope === "" ? {} : { guild_id: scope }),
      };
    });
    commands.set(scope, after);
    return after;
  };
  const self = (id: string | undefined): void => {
    if (id !== bot.id) refuse(50001);
  };
  return [
    {
      name: "GET /gateway/bot",
      auth: "bot",
      answer: () =>
        ok({
          url: gatewayUrl(),
          shards,
          session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
        }),
    },
    { name: "GET /users/@me", auth: "bot", answer: () => ok(bot) },
    {
      name: "GET /users/@me/guilds",
      auth: "bot",
      answer: () => ok([...state.guilds.values()].filter(({ joined }) => joined).map(({ id, name }) => ({ id, name }))),
    },
    {
      name: "GET /applications/@me",
      auth: "bot",
      answer: () => ok({ id: bot.id, name: bot.username, flags: flags(), bot }),
    },
    {
      name: "GET /guilds/:guild",
      auth: "bot",
      answer({ params }) {
        const guild = state.guilds.get(params["guild"] ?? "");
        if (guild === undefined || !guild.joined) return refuse(10004);
        return ok({ id: guild.id, name: guild.name, roles: guild.roles, premium_tier: guild.tier });
      },
    },
    {
      name: "GET /guilds/:guild/members/:user",
      auth: "bot",
      answer({ params }) {
        const user = state.users.get(params["user"] ?? "");
        const member = state.guilds.get(params["guild"] ?? "")?.members.get(user?.id ?? "");
        return user === undefined || member === undefined ? refuse(10007) : ok({ user, ...member });
      },
    },
    {
      name: "GET /applications/:application/commands",
      auth: "bot",
      answer({ params }) {
        self(params["application"]);
        return ok(commands.get("") ?? []);
      },
    },
    {
      name: "PUT /applications/:application/commands",
      auth: "bot",
      answer({ params, body }) {
        self(params["application"]);
        return ok(register("", body));
      },
    },
    {
      name: "GET /applications/:application/guilds/:guild/commands",
      auth: "bot",
      answer({ params }) {
        self(params["application"]);
        if (state.guilds.get(params["guild"] ?? "")?.joined !== true) refuse(50001);
        return ok(commands.get(params["guild"] ?? "") ?? []);
      },
    },
    {
      name: "PUT /applications/:application/guilds/:guild/commands",
      auth: "bot",
      answer({ params, body }) {
        self(params["application"]);
        if (state.guilds.get(params["guild"] ?? "")?.joined !== true) refuse(50001);
        return ok(register(params["guild"] ?? "", body));
      },
    },
  ];
}

/** Names of chat input commands and options. */
const commandName = /^[-_'\p{L}\p{N}]{1,32}$/u;

function checkCommands(body: unknown): Json[] {
  if (!Array.isArray(body)) return invalid("", "BASE_TYPE_LIST", "Could not interpret as list.");
  const count = (type: number): number => body.filter((command: Json) => (command["type"] ?? 1) === type).length;
  if (count(1) > 100 || count(2) > 15 || count(3) > 15) invalid("", "APPLICATION_COMMANDS_TOO_MANY", "Too many commands.");
  const names = new Set<string>();
  for (const [at, command] of (body as Json[]).entries()) {
    const { name, description, options = [], type = 1 } = command;
    const key = `${String(type)}:${String(name)}`;
    if (names.has(key)) invalid(`${at}.name`, "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique");
    names.add(key);
    if (
      typeof name !== "string" ||
      name.length < 1 ||
      name.length > 32 ||
      (type === 1 && (!commandName.test(name) || name !== name.toLowerCase()))
    )
      invalid(`${at}.name`, "STRING_TYPE_REGEX", "String value did not match validation regex.");
    if (type === 1) checkText(`${at}.description`, description, 100);
    else if (description !== undefined && description !== "")
      invalid(
        `${at}.description`,
        "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_NOT_ALLOWED",
        "Context menu commands cannot have description",
      );
    checkOptions(`${at}.options`, options);
    if (JSON.stringify([name, description, options]).length > 8000)
      invalid(`${at}`, "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)");
  }
  return body as Json[];
}

function checkText(field: string, text: unknown, most: number): void {
  if (typeof text !== "string" || text.length < 1 || text.length > most)
    invalid(field, "BASE_TYPE_BAD_LENGTH", `Must be between 1 and ${most} in length.`);
}

function checkOptions(field: string, options: unknown): void {
  if (!Array.isArray(options) || options.length > 25)
    return invalid(field, "BASE_TYPE_BAD_LENGTH", "Must be 25 or fewer in length.");
  let optional = false;
  for (const [at, option] of (options as Json[]).entries()) {
    const { name, description, choices, autocomplete, required, type } = option;
    if (typeof name !== "string" || !commandName.test(name))
      invalid(`${field}.${at}.name`, "STRING_TYPE_REGEX", "String value did not match validation regex.");
    checkText(`${field}.${at}.description`, description, 100);
    if (typeof type !== "number") invalid(`${field}.${at}.type`, "BASE_TYPE_REQUIRED", "This field is required");
    if (Array.isArray(choices) && choices.length > 0 && autocomplete === true)
      invalid(
        `${field}.${at}.autocomplete`,
        "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES",
        "Cannot have choices with autocomplete",
      );
    if (Array.isArray(choices) && choices.length > 25)
      invalid(`${field}.${at}.choices`, "BASE_TYPE_BAD_LENGTH", "Must be 25 or fewer in length.");
    if (required === true && optional)
      invalid(
        `${field}.${at}`,
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
        "Required options must be placed before non-required options",
      );
    optional ||= required !== true;
  }
}
