/** `files.*`: the external upload in its three steps, and what there is. */
import { checkBlocks } from "../blocks.ts";
import { refuse } from "../errors.ts";
import { botUser, fileShape, messageAt, writable, type FakeMessage, type Json, str } from "../state.ts";
import type { Method } from "./method.ts";

const getUploadURLExternal: Method = (args, { state }) => {
  const length = Number(args["length"]);
  if (!Number.isInteger(length) || length < 1) refuse("invalid_arguments", "length must be a positive number");
  if (typeof args["filename"] !== "string" || args["filename"] === "") refuse("invalid_arguments", "missing filename");
  const id = state.nextId("F0FILE");
  state.files.set(id, {
    id,
    name: str(args["filename"]),
    mimetype: "application/octet-stream",
    user: botUser,
    bytes: undefined,
    complete: false,
    length,
    shares: [],
  });
  return { file_id: id, upload_url: `${state.origin}/upload/v1/${id}` };
};

const completeUploadExternal: Method = (args, world) => {
  const { state } = world;
  const wanted = args["files"];
  if (!Array.isArray(wanted) || wanted.length === 0) return refuse("invalid_arguments", "files must be a non-empty array");
  const found = (wanted as Json[]).map(({ id }) => state.files.get(String(id)) ?? refuse("file_not_found"));
  for (const file of found) {
    if (file.complete) refuse("file_update_failed");
    if (file.bytes === undefined || file.bytes.byteLength !== file.length) refuse("file_not_found");
  }
  const blocks = checkBlocks(args["blocks"]);
  if (blocks !== undefined && args["initial_comment"] !== undefined) refuse("invalid_arguments", "initial_comment or blocks");
  if (args["channel_id"] !== undefined) {
    const channel = writable(state, args["channel_id"]);
    const thread = args["thread_ts"];
    const parent = thread === undefined ? undefined : messageAt(state, channel.id, thread);
    if (thread !== undefined && parent === undefined) refuse("invalid_thread_ts");
    const message: FakeMessage = {
      channel: channel.id,
      ts: state.nextTs(),
      user: botUser,
      bot: true,
      subtype: "file_share",
      text: typeof args["initial_comment"] === "string" ? args["initial_comment"] : "",
      blocks,
      metadata: undefined,
      files: found.map(({ id }) => id),
      edited: false,
      unfurls: false,
      ...(parent === undefined ? {} : { thread_ts: parent.thread_ts ?? parent.ts }),
    };
    state.messages.push(message);
    for (const file of found) file.shares.push({ channel: channel.id, ts: message.ts });
  }
  for (const file of found) file.complete = true;
  return { files: found.map(({ id, name }) => ({ id, title: name })) };
};

export const files: Readonly<Record<string, Method>> = {
  "files.getUploadURLExternal": getUploadURLExternal,
  "files.completeUploadExternal": completeUploadExternal,
  "files.info": (args, { state }) => ({ file: fileShape(state, str(args["file"])) }),
};
