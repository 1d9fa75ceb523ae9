/** `chat.*` without streams. */
import { checkBlocks } from "../blocks.ts";
import { refuse } from "../errors.ts";
import { botUser, messageAt, shape, str, writable, type FakeMessage, type Json } from "../state.ts";
import type { Args, Method, World } from "./method.ts";

const textOf = (args: Args): string => (typeof args["text"] === "string" ? args["text"] : "");

function checkContent(args: Args): readonly Json[] | undefined {
  const blocks = checkBlocks(args["blocks"]);
  const markdown = args["markdown_text"];
  if (markdown !== undefined) {
    if (args["text"] !== undefined || blocks !== undefined) refuse("markdown_text_conflict");
    if (Array.from(str(markdown)).length > 12_000) refuse("msg_too_long");
    return [{ type: "markdown", text: markdown }];
  }
  if (textOf(args) === "" && (blocks === undefined || blocks.length === 0)) refuse("no_text");
  return blocks;
}

function checkMetadata(value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  const metadata = value as Json;
  if (typeof metadata["event_type"] !== "string" || typeof metadata["event_payload"] !== "object")
    refuse("invalid_metadata_format");
  if (JSON.stringify(metadata["event_payload"]).length > 8_000) refuse("metadata_too_large");
  return metadata;
}

/** A thread's parent; Slack posts under a message that is gone or itself a reply only with trouble. */
function threadOf({ state }: World, channel: string, ts: unknown): { thread_ts?: string } {
  if (ts === undefined) return {};
  const parent = messageAt(state, channel, ts);
  if (parent === undefined) return refuse("thread_not_found");
  return { thread_ts: parent.thread_ts ?? parent.ts };
}

const postMessage: Method = (args, world) => {
  const { state } = world;
  const channel = writable(state, args["channel"]);
  const blocks = checkContent(args);
  const message: FakeMessage = {
    channel: channel.id,
    ts: state.nextTs(),
    user: botUser,
    bot: true,
    text: textOf(args).slice(0, 40_000),
    blocks,
    metadata: checkMetadata(args["metadata"]),
    files: [],
    edited: false,
    unfurls: args["unfurl_links"] !== false || args["unfurl_media"] !== false,
    ...threadOf(world, channel.id, args["thread_ts"]),
  };
  state.messages.push(message);
  if (message.thread_ts !== undefined) state.statuses.delete(`${channel.id}:${message.thread_ts}`);
  world.announce({ ...shape(state, message), subtype: undefined, channel: channel.id, channel_type: channel.type });
  return { channel: channel.id, ts: message.ts, message: shape(state, message, { metadata: true }) };
};

function own(world: World, args: Args, refusal: string): FakeMessage {
  const channel = writable(world.state, args["channel"]);
  const message = messageAt(world.state, channel.id, args["ts"]);
  if (message === undefined) return refuse("message_not_found");
  return message.user === botUser ? message : refuse(refusal);
}

const update: Method = (args, world) => {
  const message = own(world, args, "cant_update_message");
  if (message.stream?.state === "streaming") refuse("streaming_state_conflict");
  if (args["text"] !== undefined && Buffer.byteLength(textOf(args)) > 4_000) refuse("msg_too_long");
  const blocks = checkContent(args);
  // Text without blocks takes the old blocks away and is shown as edited.
  message.edited ||= blocks === undefined;
  message.blocks = blocks;
  message.text = textOf(args);
  if (args["metadata"] !== undefined) message.metadata = checkMetadata(args["metadata"]);
  return { channel: message.channel, ts: message.ts, text: message.text, message: shape(world.state, message) };
};

const remove: Method = (args, world) => {
  const message = own(world, args, "cant_delete_message");
  if (message.stream?.state === "streaming") refuse("cant_delete_message");
  world.state.messages.splice(world.state.messages.indexOf(message), 1);
  return { channel: message.channel, ts: message.ts };
};

const postEphemeral: Method = (args, world) => {
  const { state } = world;
  const channel = writable(state, args["channel"]);
  const user = str(args["user"]);
  const blocks = checkContent(args);
  if (!state.users.has(user)) refuse("user_not_found");
  if (!channel.members.has(user)) refuse("user_not_in_channel");
  state.ephemerals.push({
    channel: channel.id,
    user,
    text: textOf(args),
    blocks,
    ...(args["thread_ts"] === undefined ? {} : { thread_ts: str(args["thread_ts"]) }),
  });
  return { message_ts: state.nextTs() };
};

const getPermalink: Method = (args, { state }) => {
  const message = messageAt(state, args["channel"], args["message_ts"]);
  if (message === undefined) return refuse("message_not_found");
  return {
    channel: message.channel,
    permalink: `https://acme.slack.com/archives/${message.channel}/p${message.ts.replace(".", "")}`,
  };
};

export const chat: Readonly<Record<string, Method>> = {
  "chat.postMessage": postMessage,
  "chat.update": update,
  "chat.delete": remove,
  "chat.postEphemeral": postEphemeral,
  "chat.getPermalink": getPermalink,
};
