/** One request with exactly the headers given: `fetch` sets Host by itself. */
import { request } from "node:http";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** @param headers `host` is the server's own address unless given */
export const ask = (
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
  host = "127.0.0.1",
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request({ host, port, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on("error", reject);
    });
    // A refused upgrade is answered as an ordinary response; an accepted one comes as this event.
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: "" });
    });
    sent.on("error", reject);
    sent.end();
  });

export const upgradeHeaders = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
} as const;
