/** Slash commands, buttons and the shortcut that needs no question: what of them is a turn. */
import { takenFiles, type CommandInfo } from "../../../src/core/commands/types.ts";
import type { Inbound, InboundCommand } from "../../../src/core/inbound.ts";
import { menuCallback, summariseCallback } from "../commands/callbacks.ts";
import { formButton, readActionValue } from "../outbound/actions.ts";
import { objectIn, objectsIn, textIn, timeOf, type Payload } from "../payload.ts";
import { inboundFiles } from "./files.ts";
import { isDirect, keyOf, placeOf, type Identity } from "./address.ts";

/** A slash command, taken apart. */
export interface Slash {
  readonly name: string;
  readonly text: string;
}

/** What stands behind `/parley`: a command's name and its text, else a question. */
export function readSlash(text: string, commands: readonly CommandInfo[]): Slash {
  const [, word = "", rest = ""] = /^\/?(\S*)\s*([^]*)$/.exec(text.trim()) ?? [];
  const known = commands.find(({ name }) => name === word.toLowerCase());
  return known === undefined ? { name: "ask", text: text.trim() } : { name: known.name, text: rest };
}

/** True when the command's options are asked for first: it cannot be run without, or takes a file, which a slash command has not. */
const lacksOptions = ({ name, text }: Slash, commands: readonly CommandInfo[]): boolean =>
  text === "" &&
  commands.some((command) => command.name === name && command.options.some(({ required, type }) => required || type === "file"));

/** True when a form is opened in the place of the command. */
const opensForm = ({ name, text }: Slash, commands: readonly CommandInfo[]): boolean =>
  text === "" && commands.some((command) => command.name === name && command.opensForm === true);

/** What was chosen in the menu of a message. */
export interface Chosen {
  readonly command: InboundCommand;
  /** A form is opened in the place of the command. */
  readonly opensForm: boolean;
}

export interface InteractionReading {
  readonly self: Identity;
  readonly commands: readonly CommandInfo[];
  readonly now: () => number;
}

const summarise = "Summarise this thread: what it is about, what was decided, what is open, and who does what next.";

/** @returns `read`: null for what opens a modal, answers one, or is not Parley's: Bolt's listeners deal with these */
export function createInteractionReading({ self, commands, now }: InteractionReading) {
  const direct = (channel: string): { direct?: true } => (isDirect(channel) ? { direct: true } : {});

  const slash = (body: Payload): Inbound | null => {
    const read = readSlash(textIn(body, "text"), commands);
    if (lacksOptions(read, commands) || opensForm(read, commands)) return null;
    return command(body, read);
  };

  const command = (body: Payload, read: Slash): Inbound => {
    const channel = textIn(body, "channel_id");
    return {
      kind: "command",
      key: keyOf(self.team, channel, textIn(body, "trigger_id"), "command"),
      place: placeOf(self.team, channel, null),
      author: { id: textIn(body, "user_id"), name: textIn(body, "user_name") },
      at: now(),
      name: read.name,
      options: {},
      text: read.text,
      files: [],
      ...direct(channel),
    };
  };

  const click = (body: Payload): Inbound | null => {
    const [action = {}] = objectsIn(body, "actions");
    const read = readActionValue(textIn(action, "value"));
    const container = objectIn(body, "container");
    const channel = textIn(container, "channel_id") || textIn(objectIn(body, "channel"), "id");
    if (read === undefined || channel === "" || textIn(action, "action_id").startsWith(formButton)) return null;
    const message = textIn(container, "message_ts");
    const thread = textIn(container, "thread_ts") || textIn(objectIn(body, "message"), "thread_ts");
    const user = textIn(objectIn(body, "user"), "id");
    return {
      kind: "action",
      key: keyOf(self.team, channel, `${message}:${textIn(action, "action_ts")}`, "action"),
      place: placeOf(self.team, channel, thread === "" ? null : thread),
      author: { id: user, name: user },
      at: timeOf(textIn(action, "action_ts")),
      ...read,
      ...direct(channel),
    };
  };

  /** A menu's command about a message's files, as it was chosen. Undefined: it is another shortcut. */
  const chosen = (body: Payload): Chosen | undefined => {
    const info = commands.find(({ name, menu }) => menu !== undefined && body["callback_id"] === menuCallback(name));
    const channel = textIn(objectIn(body, "channel"), "id");
    const message = objectIn(body, "message");
    if (info?.menu === undefined || channel === "") return undefined;
    const thread = textIn(message, "thread_ts") || (isDirect(channel) ? null : textIn(body, "message_ts"));
    const user = textIn(objectIn(body, "user"), "id");
    const files = takenFiles(info.menu, inboundFiles(message));
    const command: InboundCommand = {
      kind: "command",
      key: keyOf(self.team, channel, textIn(body, "action_ts"), "menu"),
      place: placeOf(self.team, channel, thread),
      author: { id: user, name: user },
      at: timeOf(textIn(body, "action_ts")),
      name: info.name,
      options: {},
      text: "",
      files,
      chosen: true,
      ...direct(channel),
    };
    return { command, opensForm: info.menu.opensForm === true && files.length > 0 };
  };

  const shortcut = (body: Payload): Inbound | null => {
    const menu = chosen(body);
    if (menu !== undefined) return menu.opensForm ? null : menu.command;
    if (body["callback_id"] !== summariseCallback) return null;
    const channel = textIn(objectIn(body, "channel"), "id");
    const thread = textIn(objectIn(body, "message"), "thread_ts") || textIn(body, "message_ts");
    const user = textIn(objectIn(body, "user"), "id");
    if (channel === "" || thread === "") return null;
    return {
      kind: "command",
      key: keyOf(self.team, channel, textIn(body, "action_ts"), "shortcut"),
      place: placeOf(self.team, channel, thread),
      author: { id: user, name: user },
      at: timeOf(textIn(body, "action_ts")),
      name: "ask",
      options: {},
      text: summarise,
      files: [],
      joins: true,
      ...direct(channel),
    };
  };

  const read = (body: Payload): Inbound | null => {
    if (typeof body["command"] === "string") return slash(body);
    if (body["type"] === "block_actions") return click(body);
    return body["type"] === "message_action" ? shortcut(body) : null;
  };
  return {
    read,
    /** The slash command itself, also where a modal would ask for more. */
    chosen,
    slash: (body: Payload): Inbound => command(body, readSlash(textIn(body, "text"), commands)),
  };
}
