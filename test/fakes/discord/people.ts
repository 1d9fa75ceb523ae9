/** People on the fake Discord: what they say, press and run, as their own clients would send it. */
import type { FakeInteraction, ModalComponent } from "./interaction-routes.ts";
import type { Gateway } from "./gateway.ts";
import type { Registered } from "./application-routes.ts";
import { channelView, isThread, type Denied, type FakeChannel, type FakeMessage, type FakeUser, type State } from "./state.ts";
import type { Writing } from "./writing.ts";

export interface GivenFile {
  readonly name: string;
  readonly type?: string;
  readonly bytes: Uint8Array;
  /** Somewhere else than where Discord keeps it, as Discord would never say. */
  readonly url?: string;
}

export interface Said {
  readonly files?: readonly GivenFile[];
  /** The message that it is a reply to. */
  readonly to?: string;
  /** Bits of the message's flags, such as 8192 of a voice message. */
  readonly flags?: number;
  readonly webhook?: boolean;
}

export interface Person {
  readonly user: FakeUser;
  /** `<@id>`. */
  readonly mention: string;
  says(channel: FakeChannel, content: string, more?: Said): FakeMessage;
  edits(message: FakeMessage, content: string): void;
  /** A link's preview is added to the message: an update without an edit. */
  unfurls(message: FakeMessage): void;
  deletes(message: FakeMessage): void;
  /** Runs `/name`; a file is given for an option that takes one. */
  runs(channel: FakeChannel, name: string, options?: Readonly<Record<string, string | GivenFile>>): FakeInteraction;
  /** Types into an option: what is offered is the interaction's `choices`. */
  types(channel: FakeChannel, name: string, option: string, text: string): FakeInteraction;
  /** Chooses a command of a message's menu. */
  chooses(message: FakeMessage, name: string): FakeInteraction;
  /** Presses the button with this label. */
  presses(message: FakeMessage, label: string): FakeInteraction;
  /** Fills in the modal that an interaction opened, leaves the rest as it stands there, and sends it. */
  submits(opened: FakeInteraction, fields: Readonly<Record<string, string | readonly string[]>>): FakeInteraction;
}

export interface PeopleOptions {
  readonly state: State;
  readonly bot: FakeUser;
  readonly gateway: () => Gateway;
  readonly writing: Writing;
  readonly interactions: Map<string, FakeInteraction>;
  readonly commands: Map<string, Registered[]>;
}

/** https://docs.discord.com/developers/topics/permissions */
const bits: Readonly<Record<Denied, bigint>> = {
  view: 1n << 10n,
  send: 1n << 11n,
  attach: 1n << 15n,
  history: 1n << 16n,
  threads: 1n << 35n,
  sendInThreads: 1n << 38n,
};
const permissionsIn = ({ denied }: FakeChannel): string =>
  String(Object.entries(bits).reduce((sum, [name, bit]) => (denied.has(name as Denied) ? sum : sum | bit), 0n));

interface Button {
  readonly label?: string;
  readonly custom_id?: string;
  readonly disabled?: boolean;
}

export function createPerson(user: FakeUser, { state, bot, gateway, writing, interactions, commands }: PeopleOptions): Person {
  const interact = (
    channel: FakeChannel,
    type: number,
    data: Record<string, unknown>,
    message: FakeMessage | null,
  ): FakeInteraction => {
    const id = state.id();
    const guild = channel.guild === null ? undefined : state.guilds.get(channel.guild);
    const member = guild?.members.get(user.id);
    const interaction: FakeInteraction = {
      id,
      token: `token-${id}`,
      type,
      channel: channel.id,
      user,
      at: state.now(),
      source: message?.id ?? null,
      acknowledged: null,
      ephemeral: false,
      original: null,
      choices: null,
      modal: null,
    };
    interactions.set(id, interaction);
    const who =
      guild === undefined
        ? { user }
        : {
            guild_id: guild.id,
            guild: { id: guild.id },
            member: {
              user,
              nick: member?.nick ?? null,
              roles: member?.roles ?? [],
              flags: member?.flags ?? 0,
              permissions: "2147483647",
            },
          };
    const owners = guild === undefined ? { "1": user.id } : guild.joined ? { "0": guild.id } : { "1": user.id };
    gateway().dispatch({
      type: "INTERACTION_CREATE",
      guild: guild?.joined === true ? guild.id : null,
      intent: null,
      data: {
        id,
        application_id: bot.id,
        type,
        token: interaction.token,
        version: 1,
        data,
        channel_id: channel.id,
        channel: channelView(state, channel, bot.id),
        ...who,
        ...(message === null || type === 2 ? {} : { message: writing.view(message) }),
        app_permissions: permissionsIn(channel),
        locale: "en-GB",
        entitlements: [],
        authorizing_integration_owners: owners,
        context: guild === undefined ? 1 : 0,
        attachment_size_limit: 10_485_760,
      },
    });
    return interaction;
  };
  /** As Discord finds a command: the guild's own before the application's. */
  const commandOf = (channel: FakeChannel, name: string, type: number): Registered => {
    const all = [...(commands.get(channel.guild ?? "") ?? []), ...(commands.get("") ?? [])];
    const found = all.find((command) => command.name === name && command.type === type);
    if (found === undefined) throw new Error(`no command “${name}” is registered`);
    return found;
  };
  /** The options as Discord's clients send them, and what their values stand for. */
  const optionsOf = (
    channel: FakeChannel,
    command: Registered,
    given: Readonly<Record<string, string | GivenFile>>,
  ): { readonly options: object[]; readonly resolved?: object } => {
    const known = (command["options"] ?? []) as { name: string; required?: boolean; type: number }[];
    for (const name of Object.keys(given))
      if (!known.some((option) => option.name === name)) throw new Error(`/${command.name} has no option ${name}`);
    const attachments: Record<string, object> = {};
    const options: object[] = [];
    for (const { name, type, required } of known) {
      const value = given[name];
      if (required === true && value === undefined) throw new Error(`/${command.name} needs ${name}`);
      if (value === undefined) continue;
      if ((type === 11) === (typeof value === "string")) throw new Error(`/${command.name} takes no such value for ${name}`);
      if (typeof value === "string") {
        options.push({ name, type, value });
        continue;
      }
      const { bytes, type: mediaType = "application/octet-stream" } = value;
      const file = writing.attach(channel.id, { name: value.name, type: mediaType, bytes });
      attachments[file.id] = { ...file, ephemeral: true, ...(value.url === undefined ? {} : { url: value.url }) };
      options.push({ name, type, value: file.id });
    }
    return Object.keys(attachments).length === 0 ? { options } : { options, resolved: { attachments } };
  };

  return {
    user,
    mention: `<@${user.id}>`,
    says(channel, content, { files = [], to, flags = 0, webhook = false } = {}) {
      if (isThread(channel)) channel.archived = false;
      const message: FakeMessage = {
        id: state.id(),
        channel: channel.id,
        author: user,
        type: to === undefined ? 0 : 19,
        content,
        components: [],
        embeds: [],
        attachments: files.map(({ name, type = "application/octet-stream", bytes }) =>
          writing.attach(channel.id, { name, type, bytes }),
        ),
        flags,
        editedAt: null,
        nonce: null,
        reference: to ?? null,
        webhook: webhook ? state.id() : null,
        onlyFor: null,
        interaction: null,
      };
      writing.put(message);
      return message;
    },
    edits(message, content) {
      message.content = content;
      message.editedAt = state.now();
      const channel = state.channels.get(message.channel);
      if (channel !== undefined)
        writing.tell(
          "MESSAGE_UPDATE",
          { ...writing.view(message), ...(channel.guild === null ? {} : { guild_id: channel.guild }) },
          channel,
        );
    },
    unfurls(message) {
      message.embeds = [{ type: "link", url: "https://example.com/" }];
      const channel = state.channels.get(message.channel);
      if (channel !== undefined)
        writing.tell(
          "MESSAGE_UPDATE",
          { ...writing.view(message), ...(channel.guild === null ? {} : { guild_id: channel.guild }) },
          channel,
        );
    },
    deletes: (message) => writing.remove(message),
    runs(channel, name, options = {}) {
      const command = commandOf(channel, name, 1);
      return interact(channel, 2, { id: command.id, name, type: 1, ...optionsOf(channel, command, options) }, null);
    },
    types(channel, name, option, text) {
      const command = commandOf(channel, name, 1);
      return interact(
        channel,
        4,
        { id: command.id, name, type: 1, options: [{ name: option, type: 3, value: text, focused: true }] },
        null,
      );
    },
    chooses(message, name) {
      const channel = state.channels.get(message.channel);
      if (channel === undefined) throw new Error("the message's channel is gone");
      const command = commandOf(channel, name, 3);
      const resolved = { messages: { [message.id]: writing.view(message) } };
      return interact(channel, 2, { id: command.id, name, type: 3, target_id: message.id, resolved }, message);
    },
    presses(message, label) {
      const channel = state.channels.get(message.channel);
      const rows = message.components as { components: Button[] }[];
      const button = rows.flatMap(({ components }) => components).find((one) => one.label === label && one.disabled !== true);
      if (button === undefined || channel === undefined) throw new Error(`the message has no button “${label}”`);
      return interact(channel, 3, { component_type: 2, custom_id: button.custom_id }, message);
    },
    submits({ modal, channel: id, source }, fields) {
      const channel = state.channels.get(id);
      if (modal === null || channel === undefined) throw new Error("no modal is open");
      const known = modal.components.map(({ component }) => component.custom_id);
      for (const name of Object.keys(fields)) if (!known.includes(name)) throw new Error(`the modal has no field ${name}`);
      const components = modal.components.map(({ component }) => ({ type: 18, component: filledIn(component, fields) }));
      const message = source === null ? null : (state.messages.get(source) ?? null);
      return interact(channel, 5, { custom_id: modal.custom_id, components }, message);
    },
  };
}

/** As Discord's own clients let a field be filled in. */
function filledIn(component: ModalComponent, fields: Readonly<Record<string, string | readonly string[]>>): object {
  const { type, custom_id, options = [], required = true, max_length: longest = 4_000, max_values: most = 1 } = component;
  const given = fields[custom_id];
  if (type === 4) {
    const value = typeof given === "string" ? given : (component.value ?? "");
    if (value.length > longest || (required && value === "")) throw new Error(`Discord would not send “${custom_id}”`);
    return { type, custom_id, value };
  }
  const before = options.filter((option) => option.default === true).map(({ value }) => value);
  const values = given === undefined ? before : typeof given === "string" ? [given].filter((one) => one !== "") : given;
  const known = values.every((one) => options.some(({ value }) => value === one));
  if (!known || values.length > most || (required && values.length === 0))
    throw new Error(`Discord would not send “${custom_id}”`);
  return { type, custom_id, values };
}
