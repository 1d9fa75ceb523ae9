/** What the page knows, and how it changes. Components read it through `useStore`. */
import { useEffect, useState } from "./vendor/preact-hooks.js";
import { getMessages, getState, getThread } from "./api.js";
import { shareDocument } from "./share.js";

/**
 * @import {CommandInfo} from "../../../src/core/commands/types.ts"
 * @import {Form} from "../../../src/core/forms.ts"
 * @import {ChannelView, FeedEvent, MessageView, WhisperView} from "../wire.ts"
 */

const state = {
  person: { id: "you", name: "You" },
  /** @type {ChannelView[]} */
  channels: [],
  /** @type {readonly CommandInfo[]} */
  commands: [],
  /** The largest file that can be attached. */
  fileBytes: Infinity,
  /** What only this person sees. @type {Map<string, WhisperView>} */
  whispers: new Map(),
  /** Every message that the page has met, by id; a removed one stays, so that no late answer brings it back. @type {Map<string, MessageView>} */
  messages: new Map(),
  /** Channels that were read: from which number on all of their messages are known, and whether there are older ones. @type {Map<string, {from: number, more: boolean, loading?: boolean}>} */
  loaded: new Map(),
  /** Threads that were read. @type {Set<string>} */
  threads: new Set(),
  /** Messages in each channel that were not looked at. @type {Map<string, number>} */
  unread: new Map(),
  channel: "general",
  /** @type {string | null} */
  thread: null,
  /** The list of channels is open, where it does not fit beside the messages. */
  menu: false,
  connection: "Connecting…",
  /** Said to screen readers. */
  announcement: "",
  /** The form that is open over the page. @type {Form | null} */
  form: null,
  /** What went wrong outside of a composer. @type {string | null} */
  trouble: null,
};

/** @typedef {typeof state} State */

const listeners = new Set();
let scheduled = false;

/** Tells the components, once for all changes of a moment. */
function changed() {
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    for (const listener of listeners) listener();
  });
}

export function useStore() {
  const [, setTick] = useState(0);
  useEffect(() => {
    const again = () => setTick((tick) => tick + 1);
    listeners.add(again);
    // It may have changed between the first drawing and now.
    again();
    return () => listeners.delete(again);
  }, []);
  return state;
}

/** @param {Partial<typeof state>} patch */
export function set(patch) {
  Object.assign(state, patch);
  changed();
}

export const currentPlace = () => ({ channel: state.channel, thread: state.thread });

/** Takes a message in, unless a newer state of it is known. */
function takeMessage(message) {
  const known = state.messages.get(message.id);
  if (known !== undefined && known.rev > message.rev) return undefined;
  state.messages.set(message.id, { ...message, document: shareDocument(known?.document ?? null, message.document) });
  return known;
}

const working = (message) => message?.document?.state === "working" || message?.document?.state === "waiting";

/** Only the end of an answer is said aloud; the words as they come would drown everything else. */
function announce(message, known) {
  if (message.author.id !== "parley" || message.document === null) return;
  // Emptied meanwhile, as the same sentence is only said again when it is new.
  if (working(message)) state.announcement = "";
  else if (known === undefined || working(known)) state.announcement = message.document.notice ?? "Parley has answered.";
}

/** @param {FeedEvent} event */
export function takeEvent(event) {
  switch (event.type) {
    case "message": {
      const known = takeMessage(event.message);
      announce(event.message, known);
      const { channel } = event.message;
      const isNew = known === undefined && event.message.rev === 1 && event.message.author.id === "parley";
      if (isNew && (channel !== state.channel || document.hidden))
        state.unread.set(channel, (state.unread.get(channel) ?? 0) + 1);
      break;
    }
    case "whisper":
      state.whispers.set(event.whisper.id, event.whisper);
      state.announcement = "Parley has a note for you.";
      break;
    case "whisper-gone":
      state.whispers.delete(event.id);
      break;
    case "channel":
      if (!state.channels.some((one) => one.id === event.channel.id)) state.channels = [...state.channels, event.channel];
      break;
    case "person":
      state.person = { ...state.person, name: event.name };
      break;
  }
  changed();
}

/**
 * @template {{messages: MessageView[]}} Answer
 * @param {Answer} answer
 */
function takeAll(answer) {
  for (const message of answer.messages) takeMessage(message);
  return answer;
}

const report = (error) => set({ trouble: error.message });

/** Reads what is open, where it was not read yet. */
async function openPlace() {
  const { channel, thread } = state;
  await Promise.all([
    state.loaded.has(channel) ? null : readChannel(channel),
    thread === null || state.threads.has(thread) ? null : readThread(thread),
  ]);
}

async function readChannel(channel) {
  const { messages, more } = takeAll(await getMessages(channel));
  state.loaded.set(channel, { from: messages[0]?.seq ?? 0, more });
  changed();
  return messages;
}

async function readThread(thread) {
  const { messages } = takeAll(await getThread(thread));
  state.threads.add(thread);
  changed();
  return messages;
}

/** Older messages of the channel that is open. */
export async function loadOlder() {
  const { channel } = state;
  const part = state.loaded.get(channel);
  if (part === undefined || !part.more || part.loading) return;
  part.loading = true;
  try {
    const { messages, more } = takeAll(await getMessages(channel, part.from));
    state.loaded.set(channel, { from: messages[0]?.seq ?? part.from, more });
  } catch (error) {
    part.loading = false;
    report(error);
  }
  changed();
}

/** Reads everything again that is shown: at the start, and after an absence too long for the feed to fill. */
export async function openState() {
  const before = [...state.messages];
  try {
    const { person, channels, commands, whispers, fileBytes } = await getState();
    set({
      person,
      channels,
      commands,
      fileBytes,
      whispers: new Map(whispers.map((whisper) => [whisper.id, whisper])),
      trouble: null,
    });
    if (!channels.some((one) => one.id === state.channel)) go("general", null);
    const { channel, thread } = state;
    const read = await Promise.all([readChannel(channel), thread === null ? [] : readThread(thread)]);
    const found = new Set(read.flat().map((message) => message.id));
    // What was removed meanwhile; but not what came in while this was read.
    for (const [id, message] of before) if (!found.has(id) && state.messages.get(id) === message) state.messages.delete(id);
    state.loaded = new Map([[channel, state.loaded.get(channel)]]);
    state.threads = new Set(thread === null ? [] : [thread]);
    changed();
  } catch (error) {
    report(error);
  }
}

/** Shows a channel, and a thread beside it. */
export function go(channel, thread) {
  const address = `#${[channel, ...(thread === null ? [] : [thread])].map(encodeURIComponent).join("/")}`;
  if (address !== location.hash) history.pushState(null, "", address);
  readAddress();
}

function readAddress() {
  const [channel, thread] = location.hash.slice(1).split("/").map(decodePart);
  state.unread.delete(channel || "general");
  set({ channel: channel || "general", thread: thread || null, menu: false });
  if (state.channels.length > 0) openPlace().catch(report);
}

function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    // Typed by hand: it names no channel, and the page goes to one that there is.
    return "";
  }
}

/** Follows the browser's address, so that back, forward and reload show the same again. */
export function followAddress() {
  addEventListener("popstate", readAddress);
  addEventListener("hashchange", readAddress);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && state.unread.delete(state.channel)) changed();
  });
  readAddress();
}

const bySeq = (a, b) => a.seq - b.seq;

/** Messages of a channel outside of threads, oldest first; null before they were read. */
export function rootsOf(channel) {
  const part = state.loaded.get(channel);
  if (part === undefined) return null;
  return [...state.messages.values()]
    .filter(
      (one) => one.channel === channel && one.thread === null && one.seq >= part.from && (!one.removed || one.replies.count > 0),
    )
    .toSorted(bySeq);
}

/** A thread's first message and all others, oldest first; null before they were read. */
export function threadOf(root) {
  if (!state.threads.has(root)) return null;
  const replies = [...state.messages.values()].filter((one) => one.thread === root && !one.removed);
  const first = state.messages.get(root);
  return [...(first === undefined ? [] : [first]), ...replies.toSorted(bySeq)];
}
