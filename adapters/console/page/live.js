/** The live connection: comes back by itself, and says how it is. */
import { openState, set, takeEvent } from "./store.js";

/** @import {Frame} from "../wire.ts" */

/** The server gives a sign of life every 15 s; after more than twice that the connection is dead, whatever the socket says. */
const silenceMs = 40_000;
const firstWaitMs = 500;
const longestWaitMs = 15_000;

/** How far this page has come in which run of the server. */
let run = "";
let seq = 0;
let failures = 0;
/** @type {WebSocket | null} */
let socket = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let silence;

function heard() {
  clearTimeout(silence);
  silence = setTimeout(() => socket?.close(), silenceMs);
}

/** @param {Frame} frame */
async function take(frame) {
  if (frame.type === "beat") return socket?.send("beat");
  if (frame.type === "events") {
    for (const event of frame.events) {
      seq = Math.max(seq, event.seq);
      takeEvent(event);
    }
    return;
  }
  if (!frame.resumed) {
    run = frame.run;
    seq = frame.seq;
    // Read after the connection is there, so that nothing falls between the two.
    await openState();
  }
  failures = 0;
  set({ connection: "Connected" });
}

/** Opens the connection now; while there is one, does nothing. */
export function connect() {
  if (socket !== null) return;
  clearTimeout(retry);
  const { protocol, host } = location;
  const opened = new WebSocket(
    `${protocol === "https:" ? "wss" : "ws"}://${host}/console/ws?${new URLSearchParams({ run, since: String(seq) })}`,
  );
  socket = opened;
  heard();
  opened.addEventListener("message", ({ data }) => {
    heard();
    void take(JSON.parse(data));
  });
  opened.addEventListener("close", () => {
    clearTimeout(silence);
    socket = null;
    set({ connection: navigator.onLine ? "Reconnecting…" : "Offline" });
    // Spread, so that many pages do not come back in the same moment.
    const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** failures++) * (0.75 + Math.random() / 2);
    retry = setTimeout(connect, wait);
  });
}

addEventListener("online", connect);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) connect();
});
