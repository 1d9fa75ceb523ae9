/** Small servers that answer exactly what a test says, down to the bytes, as a workspace or a proxy in front may. */
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { createClient, type Client, type ClientOptions } from "../../src/client/index.ts";

export interface RawServer {
  readonly baseUrl: string;
  readonly origin: string;
  /** Connections so far. */
  readonly sockets: readonly Socket[];
}

async function listening(server: Server): Promise<RawServer> {
  const sockets: Socket[] = [];
  server.on("connection", (socket) => {
    sockets.push(socket);
    socket.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, baseUrl: `${origin}/api/v1`, sockets };
}

/** Calls `answer` with each connection once the head of a request has come in. */
export function rawServer(answer: (socket: Socket, head: string) => void): Promise<RawServer> {
  return listening(
    createServer((socket) => {
      let head = "";
      socket.on("data", (chunk: Buffer) => {
        const whole = head.includes("\r\n\r\n");
        head += chunk.toString("latin1");
        if (!whole && head.includes("\r\n\r\n")) answer(socket, head);
      });
    }),
  );
}

export function httpServer(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<RawServer> {
  return listening(createHttpServer(answer));
}

/** Answers everything with one JSON value. */
export function jsonServer(body: unknown, status = 200, headers: Record<string, string> = {}): Promise<RawServer> {
  return httpServer((request, response) => {
    request.resume();
    response.writeHead(status, { "content-type": "application/json", "x-correlation-id": "c-1", ...headers });
    response.end(JSON.stringify(body));
  });
}

/** A client that is closed when the test is over. */
export function clientOf(server: Pick<RawServer, "baseUrl">, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ baseUrl: server.baseUrl, apiKey: "PARLEY-API-secret", ...options });
  onTestFinished(() => client.close());
  return client;
}
