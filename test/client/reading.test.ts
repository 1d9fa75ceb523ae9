/** Answers are read tolerantly: what is missing has a default, what is unknown is left out, and a page is never taken for the last by its length. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMessage } from "../../src/client/records.ts";
import { clientOf, httpServer, jsonServer } from "./raw-server.ts";

describe("records", () => {
  test("absent and null fields have defaults; unknown fields are left out", async () => {
    const server = await jsonServer([{ ID: 7, isUser: false, text: "hi", parts: null, citations: null, surprise: 1 }]);
    const { items } = await clientOf(server).conversations.messages(1);
    expect(items).toEqual([
      expect.objectContaining({ ID: 7, text: "hi", parts: [], citations: [], attachments: [], tools: [], status: "finished" }),
    ]);
    expect(items[0]).not.toHaveProperty("surprise");
    expect(items[0]).not.toHaveProperty("credits_used");
    expect(items[0]).not.toHaveProperty("raw_text");
  });

  test("messages are found in an envelope, among other lists", async () => {
    const rows = [
      { ID: 2, isUser: false },
      { ID: 1, isUser: true },
    ];
    for (const body of [{ messages: rows }, { ID: 9, agents: [], users: [{ ID: 5 }], items: rows }]) {
      const { items } = await clientOf(await jsonServer(body)).conversations.messages(9);
      expect(items.map(({ ID }) => ID)).toEqual([2, 1]);
    }
    expect((await clientOf(await jsonServer({ ID: 9, messages: [] })).conversations.messages(9)).items).toEqual([]);
  });

  test("a status that nobody knows is work in progress", () => {
    expect(readMessage({ ID: 1, status: "queued" }).status).toBe("generating");
  });

  test("money stays a string, and a number is taken for what it says", () => {
    expect(readMessage({ ID: 1, credits_used: "0.012500000000000000001" }).credits_used).toBe("0.012500000000000000001");
    expect(readMessage({ ID: 1, credits_used: 0.5 }).credits_used).toBe("0.5");
  });

  test("a job's prompt and model are read by whatever name the model has, and are absent where nothing says them", async () => {
    const rows = [
      { ID: 3, status: "done", prompt: "waves", video_generation_model_id: 4 },
      { ID: 2, status: "done", model_id: 5 },
      { ID: 1, prompt: null, music_generation_model_id: "six" },
    ];
    const { items } = await clientOf(await jsonServer(rows)).jobs.list("video");
    expect(items.map(({ prompt, model_id }) => [prompt, model_id])).toEqual([
      ["waves", 4],
      [undefined, 5],
      [undefined, undefined],
    ]);
  });

  test("parts keep the field that their type names", () => {
    const part = { id: "p", type: "web_search", static: true, web_search_part: { query: "tide" } };
    expect(readMessage({ ID: 1, parts: [part] }).parts).toEqual([part]);
  });

  test("any JSON at all reads as a record of the contract's types", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("ID", "text", "parts", "citations", "status", "agent", "ai_model"), fc.jsonValue()),
        (value) => {
          const message = readMessage(value);
          expect(typeof message.text).toBe("string");
          expect(Array.isArray(message.parts) && Array.isArray(message.citations)).toBe(true);
          expect(["thinking", "generating", "finished"]).toContain(message.status);
        },
      ),
    );
  });

  test("a model that does not say whether it is selectable is; filters are lists or null", async () => {
    expect((await clientOf(await jsonServer([{ ID: 1, name: "m", successor: { ID: 2 } }])).models.list())[0]).toMatchObject({
      selectable: true,
      multiplier: "0",
      successor: { ID: 2, selectable: true },
    });
    expect(await clientOf(await jsonServer({ tags: null, tools: ["a"] })).models.filters()).toEqual({
      powered_by: null,
      tools: ["a"],
      tags: null,
    });
  });

  test("an empty body on success is no error where nothing is needed, and an empty list where a list is", async () => {
    const server = await httpServer((_, response) => response.writeHead(200).end());
    const client = clientOf(server);
    await client.conversations.followUp(1, { message: "and?" });
    await client.agents.remove("slug1234");
    expect(await client.models.list()).toEqual([]);
    await expect(client.agents.get(1)).rejects.toMatchObject({ kind: "malformed" });
  });
});

describe("the ID of a started conversation", () => {
  test.for([
    [{ conversation_context_id: 42 }],
    [{ conversation_context_id: "42" }],
    [{ conversation_id: 42, ID: 7 }],
    [{ ID: 42, slug: "abcdefgh" }],
    [{ id: 42 }],
    [{ message: { ID: 7, isUser: true, conversation_context_id: 42 } }],
    [{ data: { conversation_id: 42 } }],
    [{ conversation: { ID: 42 } }],
    [{ ID: 7, isUser: true, conversation_context_id: 42 }],
  ])("is found in %j", async ([body]) => {
    expect(await clientOf(await jsonServer(body)).conversations.start({ message: "hi" })).toEqual({ conversationId: 42 });
  });

  test.for([[{ ID: 7, isUser: true }], [{}], [[]], [{ conversation_context_id: 0 }], [{ conversation_context_id: -1 }], ["42"]])(
    "is not made up from %j",
    async ([body]) => {
      const server = await jsonServer(body);
      await expect(clientOf(server).conversations.start({ message: "hi" })).rejects.toMatchObject({ kind: "malformed" });
    },
  );
});

describe("all pages", () => {
  interface Shown {
    readonly page: number;
    readonly size: number;
  }
  /** Serves what `rows` gives for each page, and notes which pages were asked for. */
  async function paged(rows: (shown: Shown) => number[], headers: (shown: Shown) => Record<string, string>) {
    const asked: number[] = [];
    const server = await httpServer((request, response) => {
      const query = new URL(request.url ?? "", "http://any").searchParams;
      const shown = { page: Number(query.get("page")), size: Number(query.get("size")) };
      asked.push(shown.page);
      response.writeHead(200, headers(shown));
      response.end(JSON.stringify(rows(shown).map((ID) => ({ ID, name: `n${ID}` }))));
    });
    return { client: clientOf(server), asked };
  }

  test("short and empty pages are passed until the total is covered, as the list filters after paging", async () => {
    const { client, asked } = await paged(
      ({ page }) => (page === 2 ? [] : [page]),
      () => ({ "x-total-count": "250" }),
    );
    expect((await client.projects.all()).map(({ ID }) => ID)).toEqual([1, 3]);
    expect(asked).toEqual([1, 2, 3]);
  });

  test("a workspace that gives smaller pages than asked for is read to its end", async () => {
    const { client } = await paged(
      ({ page }) => [page * 2 - 1, page * 2],
      () => ({ "x-total-count": "6", "x-page-size": "2" }),
    );
    expect((await client.agents.all()).map(({ ID }) => ID)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("records that shift between pages come once", async () => {
    const { client } = await paged(
      ({ page }) => (page === 1 ? [1, 2, 3] : [3, 4]),
      () => ({ "x-total-count": "5", "x-page-size": "3" }),
    );
    expect((await client.agents.all({ shared: false })).map(({ ID }) => ID)).toEqual([1, 2, 3, 4]);
  });

  test("without a total it ends with a page that brings nothing new, even where paging is ignored", async () => {
    const { client, asked } = await paged(
      () => [1, 2],
      () => ({}),
    );
    expect(await client.agents.all()).toHaveLength(2);
    expect(asked).toEqual([1, 2]);
  });

  test("a total that is never covered is a fault, not an endless loop", async () => {
    const { client } = await paged(
      () => [],
      () => ({ "x-total-count": "999999999999" }),
    );
    await expect(client.projects.all()).rejects.toMatchObject({ kind: "malformed" });
  });
});

describe("stop", () => {
  test.for([404, 405, 501])("is false where the workspace has no such route (%i)", async (status) => {
    expect(await clientOf(await jsonServer({ error: "no" }, status)).conversations.stop(1)).toBe(false);
  });
  test("is true on any success, and other errors are faults", async () => {
    expect(await clientOf(await jsonServer(null)).conversations.stop(1)).toBe(true);
    await expect(clientOf(await jsonServer({}, 503)).conversations.stop(1)).rejects.toMatchObject({ kind: "unavailable" });
  });
});

describe("what is asked", () => {
  test("slugs are escaped, the project goes in its header, queries leave out what is not given", async () => {
    const seen: Array<{ url: string | undefined; project: unknown; key: string | undefined }> = [];
    const server = await httpServer((request, response) => {
      request.resume();
      seen.push({ url: request.url, project: request.headers["x-project-id"], key: request.headers.authorization });
      response.end('{"conversation_context_id":3,"ID":3}');
    });
    const client = clientOf(server);
    await client.agents.get("../key?x#y");
    await client.conversations.start({ message: "hi" }, { projectId: 12 });
    const key = "Bearer PARLEY-API-secret";
    expect(seen).toEqual([
      { url: "/api/v1/agents/..%2Fkey%3Fx%23y", project: undefined, key },
      { url: "/api/v1/conversation/stream", project: "12", key },
    ]);
  });
});
