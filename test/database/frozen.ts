/** A way to PostgreSQL that can freeze: connections stay, and nothing passes any more, as with a stopped server. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";

export interface Way {
  /** `url` with this way in place of its server. */
  through(url: string): string;
  freeze(): void;
  thaw(): void;
  /** Every connection breaks, as when the server dies. */
  cut(): void;
  close(): Promise<void>;
}

export async function openWay(to: string): Promise<Way> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port || 5432) });
    for (const [from, onto] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      if (frozen) from.pause();
      from.on("data", (bytes) => onto.write(bytes));
      from.on("error", () => onto.destroy());
      from.on("close", () => {
        sockets.delete(from);
        onto.destroy();
      });
      if (frozen) from.pause();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const way: Way = {
    through(url) {
      const changed = new URL(url);
      changed.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      return changed.href;
    },
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      way.cut();
      server.close();
      await once(server, "close");
    },
  };
  return way;
}
