/** A language model behind OpenAI's interface, for the workspace: it answers what it is asked about, and keeps a log. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { markIn, wholeAnswer } from "./marks.ts";
import type { Random } from "./random.ts";

export interface ModelCall {
  readonly mark: string;
  readonly began: number;
  /** When the last word was sent; null: it was not. */
  ended: number | null;
}

export interface SoakModel {
  /** For `OPENAI_BASE_URL`. */
  readonly url: string;
  /** Every answer that was asked for, in order. */
  readonly calls: readonly ModelCall[];
  close(): Promise<void>;
}

export interface SoakModelOptions {
  readonly random: Random;
  /** How long an answer takes, in ms. */
  readonly least: number;
  readonly most: number;
}

const pieces = 8;

interface Request {
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export async function openModel({ random, least, most }: SoakModelOptions): Promise<SoakModel> {
  const calls: ModelCall[] = [];
  const stop = new AbortController();
  const say = async (response: ServerResponse, mark: string): Promise<void> => {
    const call: ModelCall = { mark, began: Date.now(), ended: null };
    calls.push(call);
    const takes = least + random.next() * (most - least);
    const words = wholeAnswer(mark);
    const size = Math.ceil(words.length / pieces);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = (delta: object, reason: string | null): void =>
      void response.write(
        `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "soak", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`,
      );
    for (let at = 0; at < words.length; at += size) {
      await wait(takes / pieces, undefined, { signal: stop.signal });
      if (response.destroyed) return;
      chunk({ role: "assistant", content: words.slice(at, at + size) }, null);
    }
    chunk({}, "stop");
    call.ended = Date.now();
    response.end("data: [DONE]\n\n");
  };
  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      if (request.method === "GET")
        return void response
          .writeHead(200, { "content-type": "application/json" })
          .end('{"object":"list","data":[{"id":"soak"}]}');
      const { messages } = JSON.parse(await text(request)) as Request;
      const asked = messages.findLast(({ role }) => role === "user");
      await say(response, markIn(JSON.stringify(asked?.content ?? "")) ?? "none");
    };
    // Only at the end, or when the workspace has died.
    serve().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    async close() {
      stop.abort();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
