import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import type { Message } from "../../../src/contract/records.ts";
import { socketFollower } from "../../../src/service/live/socket.ts";

/** A reader that takes a frame only when told to. */
function slowReader() {
  const taken: Array<{ id: number; text: string }> = [];
  let waiting: (() => void) | undefined;
  const socket = {
    OPEN: 1,
    readyState: 1,
    send(frame: string, done: () => void) {
      if (waiting !== undefined) throw new Error("expected one frame at a time");
      const { data } = JSON.parse(frame) as { data: Message };
      waiting = () => {
        taken.push({ id: data.ID, text: data.text });
        waiting = undefined;
        done();
      };
    },
  };
  return { socket: socket as unknown as WebSocket, taken, take: () => waiting?.() };
}
const message = (ID: number, text: string): Message => ({ ID, text }) as Message;

test("a slow reader misses what lies between, never the last of each message", () => {
  const { socket, taken, take } = slowReader();
  const follower = socketFollower(socket);
  for (let step = 0; step <= 1000; step++) {
    follower.show(message(1, `one ${step}`));
    follower.show(message(2, `two ${step}`));
  }
  for (let step = 0; step < 10; step++) take();
  expect(taken).toEqual([
    { id: 1, text: "one 0" },
    { id: 2, text: "two 1000" },
    { id: 1, text: "one 1000" },
  ]);
});
