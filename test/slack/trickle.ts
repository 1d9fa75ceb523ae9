/** Connections that send their requests so slowly that they never end. */
import { connect, type Socket } from "node:net";

export interface Trickle {
  /** So many are open now. */
  readonly open: number;
  end(): void;
}

/** @param count of connections; one that is closed, as its headers took too long, is opened anew */
export function trickle(port: number, count: number): Trickle {
  const slow = new Set<Socket>();
  let over = false;
  const hold = (): void => {
    const socket = connect(port, "127.0.0.1");
    slow.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      slow.delete(socket);
      if (!over) hold();
    });
    socket.write("POST /slack/events HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000\r\n");
  };
  for (let index = 0; index < count; index++) hold();
  const timer = setInterval(() => {
    for (const socket of slow) socket.write("x: y\r\n");
  }, 250);
  return {
    get open() {
      return [...slow].filter(({ connecting }) => !connecting).length;
    },
    end() {
      over = true;
      clearInterval(timer);
      for (const socket of slow) socket.destroy();
    },
  };
}
