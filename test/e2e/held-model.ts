/** A language model behind OpenAI's interface that begins every answer, and ends none before it is told to. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface HeldModel {
  /** For the workspace. */
  readonly env: Readonly<Record<string, string>>;
  /** How each answer begins, and how it ends. */
  readonly beginning: string;
  readonly end: string;
  /** Ends all answers, and those that are asked for from now on at once. */
  finish(): void;
  close(): Promise<void>;
}

const beginning = "The beginning";
const end = "and the end.";

export async function openHeldModel(): Promise<HeldModel> {
  const finished = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" }).end('{"object":"list","data":[{"id":"held"}]}');
      return;
    }
    request.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const say = (delta: object, reason: string | null): void => {
      const choices = [{ index: 0, delta, finish_reason: reason }];
      response.write(
        `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "held", choices })}\n\n`,
      );
    };
    say({ role: "assistant", content: `${beginning} ` }, null);
    void finished.promise.then(() => {
      say({ content: end }, null);
      say({}, "stop");
      response.end("data: [DONE]\n\n");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    env: { OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, OPENAI_MODELS: "held" },
    beginning,
    end,
    finish: () => finished.resolve(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
