/** One follower behind a WebSocket: whole messages, the newest state of each, as fast as the reader takes them. */
import type { WebSocket } from "ws";
import type { MessageFrame } from "../../contract/live.ts";
import type { Message } from "../../contract/records.ts";
import type { Follower } from "./hub.ts";

/** Shows messages on `socket`. A slow reader misses states between, never the last, and makes nothing pile up here. */
export function socketFollower(socket: WebSocket): Follower {
  // The newest unsent state of each message, in the order in which the messages first changed.
  const unsent = new Map<number, Message>();
  let sending = false;

  const sendNext = (): void => {
    const [next] = unsent;
    if (sending || next === undefined || socket.readyState !== socket.OPEN) return;
    const [id, data] = next;
    unsent.delete(id);
    sending = true;
    // Called back once the system took the bytes; a reader that takes none holds back all that follows.
    socket.send(JSON.stringify({ event: "message", data } satisfies MessageFrame), () => {
      sending = false;
      sendNext();
    });
  };
  return {
    show(message) {
      unsent.set(message.ID, message);
      sendNext();
    },
    end: () => socket.close(1000, "the conversation was deleted"),
  };
}
