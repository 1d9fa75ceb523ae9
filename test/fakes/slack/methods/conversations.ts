/** `conversations.*` and `users.*`. */
import { refuse } from "../errors.ts";
import {
  botUser,
  messageAt,
  readable,
  shape,
  team,
  type FakeChannel,
  type FakeMessage,
  type Json,
  type State,
  str,
} from "../state.ts";
import type { Args, Method } from "./method.ts";

const limitOf = (args: Args): number => {
  const limit = Number(args["limit"] ?? 100);
  return Number.isInteger(limit) && limit >= 1 && limit <= 999 ? limit : refuse("invalid_limit");
};

function within(args: Args, message: FakeMessage): boolean {
  const { oldest, latest } = args;
  const inclusive = args["inclusive"] === true;
  const ts = Number(message.ts);
  if (oldest !== undefined && !(ts > Number(oldest) || (inclusive && message.ts === oldest))) return false;
  return latest === undefined || ts < Number(latest) || (inclusive && message.ts === latest);
}

function page(state: State, args: Args, messages: readonly FakeMessage[]): Json {
  const limit = limitOf(args);
  const from = args["cursor"] === undefined || args["cursor"] === "" ? 0 : Number(args["cursor"]);
  if (!Number.isInteger(from)) refuse("invalid_cursor");
  const metadata = args["include_all_metadata"] === true;
  const more = messages.length > from + limit;
  return {
    messages: messages.slice(from, from + limit).map((message) => shape(state, message, { metadata })),
    has_more: more,
    ...(more ? { response_metadata: { next_cursor: String(from + limit) } } : {}),
  };
}

const history: Method = (args, { state }) => {
  const channel = readable(state, args["channel"]);
  const own = state.messages.filter(
    (message) =>
      message.channel === channel.id &&
      (message.thread_ts === undefined || message.subtype === "thread_broadcast") &&
      within(args, message),
  );
  return page(state, args, own.toReversed());
};

const replies: Method = (args, { state }) => {
  const channel = readable(state, args["channel"]);
  const root = messageAt(state, channel.id, args["ts"]);
  if (root === undefined) return refuse("thread_not_found");
  const ts = root.thread_ts ?? root.ts;
  // The parent always comes, whatever the bounds.
  const thread = state.messages.filter(
    (message) => message.channel === channel.id && (message.ts === ts || (message.thread_ts === ts && within(args, message))),
  );
  return page(state, args, thread);
};

const channelShape = (channel: FakeChannel): Json => ({
  id: channel.id,
  name: channel.name,
  is_channel: channel.type === "channel",
  is_group: channel.type === "group",
  is_im: channel.type === "im",
  is_mpim: channel.type === "mpim",
  is_private: channel.type !== "channel",
  is_archived: channel.archived,
  is_member: channel.members.has(botUser),
  is_ext_shared: channel.connected === true,
  context_team_id: team,
  ...(channel.user === undefined ? {} : { user: channel.user }),
});

export const conversations: Readonly<Record<string, Method>> = {
  "conversations.history": history,
  "conversations.replies": replies,
  "conversations.info": (args, { state }) => {
    const channel = state.channels.get(str(args["channel"]));
    return channel === undefined ? refuse("channel_not_found") : { channel: channelShape(channel) };
  },
  "conversations.list": (args, { state }) => {
    const types = str(args["types"] ?? "public_channel").split(",");
    const named = { channel: "public_channel", group: "private_channel", im: "im", mpim: "mpim" } as const;
    const listed = [...state.channels.values()].filter(
      (channel) => types.includes(named[channel.type]) && !(args["exclude_archived"] === true && channel.archived),
    );
    return { channels: listed.map((channel) => channelShape(channel)), response_metadata: { next_cursor: "" } };
  },
  "users.conversations": (args, { state }) => {
    const types = str(args["types"] ?? "public_channel").split(",");
    const named = { channel: "public_channel", group: "private_channel", im: "im", mpim: "mpim" } as const;
    const listed = [...state.channels.values()].filter(
      (channel) =>
        channel.members.has(botUser) &&
        types.includes(named[channel.type]) &&
        !(args["exclude_archived"] === true && channel.archived),
    );
    return { channels: listed.map((channel) => channelShape(channel)), response_metadata: { next_cursor: "" } };
  },
  "conversations.join": (args, { state }) => {
    const channel = state.channels.get(str(args["channel"]));
    if (channel === undefined || channel.type !== "channel") return refuse("channel_not_found");
    if (channel.archived) return refuse("is_archived");
    channel.members.add(botUser);
    return { channel: channelShape(channel) };
  },
  "conversations.open": (args, { state }) => {
    const channel = [...state.channels.values()].find(({ type, user }) => type === "im" && user === args["users"]);
    return channel === undefined ? refuse("user_not_found") : { channel: { id: channel.id } };
  },
  "conversations.members": (args, { state }) => ({ members: [...readable(state, args["channel"]).members] }),
  "users.info": (args, { state }) => {
    const user = state.users.get(str(args["user"]));
    if (user === undefined) return refuse("user_not_found");
    return {
      user: {
        id: user.id,
        team_id: user.team,
        name: user.name.toLowerCase().replaceAll(" ", "."),
        real_name: user.name,
        profile: { display_name: user.name, real_name: user.name },
        is_bot: user.bot === true,
        is_restricted: user.guest === true,
        is_ultra_restricted: false,
        is_stranger: user.stranger === true,
        deleted: false,
      },
    };
  },
  "usergroups.users.list": (args, { state }) => {
    const users = state.groups.get(str(args["usergroup"]));
    return users === undefined ? refuse("no_such_subteam") : { users: [...users] };
  },
  "usergroups.list": () => ({ usergroups: [{ id: "S0TEAM", handle: "team", name: "The team" }] }),
};
