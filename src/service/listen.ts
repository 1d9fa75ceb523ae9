/** Serves a workspace alone on a port of its own: for `parley workspace`, and for tests. */
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { restRoot } from "./http.ts";
import type { Service } from "./service.ts";

export interface Listening {
  /** The REST root, such as `http://127.0.0.1:4000/api/v1`. */
  readonly url: string;
  /** Ends every connection, then the port. The service itself stays open. */
  close(): Promise<void>;
}

/** Listens on `host` and `port`; port 0 takes a free one. */
export async function listenService(service: Service, { host, port }: { host: string; port: number }): Promise<Listening> {
  const listener = getRequestListener((request) => service.fetch(request), { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response));
  // The server forgets a socket once it is upgraded, and would wait for it at the end.
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (request, socket, head) => {
    if (!service.upgrade(request, socket, head))
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const bound = (server.address() as AddressInfo).port;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${bound}${restRoot}`;
  service.setPublicUrl(url);
  return {
    url,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        for (const socket of sockets) socket.destroy();
      }),
  };
}
