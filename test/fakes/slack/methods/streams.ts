/** Slack's native streams: they have a mode, a state and an end of their own, and what was appended stays. */
import { charactersOf, checkBlocks } from "../blocks.ts";
import { refuse } from "../errors.ts";
import { botUser, messageAt, team, writable, type FakeMessage, type Json, str } from "../state.ts";
import type { Args, Method, World } from "./method.ts";

const most = 12_000;

/** Appends what the call brings; a stream keeps the mode that it was started with. */
function append(message: FakeMessage, args: Args): void {
  const { stream } = message;
  if (stream === undefined) return refuse("message_not_in_streaming_state");
  const chunks = args["chunks"];
  const markdown = args["markdown_text"];
  if (chunks !== undefined && markdown !== undefined) refuse("markdown_text_conflict");
  if (chunks === undefined && markdown === undefined) return;
  const mode = chunks === undefined ? "markdown_text" : "chunks";
  if (stream.mode !== mode) refuse("streaming_mode_mismatch");
  if (mode === "markdown_text") {
    if (Array.from(String(markdown)).length > most) refuse("msg_too_long");
    message.text += String(markdown);
    return;
  }
  if (!Array.isArray(chunks) || chunks.length === 0) return refuse("invalid_chunks");
  let characters = 0;
  for (const chunk of chunks as Json[]) {
    switch (chunk["type"]) {
      case "markdown_text":
        characters += Array.from(str(chunk["text"])).length;
        if (chunk["text"] === "" || characters > most) refuse(chunk["text"] === "" ? "invalid_chunks" : "msg_too_long");
        message.text += str(chunk["text"]);
        break;
      case "task_update":
        if (typeof chunk["id"] !== "string" || Array.from(str(chunk["title"] ?? "")).length > 256) refuse("invalid_chunks");
        stream.tasks.set(str(chunk["id"]), { ...stream.tasks.get(str(chunk["id"])), ...chunk });
        break;
      case "plan_update":
        if (Array.from(str(chunk["title"] ?? "")).length > 256) refuse("invalid_chunks");
        break;
      case "blocks":
        message.blocks = checkBlocks([...(message.blocks ?? []), ...((chunk["blocks"] as Json[] | undefined) ?? [])]);
        break;
      default:
        refuse("invalid_chunks");
    }
  }
}

function open(world: World, args: Args): FakeMessage {
  const channel = writable(world.state, args["channel"]);
  const message = messageAt(world.state, channel.id, args["ts"]);
  if (message === undefined) return refuse("message_not_found");
  if (message.user !== botUser) return refuse("message_not_owned_by_app");
  const { stream } = message;
  if (stream?.state === "streaming" && world.state.now() - stream.startedAt >= world.streamMs) stream.state = "expired";
  if (stream?.state === "stopped_by_user") return refuse("stopped_by_user");
  return stream?.state === "streaming" ? message : refuse("message_not_in_streaming_state");
}

const startStream: Method = (args, world) => {
  const { state } = world;
  const channel = writable(state, args["channel"]);
  const parent = messageAt(state, channel.id, args["thread_ts"]);
  if (parent === undefined) return refuse("invalid_thread_ts");
  if (channel.type !== "im") {
    if (args["recipient_user_id"] === undefined) refuse("missing_recipient_user_id");
    if (args["recipient_team_id"] === undefined) refuse("missing_recipient_team_id");
    if (state.users.get(str(args["recipient_user_id"]))?.team !== team) refuse("user_not_found");
  }
  const message: FakeMessage = {
    channel: channel.id,
    ts: state.nextTs(),
    user: botUser,
    bot: true,
    thread_ts: parent.thread_ts ?? parent.ts,
    text: "",
    blocks: undefined,
    metadata: undefined,
    files: [],
    edited: false,
    unfurls: false,
    stream: {
      state: "streaming",
      startedAt: state.now(),
      mode: args["chunks"] === undefined ? "markdown_text" : "chunks",
      tasks: new Map(),
    },
  };
  append(message, args);
  state.messages.push(message);
  state.statuses.delete(`${channel.id}:${message.thread_ts}`);
  return { channel: channel.id, ts: message.ts };
};

const appendStream: Method = (args, world) => {
  const message = open(world, args);
  append(message, args);
  return { channel: message.channel, ts: message.ts };
};

const stopStream: Method = (args, world) => {
  const message = open(world, args);
  const blocks = checkBlocks(args["blocks"]);
  append(message, args);
  if (blocks !== undefined) message.blocks = [...(message.blocks ?? []), ...blocks];
  if (charactersOf(message.blocks) > 13_200) refuse("msg_blocks_too_long");
  if (args["metadata"] !== undefined) message.metadata = args["metadata"] as Json;
  if (message.stream !== undefined) message.stream.state = "stopped";
  return { channel: message.channel, ts: message.ts };
};

export const streams: Readonly<Record<string, Method>> = {
  "chat.startStream": startStream,
  "chat.appendStream": appendStream,
  "chat.stopStream": stopStream,
};
