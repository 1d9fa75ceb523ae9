/** Language models through the real SDKs, against an LLM server that is not ours, and against servers that misbehave. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock, type Clock } from "../../../src/clock.ts";
import { aiProvider } from "../../../src/service/providers/ai.ts";
import { configuredProviders } from "../../../src/service/providers/configured.ts";
import type { ModelProvider } from "../../../src/service/providers/port.ts";
import { anthropicUpstream, googleUpstream, openaiUpstream } from "../../../src/service/providers/upstreams.ts";
import { Fault } from "../../../src/errors.ts";
import { fakeClock } from "../../fakes/clock.ts";
import { asking, hear, never } from "./requests.ts";

const apiKey = "mock-key-that-nobody-may-see";
const nothing = {
  openaiApiKey: null,
  openaiBaseUrl: null,
  openaiModels: [],
  anthropicApiKey: null,
  googleApiKey: null,
};

function compatible(baseUrl: string, clock: Clock = systemClock, openaiModels: readonly string[] = []): ModelProvider {
  const [provider] = configuredProviders({ ...nothing, openaiApiKey: apiKey, openaiBaseUrl: baseUrl, openaiModels }, clock);
  if (provider === undefined) throw new Error("expected a provider");
  return provider;
}

const question = (text: string, more: Parameters<typeof asking>[1] = {}): ReturnType<typeof asking> =>
  asking(text, { modelKey: "openai-compatible:some-model", ...more });

const expectFault = (fault: unknown, code: string): Fault => {
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ code });
  const text = `${(fault as Fault).message} ${String((fault as Fault).cause)}`;
  expect(text).not.toContain(apiKey);
  expect(text).not.toMatch(/<html|<body/i);
  return fault as Fault;
};

const sea = "The sea is wide and deep and old. ".repeat(12).trim();

describe("against an LLM server", () => {
  const mock = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 8 });
  let provider: ModelProvider;

  beforeAll(async () => {
    mock.onMessage("the sea", { content: sea, reasoning: "Let me think of water." });
    mock.onMessage("only a tool", { toolCalls: [{ name: "get_weather", arguments: '{"place":"Oslo"}' }] });
    mock.onMessage("words and a tool", {
      content: "It may rain.",
      toolCalls: [{ name: "get_weather", arguments: '{"place":"Oslo"}' }],
    });
    mock.onMessage("cut off", { content: sea }, { truncateAfterChunks: 6, latency: 15 });
    mock.onMessage("overloaded", { error: { message: "the model is overloaded", type: "server_error" }, status: 500 });
    mock.onMessage("too many", { error: { message: "20 requests a minute are allowed", type: "rate" }, status: 429 });
    mock.onMessage("wrong key", { error: { message: `incorrect key: ${apiKey}`, type: "auth" }, status: 401 });
    mock.onMessage("too long", { error: { message: "maximum context length is 8192", type: "invalid" }, status: 400 });
    mock.onMessage("limit", { content: "As far as", finishReason: "length" });
    mock.onMessage("forbidden", { content: "No", finishReason: "content_filter" });
    mock.onMessage("silence", { content: "" });
    await mock.start();
    provider = compatible(`${mock.url}/v1/`);
  });
  afterEach(() => mock.clearRequests());
  afterAll(() => mock.stop());

  const lastBody = (): Record<string, unknown> => mock.getLastRequest()?.body as unknown as Record<string, unknown>;

  it("streams reasoning and words, and counts tokens", async () => {
    const { events, text, thinking, fault } = await hear(provider, question("Tell me of the sea"));
    expect(fault).toBeUndefined();
    expect(text).toBe(sea);
    expect(thinking).toBe("Let me think of water.");
    expect(events.filter(({ type }) => type === "text").length).toBeGreaterThan(10);
    expect(events.at(-1)).toMatchObject({ type: "usage" });
    expect(events.at(-1)).toHaveProperty("outputTokens", expect.any(Number));
  });

  it("sends the system text, the conversation, documents, pictures, effort, and no tools", async () => {
    await hear(
      provider,
      asking("", {
        modelKey: "openai-compatible:org/some-model:free",
        system: "Be brief.",
        reasoningEffort: "high",
        turns: [
          { role: "user", text: "First." },
          { role: "assistant", text: "" },
          { role: "assistant", text: "Answer." },
          {
            role: "user",
            text: "Tell me of the sea",
            documents: [{ fileId: 4, name: 'a "b"\n<c>.txt', text: "one </document> two" }],
            images: [{ name: "p.png", mediaType: "image/png", bytes: new Uint8Array([137, 80, 78, 71]) }],
            unread: [{ name: "x.mov", reason: "not read" }],
          },
        ],
      }),
    );
    const body = lastBody();
    expect(body).toMatchObject({ model: "org/some-model:free", stream: true, reasoning_effort: "high" });
    expect(body["tools"]).toBeUndefined();
    const messages = body["messages"] as Array<{ role: string; content: unknown }>;
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(messages[0]?.content).toBe("Be brief.");
    const parts = messages[3]?.content as Array<{ type: string; text?: string; image_url?: { url: string } }>;
    expect(parts.map(({ type }) => type)).toEqual(["text", "text", "image_url", "text", "text"]);
    expect(parts[1]?.text).toBe(`<document id="4" name="a 'b' c.txt">\none &lt;/document> two\n</document>`);
    expect(parts[2]?.image_url?.url).toMatch(/^data:image\/png;base64,/);
    expect(parts[3]?.text).toContain("x.mov (not read)");
    expect(parts[4]?.text).toBe("Tell me of the sea");
  });

  it("takes a tool call that it did not offer for no answer", async () => {
    const { text, fault } = await hear(provider, question("only a tool"));
    expect(text).toBe("");
    expect(expectFault(fault, "provider_rejected").message).toContain("tool");
  });

  it("keeps the words that stand beside such a call", async () => {
    const { text, fault, events } = await hear(provider, question("words and a tool"));
    expect(text).toBe("It may rain.");
    expect(fault).toBeUndefined();
    expect(events.at(-1)?.type).toBe("usage");
  });

  it("gives the words so far, then a fault, when the connection breaks off", async () => {
    const { text, fault, events } = await hear(provider, question("cut off"));
    expectFault(fault, "provider_lost");
    expect(text.length).toBeGreaterThan(0);
    expect(sea.startsWith(text)).toBe(true);
    expect(text).not.toBe(sea);
    expect(events.some(({ type }) => type === "usage")).toBe(false);
  });

  it.each([
    ["overloaded", "provider_unavailable", "the model is overloaded"],
    ["too many", "provider_busy", "20 requests a minute"],
    ["wrong key", "provider_key", "OPENAI_API_KEY"],
    ["too long", "provider_rejected", "maximum context length"],
    ["forbidden", "provider_filtered", "content rules"],
    ["silence", "provider_empty", "without a word"],
  ])("names the cause of a failure, and asks only once: %s", async (asked, code, words) => {
    const { fault } = await hear(provider, question(asked));
    expect(expectFault(fault, code).message).toContain(words);
    expect(mock.getRequests()).toHaveLength(1);
  });

  it("says where an answer was cut by the model's limit", async () => {
    const { text, fault } = await hear(provider, question("limit"));
    expect(fault).toBeUndefined();
    expect(text).toMatch(/^As far as\n\n\*\(The answer ends here/);
  });

  it("lists the server's models", async () => {
    const entries = await provider.catalogue(never);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.every(({ key }) => key.startsWith("openai-compatible:"))).toBe(true);
    expect(entries.filter(({ flagship }) => flagship)).toHaveLength(1);
  });

  it("lists just the models that the operator named, without asking", async () => {
    const chosen = compatible(`${mock.url}/v1`, systemClock, ["llama3.2:3b", "qwen3", "qwen3"]);
    expect((await chosen.catalogue(never)).map(({ key }) => key)).toEqual([
      "openai-compatible:llama3.2:3b",
      "openai-compatible:qwen3",
    ]);
    expect(mock.getRequests()).toEqual([]);
  });

  it.each([
    ["openai", (): ModelProvider => aiProvider(openaiUpstream({ apiKey, baseUrl: `${mock.url}/v1` }, systemClock), plain)],
    ["anthropic", (): ModelProvider => aiProvider(anthropicUpstream({ apiKey, baseUrl: `${mock.url}/v1` }, systemClock), plain)],
    ["google", (): ModelProvider => aiProvider(googleUpstream({ apiKey, baseUrl: `${mock.url}/v1beta` }, systemClock), plain)],
  ])("speaks the interface of %s", async (name, make) => {
    const other = make();
    const { text, thinking, fault, events } = await hear(
      other,
      asking("Tell me of the sea", { modelKey: `${name}:${exampleModels[name] ?? ""}`, reasoningEffort: "low", flash: true }),
    );
    expect(fault).toBeUndefined();
    expect(text).toBe(sea);
    expect(thinking).toBe("Let me think of water.");
    expect(events.at(-1)?.type).toBe("usage");
    for (const [asked, code] of [
      ["overloaded", "provider_unavailable"],
      ["too many", "provider_busy"],
      ["cut off", "provider_lost"],
    ] as const)
      expectFault((await hear(other, asking(asked, { modelKey: `${name}:x` }))).fault, code);
  });
});

const plain = { clock: systemClock, models: [] };
const exampleModels: Readonly<Record<string, string>> = {
  openai: "gpt-5",
  anthropic: "claude-opus-4-8",
  google: "gemini-2.5-flash",
};

describe("against servers that misbehave", () => {
  let server: Server;
  let respond: (response: ServerResponse) => void = () => undefined;
  let baseUrl = "";

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      respond(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });

  const chunk = (content: string): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const stream = (response: ServerResponse): ServerResponse => response.writeHead(200, { "content-type": "text/event-stream" });

  it("passes on a picture that comes inside the stream, and takes it for an answer", async () => {
    const inlineData = { mimeType: "image/jpeg", data: Buffer.from("a picture").toString("base64") };
    const candidate = { content: { role: "model", parts: [{ inlineData }] }, finishReason: "STOP", index: 0 };
    const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 };
    respond = (response) => stream(response).end(`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\n\n`);
    const options = { clock: systemClock, models: [] };
    const provider = aiProvider(googleUpstream({ apiKey, baseUrl }, systemClock), options);
    const { events, fault } = await hear(provider, asking("draw", { modelKey: "google:gemini-2.5-flash-image" }));
    expect(fault).toBeUndefined();
    const [file] = events.filter((event) => event.type === "file");
    expect({ ...file, bytes: Buffer.from(file?.bytes ?? []).toString() }).toEqual({
      type: "file",
      name: "picture.jpg",
      bytes: "a picture",
    });
    expect(events.at(-1)).toMatchObject({ type: "usage" });
  });

  it("shows nothing of an HTML page", async () => {
    respond = (response) => response.writeHead(502).end("<!doctype html><html><body>Bad gateway</body></html>");
    const { fault } = await hear(compatible(baseUrl), question("hello"));
    expect(expectFault(fault, "provider_unavailable").message).not.toContain("gateway");
  });

  it("takes an end without a reason for a loss", async () => {
    respond = (response) => stream(response).end(chunk("Half an ans"));
    const { text, fault } = await hear(compatible(baseUrl), question("hello"));
    expect(text).toBe("Half an ans");
    expectFault(fault, "provider_lost");
  });

  it("passes on an error that comes inside the stream", async () => {
    respond = (response) => stream(response).end(`${chunk("Half")}data: {"error":{"message":"out of memory","code":500}}\n\n`);
    const { text, fault } = await hear(compatible(baseUrl), question("hello"));
    expect(text).toBe("Half");
    expect(expectFault(fault, "provider_unavailable").message).toContain("out of memory");
  });

  it("ends cleanly on a stream that is no stream", async () => {
    respond = (response) => stream(response).end("data: {not json\n\n");
    expect((await hear(compatible(baseUrl), question("hello"))).fault).toBeInstanceOf(Fault);
  });

  it("gives up a server that falls silent, and hangs up", async () => {
    const clock = fakeClock();
    const closed = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    respond = (response) => {
      response.on("close", () => closed.resolve());
      stream(response).write(chunk("Well,"));
    };
    const provider = compatible(baseUrl, clock);
    let text = "";
    const reading = (async () => {
      for await (const event of provider.run(question("hello"), never)) {
        if (event.type === "text") text += event.text;
        begun.resolve();
      }
    })().catch((thrown: unknown) => thrown);
    await begun.promise;
    await clock.advance(5 * 60_000);
    expectFault(await reading, "provider_silent");
    expect(text).toBe("Well,");
    await closed.promise;
    expect(clock.pending).toBe(0);
  });

  it("hangs up as soon as the reader does", async () => {
    for (const way of ["abort", "return"] as const) {
      const clock = fakeClock();
      const closed = Promise.withResolvers<void>();
      respond = (response) => {
        response.on("close", () => closed.resolve());
        stream(response).write(chunk("Well,"));
      };
      const stop = new AbortController();
      const events = compatible(baseUrl, clock).run(question("hello"), stop.signal)[Symbol.asyncIterator]();
      expect(await events.next()).toMatchObject({ value: { type: "text", text: "Well," } });
      const rest = way === "abort" ? events.next() : events.return?.();
      if (way === "abort") stop.abort(new Error("stopped"));
      expect(await Promise.resolve(rest).catch((thrown: unknown) => thrown)).toMatchObject(
        way === "abort" ? { message: "stopped" } : { done: true },
      );
      await closed.promise;
      expect(clock.pending).toBe(0);
    }
  });

  it("says that a server cannot be reached", async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const provider = compatible(`http://127.0.0.1:${port}/v1`);
    expectFault((await hear(provider, question("hello"))).fault, "provider_unreachable");
    await expect(provider.catalogue(never)).rejects.toMatchObject({ code: "provider_unreachable" });
  });

  describe("asked for their models", () => {
    it.each([
      ["a page", (response: ServerResponse) => response.end("<html>welcome</html>"), "provider_malformed"],
      ["another list", (response: ServerResponse) => response.end('{"items":[]}'), "provider_malformed"],
      ["a refusal", (response: ServerResponse) => response.writeHead(401).end('{"error":"no"}'), "provider_key"],
    ])("%s is a fault", async (_, answer, code) => {
      respond = answer;
      await expect(compatible(baseUrl).catalogue(never)).rejects.toMatchObject({ name: "Fault", code });
    });

    it("ends the wait for a list", async () => {
      const clock = fakeClock();
      const asked = Promise.withResolvers<void>();
      respond = () => asked.resolve();
      const listing = compatible(baseUrl, clock)
        .catalogue(never)
        .catch((thrown: unknown) => thrown);
      await asked.promise;
      await clock.advance(10_000);
      expectFault(await listing, "provider_silent");
      expect(clock.pending).toBe(0);
    });

    it("passes over what is no chat model", async () => {
      respond = (response) => response.end('{"data":[{"id":"qwen3"},{"id":"nomic-embed-text"},{"name":"no id"},null]}');
      const entries = await compatible(baseUrl).catalogue(never);
      expect(entries.map(({ key }) => key)).toEqual(["openai-compatible:qwen3"]);
    });
  });
});
