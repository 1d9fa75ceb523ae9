/** The live channel, stop and second sends through the front door. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../../src/contract/records.ts";
import { faultOf, startWorkspace, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
let plain: number;
beforeAll(async () => {
  workspace = await startWorkspace();
  plain = await workspace.modelId("test:plain");
});
afterAll(() => workspace.close());

const conversations = () => workspace.owner.conversations;

/** A conversation whose reply waits to be released, and has shown its first word. */
async function held(): Promise<number> {
  const { conversationId } = await conversations().start({ message: "hold", ai_model_id: plain });
  await expect.poll(async () => (await newest(conversationId)).text).toBe("You ");
  return conversationId;
}
const newest = async (id: number): Promise<Message> => (await conversations().messages(id, { size: 1 })).items[0]!;

describe("following", () => {
  test("shows a reply from where it is to its end: whole messages, with the raw text, in status order", async () => {
    const id = await held();
    const seen: Message[] = [];
    const messages = await conversations().follow(id);
    for await (const message of messages) {
      if (seen.length === 0) workspace.provider.release();
      seen.push(message);
      if (message.status === "finished") break;
    }
    expect(seen[0]).toMatchObject({ isUser: false, status: "generating", text: "You " });
    expect(seen.at(-1)).toMatchObject({
      status: "finished",
      text: "You said: hold",
      raw_text: "You said: hold",
      credits_used: "0.04",
    });
    for (const [index, { text }] of seen.entries()) expect(text.startsWith(seen[Math.max(0, index - 1)]!.text)).toBe(true);
    expect(new Set(seen.map(({ ID }) => ID)).size).toBe(1);
  });

  test("shows later questions and answers of the same conversation, to everyone who follows", async () => {
    const { conversationId: id } = await conversations().startAndWait({ message: "first", ai_model_id: plain });
    const collect = async (messages: AsyncIterable<Message>): Promise<string[]> => {
      const texts: string[] = [];
      for await (const { isUser, text, status } of messages) {
        texts.push(`${isUser ? "asked" : status}: ${text}`);
        if (!isUser && status === "finished") break;
      }
      return texts;
    };
    const channels = await Promise.all([conversations().follow(id), conversations().follow(id)]);
    await conversations().followUp(id, { message: "second" });
    for (const texts of await Promise.all(channels.map(collect))) {
      expect(texts[0]).toBe("asked: second");
      expect(texts.at(-1)).toBe("finished: You said: second");
    }
  });

  test("ends when the conversation is deleted", async () => {
    const id = await held();
    const messages = await conversations().follow(id);
    const all = (async () => {
      for await (const _ of messages);
      return "ended";
    })();
    await conversations().remove(id);
    expect(await all).toBe("ended");
  });

  test("a failure is shown as a finished message with its text", async () => {
    const { conversationId: id } = await conversations().startAndWait({ message: "first", ai_model_id: plain });
    const messages = await conversations().follow(id);
    await conversations().followUp(id, { message: "fail" });
    for await (const message of messages) {
      if (message.isUser || message.status !== "finished") continue;
      expect(message).toMatchObject({ text: "You ", error_text: "The test provider broke off." });
      break;
    }
  });

  test("needs the permission to read, which one to send does not give; unknown conversations are not found", async () => {
    const { conversationId: id } = await conversations().startAndWait({ message: "first", ai_model_id: plain });
    const { client } = await workspace.keyWith(["conversations_manage"]);
    expect(await faultOf(client.conversations.follow(id))).toMatchObject({ kind: "forbidden", status: 403 });
    expect(await faultOf(conversations().follow(999_999))).toMatchObject({ kind: "not_found", status: 404 });
    expect(await workspace.ask("GET", `/conversation/${id}/ws`)).toMatchObject({ status: 426 });
  });
});

describe("without the live channel", () => {
  test("polling sees the reply grow and end", async () => {
    const id = await held();
    expect(await newest(id)).toMatchObject({ status: "generating", text: "You " });
    workspace.provider.release();
    await expect.poll(async () => (await newest(id)).status).toBe("finished");
    expect((await newest(id)).text).toBe("You said: hold");
  });
});

describe("stop", () => {
  test("ends the reply with what there is, without an error", async () => {
    const id = await held();
    expect(await conversations().stop(id)).toBe(true);
    expect(await newest(id)).toMatchObject({ status: "finished", text: "You ", error_text: null });
    expect(await conversations().stop(id)).toBe(true);
    expect((await conversations().followUpAndWait(id, { message: "on" }))?.text).toBe("You said: on");
  });
});

describe("a second send while the first is answered", () => {
  test("waits for it and sees its answer", async () => {
    const id = await held();
    await conversations().followUp(id, { message: "after" });
    workspace.provider.release();
    await expect.poll(async () => (await newest(id)).text).toBe("You said: after");
    expect(workspace.provider.requests.at(-1)!.turns.map(({ text }) => text)).toEqual(["hold", "You said: hold", "after"]);
  });
});
