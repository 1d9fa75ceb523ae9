/** The client's connections are its own: the process's global dispatcher is neither used nor changed. */
import { Agent, getGlobalDispatcher, MockAgent, setGlobalDispatcher } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { clientOf, httpServer, jsonServer } from "./raw-server.ts";

test("a global dispatcher that lets nothing through stops no call, upload or download", async () => {
  const before = getGlobalDispatcher();
  onTestFinished(() => setGlobalDispatcher(before));
  const closed = new MockAgent();
  closed.disableNetConnect();
  setGlobalDispatcher(closed);
  const server = await httpServer((request, response) => {
    request.resume();
    request.on("end", () => response.end(request.url?.startsWith("/api") === true ? '[{"ID":1}]' : "bytes"));
  });
  await expect(fetch(server.origin)).rejects.toThrow("fetch failed");
  const client = clientOf(server);
  async function* content(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1);
  }
  expect(await client.models.list()).toHaveLength(1);
  expect(await client.files.upload("a.txt", "text/plain", content())).toMatchObject({ ID: 1 });
  for await (const chunk of await client.files.download("/bytes")) expect(Buffer.from(chunk).toString()).toBe("bytes");
  expect(getGlobalDispatcher()).toBe(closed);
});

test("a dispatcher that is given is used, and stays open for its owner", async () => {
  const server = await jsonServer([{ ID: 1 }]);
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.close());
  const client = clientOf(server, { dispatcher });
  expect(await client.models.list()).toHaveLength(1);
  await client.close();
  expect(await clientOf(server, { dispatcher }).models.list()).toHaveLength(1);
});
