/** Parley in front of a workspace that is another process: nothing is shared but the interface. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startParley, type Parley } from "./parley.ts";

const key = `PARLEY-API-${"k".repeat(64)}`;
const patient = { timeout: 60_000, interval: 100 };

describe("with a hosted workspace", () => {
  let workspace: Parley;
  let parley: Parley;

  beforeAll(async () => {
    workspace = await startParley({ WORKSPACE_API_KEY: key }, { command: "workspace" });
    parley = await startParley({ WORKSPACE_BASE_URL: workspace.url, WORKSPACE_API_KEY: key });
  });
  afterAll(async () => {
    await parley?.close();
    await workspace?.close();
  });

  const say = async (text: string): Promise<string> => {
    const id = randomUUID();
    const body = JSON.stringify({ id, channel: "general", thread: null, text, files: [] });
    const sent = await fetch(`${parley.url}/console/api/messages`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(sent.status).toBe(200);
    return id;
  };
  const reply = async (
    id: string,
  ): Promise<{ state: string; text: string; status: string | null; notice: string | null; messages: number }> => {
    const thread = await fetch(`${parley.url}/console/api/threads/${id}`);
    const { messages } = (await thread.json()) as {
      messages: Array<{ document: { state: string; blocks: unknown; status: string | null; notice: string | null } }>;
    };
    const { state = "none", blocks = [], status = null, notice = null } = messages[1]?.document ?? {};
    return { state, status, notice, text: JSON.stringify(blocks), messages: messages.length };
  };
  const stateOf = async (id: string): Promise<string> => (await reply(id)).state;

  test("a mention is answered", async () => {
    const id = await say("@parley what can you do?");
    await expect.poll(() => stateOf(id), patient).toBe("done");
    expect((await reply(id)).text).toMatch(/language model/i);
  });

  test("an answer that the workspace's death cut off is completed in the same message once it is back", async () => {
    const id = await say("@parley write 150 words");
    await expect.poll(async () => (await reply(id)).text.length, patient).toBeGreaterThan(200);
    await workspace.kill();
    const ready = await fetch(`${parley.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      checks: { workspace: expect.stringMatching(/does not answer/) as unknown, store: "ready" },
    });
    await workspace.restart();
    await expect.poll(() => stateOf(id), patient).toBe("done");
    const { text, messages } = await reply(id);
    expect(messages).toBe(2);
    expect(text.split(/\s+/).length).toBeGreaterThan(140);
  });

  test("a message while the workspace is away is told so, and answered when it is back", async () => {
    await workspace.kill();
    const id = await say("@parley anybody there?");
    await expect.poll(async () => (await reply(id)).status, patient).toMatch(/cannot be reached; trying again/);
    await workspace.restart();
    await expect.poll(() => stateOf(id), patient).toBe("done");
  });
});
