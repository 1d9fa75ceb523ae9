/** What people do in the fake workspace, and the events that Slack tells the app of it. */
import type { Delivered, Delivery } from "./delivery.ts";
import { checkView } from "./methods/surfaces.ts";
import { richTextOf } from "./rich-text.ts";
import {
  appId,
  botId,
  botUser,
  fileShape,
  messageAt,
  shape,
  team,
  type FakeChannel,
  type FakeMessage,
  type Json,
  type State,
  str,
} from "./state.ts";

export const mention = `<@${botUser}>`;

/** The outcome of something a person did: the message, and what became of each event of it. */
export interface Said {
  readonly ts: string;
  readonly deliveries: readonly Delivered[];
  /** Every event of it was acknowledged. */
  readonly acknowledged: boolean;
  /** Delivers every event of it once more. */
  again(): Promise<Said>;
}

export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mimetype?: string;
  readonly external?: boolean;
}

export interface SayOptions {
  readonly thread?: string;
  /** False: without `blocks`, as some clients send it. */
  readonly rich?: boolean;
  readonly subtype?: "me_message" | "thread_broadcast" | "file_share";
  readonly files?: readonly GivenFile[];
  /** Nobody tells the app: as while it is down. */
  readonly silently?: boolean;
}

export interface Person {
  readonly id: string;
  says(channel: string, text: string, options?: SayOptions): Promise<Said>;
  edits(channel: string, ts: string, text: string): Promise<Said>;
  deletes(channel: string, ts: string): Promise<Said>;
  slash(channel: string, text: string): Promise<Delivered>;
  /** Presses the button with this action_id on a message. */
  clicks(channel: string, ts: string, action: string): Promise<Delivered>;
  /** Presses the first button whose action_id begins so, on the newest message that only they see. */
  clicksPrivately(action: string): Promise<Delivered>;
  shortcut(callback: string, at?: { readonly channel: string; readonly ts: string }): Promise<Delivered>;
  /** The modal that is open before them. */
  modal(): Json | undefined;
  /** Fills the newest open modal in and submits it. Values by block_id; of selects of several with commas. */
  submits(values: Readonly<Record<string, string>>, files?: Readonly<Record<string, GivenFile>>): Promise<Delivered>;
  /** Types into an external select. */
  asksOptions(block: string, action: string, value: string): Promise<Delivered>;
  opensHome(tab?: "home" | "messages"): Promise<Delivered>;
  /** Presses Slack's own stop button on a stream. */
  stopsStream(channel: string, ts: string): Promise<Delivered>;
}

export function createPeople(state: State, { deliver }: Delivery, responseUrl: () => string) {
  let events = 0;
  /** The outer part of every event. */
  const callback = (event: Json): Json => ({
    token: "verification",
    team_id: team,
    context_team_id: team,
    api_app_id: appId,
    event,
    type: "event_callback",
    event_id: `Ev${String(++events).padStart(8, "0")}`,
    event_time: Math.floor(state.now() / 1000),
    authorizations: [{ enterprise_id: null, team_id: team, user_id: botUser, is_bot: true, is_enterprise_install: false }],
    is_ext_shared_channel: false,
  });
  const tell = (event: Json): Promise<Delivered> => deliver("events_api", callback(event));
  const said = (ts: string, deliveries: readonly Delivered[]): Said => ({
    ts,
    deliveries,
    acknowledged: deliveries.every(({ acknowledged }) => acknowledged),
    again: async () => said(ts, await Promise.all(deliveries.map((one) => one.again()))),
  });
  const channelOf = (id: string): FakeChannel => {
    const channel = state.channels.get(id);
    if (channel === undefined) throw new Error(`the fake workspace has no channel ${id}`);
    return channel;
  };
  const hears = (channel: FakeChannel): boolean => channel.members.has(botUser);
  const trigger = (user: string): string => {
    const id = state.nextId("trigger.");
    state.triggers.set(id, { user, at: state.now() });
    return id;
  };
  const userShape = (id: string): Json => {
    const user = state.users.get(id);
    return { id, username: user?.name.toLowerCase(), name: user?.name.toLowerCase(), team_id: user?.team ?? team };
  };

  /** The events of a message: a mention is told twice, with different event ids. */
  function eventsOf(message: FakeMessage, channel: FakeChannel): Json[] {
    if (!hears(channel)) return [];
    const own = { ...shape(state, message), channel: message.channel, event_ts: message.ts };
    const foreign =
      state.users.get(message.user)?.stranger === true
        ? { user_team: state.users.get(message.user)?.team, source_team: state.users.get(message.user)?.team }
        : {};
    const asMessage = { ...own, ...foreign, channel_type: channel.type };
    const isMention = message.text.includes(mention) && channel.type !== "im";
    return isMention ? [{ ...own, ...foreign, type: "app_mention", subtype: undefined }, asMessage] : [asMessage];
  }

  function person(id: string): Person {
    const upload = ({ name, bytes, mimetype = "text/plain", external = false }: GivenFile): string => {
      const file = state.nextId("F0UP");
      const around = { mimetype, user: id, bytes, complete: true, length: bytes.byteLength, external, shares: [] };
      state.files.set(file, { id: file, name, ...around });
      return file;
    };
    const openView = () => [...state.views.values()].findLast((one) => one.user === id && one.open && one.type === "modal");
    return {
      id,
      async says(channelId, text, options = {}) {
        const channel = channelOf(channelId);
        const files = (options.files ?? []).map(upload);
        const message: FakeMessage = {
          channel: channelId,
          ts: state.nextTs(),
          user: id,
          bot: state.users.get(id)?.bot === true,
          text,
          blocks: options.rich === false || text === "" ? undefined : [richTextOf(text)],
          metadata: undefined,
          files,
          edited: false,
          unfurls: true,
          ...(options.thread === undefined ? {} : { thread_ts: options.thread }),
          ...(files.length > 0 ? { subtype: "file_share" } : options.subtype === undefined ? {} : { subtype: options.subtype }),
        };
        state.messages.push(message);
        if (options.silently === true) return said(message.ts, []);
        return said(message.ts, await Promise.all(eventsOf(message, channel).map(tell)));
      },
      async edits(channelId, ts, text) {
        const channel = channelOf(channelId);
        const message = messageAt(state, channelId, ts);
        if (message === undefined) throw new Error("there is no such message to edit");
        const previous = shape(state, message);
        message.text = text;
        message.blocks = [richTextOf(text)];
        const at = state.nextTs();
        const now = { ...shape(state, message), edited: { user: id, ts: at } };
        const event = {
          type: "message",
          subtype: "message_changed",
          hidden: true,
          channel: channelId,
          channel_type: channel.type,
          ts: at,
          event_ts: at,
          message: now,
          previous_message: previous,
        };
        return said(ts, hears(channel) ? [await tell(event)] : []);
      },
      async deletes(channelId, ts) {
        const channel = channelOf(channelId);
        const message = messageAt(state, channelId, ts);
        if (message === undefined) throw new Error("there is no such message to delete");
        const previous = shape(state, message);
        state.messages.splice(state.messages.indexOf(message), 1);
        const at = state.nextTs();
        const event = {
          type: "message",
          subtype: "message_deleted",
          hidden: true,
          channel: channelId,
          channel_type: channel.type,
          ts: at,
          event_ts: at,
          deleted_ts: ts,
          previous_message: previous,
        };
        return said(ts, hears(channel) ? [await tell(event)] : []);
      },
      slash: (channelId, text) =>
        deliver("slash_commands", {
          token: "verification",
          team_id: team,
          team_domain: "acme",
          channel_id: channelId,
          channel_name: state.channels.get(channelId)?.name ?? "directmessage",
          user_id: id,
          user_name: state.users.get(id)?.name.toLowerCase() ?? "",
          command: "/parley",
          text,
          api_app_id: appId,
          is_enterprise_install: "false",
          response_url: responseUrl(),
          trigger_id: trigger(id),
        }),
      clicks(channelId, ts, action) {
        const message = messageAt(state, channelId, ts);
        const found = findElement(message?.blocks, action);
        if (message === undefined || found === undefined) throw new Error(`there is no button ${action} on that message`);
        return deliver("interactive", {
          type: "block_actions",
          user: userShape(id),
          api_app_id: appId,
          token: "verification",
          container: {
            type: "message",
            message_ts: ts,
            channel_id: channelId,
            is_ephemeral: false,
            ...(message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts }),
          },
          trigger_id: trigger(id),
          team: { id: team, domain: "acme" },
          enterprise: null,
          is_enterprise_install: false,
          channel: { id: channelId, name: state.channels.get(channelId)?.name },
          message: shape(state, message),
          response_url: responseUrl(),
          actions: [{ ...found, action_ts: state.nextTs() }],
        });
      },
      clicksPrivately(action) {
        const seen = state.ephemerals.findLast(({ user }) => user === id);
        const elements = (seen?.blocks ?? []).flatMap((block) => (block["elements"] as Json[] | undefined) ?? []);
        const button = elements.find((element) => str(element["action_id"]).startsWith(action));
        if (seen === undefined || button === undefined) throw new Error(`there is no button ${action} to be seen`);
        return deliver("interactive", {
          type: "block_actions",
          user: userShape(id),
          api_app_id: appId,
          token: "verification",
          container: {
            type: "message",
            message_ts: state.nextTs(),
            channel_id: seen.channel,
            is_ephemeral: true,
            ...(seen.thread_ts === undefined ? {} : { thread_ts: seen.thread_ts }),
          },
          trigger_id: trigger(id),
          team: { id: team, domain: "acme" },
          enterprise: null,
          is_enterprise_install: false,
          channel: { id: seen.channel, name: state.channels.get(seen.channel)?.name },
          response_url: responseUrl(),
          actions: [{ ...button, block_id: "b", action_ts: state.nextTs() }],
        });
      },
      shortcut(callbackId, at) {
        const message = at === undefined ? undefined : messageAt(state, at.channel, at.ts);
        return deliver("interactive", {
          type: at === undefined ? "shortcut" : "message_action",
          callback_id: callbackId,
          token: "verification",
          action_ts: state.nextTs(),
          team: { id: team, domain: "acme" },
          user: userShape(id),
          api_app_id: appId,
          trigger_id: trigger(id),
          ...(at === undefined || message === undefined
            ? {}
            : {
                channel: { id: at.channel, name: state.channels.get(at.channel)?.name },
                message_ts: at.ts,
                message: shape(state, message),
                response_url: responseUrl(),
              }),
        });
      },
      modal: () => openView()?.view,
      async submits(values, files = {}) {
        const view = openView();
        if (view === undefined) throw new Error("no modal is open");
        const blocks = (view.view["blocks"] as Json[]).filter((block) => block["type"] === "input");
        const stated = Object.fromEntries(
          blocks.map((block) => {
            const element = block["element"] as Json;
            const id = str(block["block_id"]);
            const file = files[id];
            const given =
              element["type"] === "file_input"
                ? { type: "file_input", files: file === undefined ? [] : [fileShape(state, upload(file))] }
                : filledIn(element, values[id]);
            return [id, { [str(element["action_id"])]: given }];
          }),
        );
        const delivered = await deliver("interactive", {
          type: "view_submission",
          team: { id: team, domain: "acme" },
          user: userShape(id),
          api_app_id: appId,
          token: "verification",
          trigger_id: trigger(id),
          view: { ...view.view, id: view.id, team_id: team, state: { values: stated }, hash: "1.a" },
          response_urls: [],
        });
        if (!delivered.acknowledged) return delivered;
        const { response_action: then, errors, view: next } = delivered.answer;
        if (then === "errors") {
          for (const block of Object.keys(errors as Json))
            if (!(block in stated)) throw new Error(`an error for the block ${block}, which the modal does not have`);
        } else if (then === "update") view.view = checkView(next);
        else view.open = false;
        return delivered;
      },
      asksOptions: (block, action, value) =>
        deliver("interactive", {
          type: "block_suggestion",
          action_id: action,
          block_id: block,
          value,
          team: { id: team, domain: "acme" },
          user: userShape(id),
          api_app_id: appId,
          token: "verification",
          container: { type: "view", view_id: "V0" },
          view: [...state.views.values()].findLast((one) => one.user === id)?.view ?? {},
        }),
      opensHome: (tab = "home") =>
        tell({ type: "app_home_opened", user: id, channel: `D0${id.slice(2)}`, tab, event_ts: state.nextTs() }),
      stopsStream(channelId, ts) {
        const message = messageAt(state, channelId, ts);
        if (message?.stream?.state === "streaming") message.stream.state = "stopped_by_user";
        return tell({
          type: "agent_session_stopped",
          user: id,
          channel: channelId,
          thread_ts: message?.thread_ts,
          streaming_message_ts: [ts],
          event_ts: state.nextTs(),
        });
      },
    };
  }

  return {
    person,
    /** Any event of the app's, as Slack wraps it. */
    tell,
    /** Parley's own message came: Slack tells the app of it too. */
    announce: (event: Json): void => void tell({ ...event, event_ts: event["ts"] }),
    callback,
    own: { botUser, botId },
  };
}

/** Slack takes no more than `max_length`, and gives nothing for an empty input. */
function typed(element: Json, value: unknown): unknown {
  if (typeof value !== "string" || value === "") return null;
  if (value.length > Number(element["max_length"] ?? 3_000)) throw new Error("Slack would not take that many characters");
  return value;
}

function filledIn(element: Json, value: string | undefined): Json {
  const type = str(element["type"]);
  if (type === "plain_text_input") return { type, value: typed(element, value ?? element["initial_value"]) };
  if (type === "conversations_select") return { type, selected_conversation: value ?? element["initial_conversation"] ?? null };
  if (type === "checkboxes" || type.startsWith("multi_"))
    return {
      type,
      selected_options:
        value === undefined
          ? (element["initial_options"] ?? [])
          : value === ""
            ? []
            : value.split(",").map((one) => ({ value: one })),
    };
  const options = (element["options"] as Json[] | undefined) ?? [];
  const initial = element["initial_option"] ?? null;
  const chosen = options.find((option) => option["value"] === value) ?? { text: { type: "plain_text", text: value }, value };
  return { type, selected_option: value === undefined ? initial : value === "" ? null : chosen };
}

/** The element with this action_id; of feedback buttons, `action/positive` or `action/negative`. */
function findElement(blocks: readonly Json[] | undefined, action: string): Json | undefined {
  const [id, side] = action.split("/");
  for (const block of blocks ?? []) {
    for (const element of [...((block["elements"] as Json[] | undefined) ?? []), block["accessory"] as Json | undefined]) {
      if (element === undefined || typeof element !== "object" || element["action_id"] !== id) continue;
      const base = { type: element["type"], action_id: id, block_id: block["block_id"] ?? "b" };
      if (element["type"] === "feedback_buttons") {
        const button = element[side === "negative" ? "negative_button" : "positive_button"] as Json;
        return { ...base, value: button["value"], text: button["text"] };
      }
      return { ...base, value: element["value"], text: element["text"] };
    }
  }
  return undefined;
}
