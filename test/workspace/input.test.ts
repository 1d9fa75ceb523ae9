/** Bad input: a clear error that names what was wrong, and nothing lost. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentBody, startBody } from "../../src/contract/bodies.ts";
import { mediaErrors } from "../../src/contract/errors.ts";
import { jobKinds } from "../../src/contract/media.ts";
import { routes } from "../../src/contract/routes.ts";
import { startWorkspace, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
let plain: number;
beforeAll(async () => {
  workspace = await startWorkspace();
  plain = await workspace.modelId("test:plain");
});
afterAll(() => workspace.close());

const send = (path: string, body: string | Buffer, method = "POST") =>
  workspace.ask(method, path, { headers: { "content-type": "application/json" }, body });

const writing = routes.filter(
  ({ method, path, status }) =>
    status === "served" &&
    ["POST", "PATCH", "PUT"].includes(method) &&
    path !== "/file" &&
    !/public|stop|duplicate|move-to-project|favorite|instance|(?:generation|transcription)\/:id\/retry/.test(path),
);
/** A job without a model that exists is answered so, by the interface's own words. */
const isJobRefusal = ({ status, body }: Awaited<ReturnType<typeof send>>): boolean =>
  status === 500 && jobKinds.some((kind) => (body as { error?: unknown } | null)?.error === mediaErrors.jobNotCreated(kind));

describe("malformed JSON", () => {
  test.for(writing)("$method $path: 400 with a text", async ({ method, path }) => {
    const target = await existing(path);
    for (const body of ["{", "[1,", "nonsense", '{"message":"a"', "\u0000", Buffer.from([0xff, 0xfe, 0x7b])]) {
      expect(await send(target, body, method)).toMatchObject({ status: 400, body: { error: expect.any(String) as string } });
    }
    for (const body of ["[]", "5", "null", '"text"']) {
      expect(await send(target, body, method)).toMatchObject({ status: 400, body: { error: expect.any(String) as string } });
    }
  });
});

/** The path with the ID of something that is there. */
async function existing(path: string): Promise<string> {
  if (path.startsWith("/agents")) return path.replace(":id", String((await workspace.owner.agents.create({ name: "A" })).ID));
  const { conversationId } = await workspace.owner.conversations.startAndWait({ message: "x", ai_model_id: plain });
  return path.replace(":id", String(conversationId));
}

describe("wrong types", () => {
  test.for([
    ["/conversation", { message: 5 }, "message"],
    ["/conversation", { message: "x", ai_model_id: "one" }, "ai_model_id"],
    ["/conversation", { message: "x", ai_model_id: 1.5 }, "ai_model_id"],
    ["/conversation", { message: "x", ai_model_id: -1 }, "ai_model_id"],
    ["/conversation", { message: "x", auto_model_type: "cheapest" }, "auto_model_type"],
    ["/conversation", { message: "x", attachments: {} }, "attachments"],
    ["/conversation", { message: "x", attachments: [{ id: "7" }] }, "attachments.0.id"],
    ["/conversation", { message: "x", attachments: [{ id: 7, type: "film" }] }, "attachments.0.type"],
    ["/conversation", { message: "x", tools: [{ use: true }] }, "tools.0.name"],
    ["/conversation", { message: "x", world_knowledge: "yes" }, "world_knowledge"],
    ["/conversation", { message: "x", knowledge_base_ids: ["a"] }, "knowledge_base_ids.0"],
    ["/run", { prompt: ["x"] }, "prompt"],
    ["/agents", { name: "A", ai_model_id: "x" }, "ai_model_id"],
    ["/agents", { name: 7 }, "name"],
    ["/project", { name: {} }, "name"],
    ["/prompt", { name: 7 }, "name"],
    ["/prompt", { name: "A", tools: [{ use: true }] }, "tools.0.name"],
    ["/prompt_version", { content: "x" }, "prompt_id"],
    ["/prompt_version", { prompt_id: 1 }, "content"],
    ["/variable", { data_type: "colour" }, "data_type"],
    ["/run/prompt/1/variables", { variable_values: [{ value: "x" }] }, "variable_values.0.variable_id"],
    ["/run/prompt/1", {}, "data"],
  ] as const)("%s %j: the error names %s", async ([path, body, field]) => {
    const before = (await workspace.owner.conversations.list()).total;
    const answer = await send(path, JSON.stringify(body));
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(field) as string } });
    expect((await workspace.owner.conversations.list()).total).toBe(before);
  });

  test("null counts as left out, and unknown fields are ignored", async () => {
    const body = { message: "x", ai_model_id: plain, agent_id: null, tools: null, attachments: null, surprise: { deep: [1] } };
    expect(await send("/conversation", JSON.stringify(body))).toMatchObject({ status: 200 });
  });

  test("a body that pretends to change prototypes changes nothing", async () => {
    const body = `{"message":"x","ai_model_id":${plain},"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`;
    expect(await send("/conversation", body)).toMatchObject({ status: 200 });
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("any JSON at all", () => {
  const fields = [...Object.keys(startBody.shape), ...Object.keys(agentBody.shape), "prompt", "message_id", "__proto__"];
  const anyBody = fc.dictionary(
    fc.constantFrom(...fields),
    fc.oneof(fc.jsonValue(), fc.integer(), fc.array(fc.nat()), fc.constant([{ id: 1 }]), fc.string({ unit: "binary" })),
  );

  test.for(writing)("$method $path: accepted or refused, never a fault of the server", async ({ method, path }) => {
    const target = await existing(path);
    await fc.assert(
      fc.asyncProperty(anyBody, async (body) => {
        const answer = await send(target, JSON.stringify(body), method);
        expect(answer.status === 500 && !isJobRefusal(answer)).toBe(false);
      }),
      { numRuns: 30 },
    );
  });
});

describe("size", () => {
  test("1 MB of text is sent, stored and read back whole, whatever its characters", async () => {
    const text = 'line "quoted"\n\t\\ ü🌊\u0001'.repeat(1 + (1024 * 1024) / 24).slice(0, 1024 * 1024);
    const { conversationId, message } = await workspace.owner.conversations.startAndWait({ message: text, ai_model_id: plain });
    expect(message!.text === `You said: ${text}`).toBe(true);
    const { items } = await workspace.owner.conversations.messages(conversationId);
    expect(items[1]!.text === text).toBe(true);
  });

  test("beyond the bound it is 413, with the bound, and the next request works", async () => {
    const answer = await send("/conversation", JSON.stringify({ message: "x".repeat(5 * 1024 * 1024) }));
    expect(answer).toMatchObject({ status: 413, body: { error: expect.stringMatching(/at most \d+ bytes/) as string } });
    expect(await workspace.owner.run("still there?", { modelId: plain })).toMatchObject({ text: "You said: still there?" });
  });

  test("a message of nothing is refused, and nothing is created", async () => {
    const before = (await workspace.owner.conversations.list()).total;
    for (const message of ["", "   \n"]) {
      expect((await send("/conversation", JSON.stringify({ message, ai_model_id: plain }))).status).toBe(503);
    }
    expect((await workspace.owner.conversations.list()).total).toBe(before);
  });
});

describe("paths and queries", () => {
  test.for([
    "/conversation/0",
    "/conversation/99999999999999999999",
    "/conversation/-1",
    "/conversation/%00",
    "/conversation/..%2f..%2fagents",
    "/agents/'; drop table agents; --",
    "/agents/%F0%9F%8C%8A",
    "/project/1%20or%201=1",
    "/public/file/%",
    "/storage/..%2f..%2fworkspace.sqlite",
  ])("GET %s is an error without a crash", async (path) => {
    const answer = await workspace.ask("GET", encodeURI(path).replaceAll("%25", "%"));
    expect([400, 404]).toContain(answer.status);
    expect((await workspace.owner.agents.list()).total).toBeDefined();
  });

  test.for(["page=0", "page=-1", "page=x", "page=1e9", "size=0", "size=abc", "page=&size=", "page=99999999999999999999"])(
    "paging %s is read as if it were left out",
    async (query) => {
      const answer = await workspace.ask("GET", `/file?${query}`);
      expect([answer.status, answer.header("x-page"), answer.header("x-page-size")]).toEqual([200, "1", "10"]);
    },
  );

  test("a page of everything is bounded, and says so", async () => {
    const answer = await workspace.ask("GET", "/conversation?size=1000000");
    expect(Number(answer.header("x-page-size"))).toBeLessThanOrEqual(1000);
  });

  test("a script in a message stays text", async () => {
    const text = '<script>alert(1)</script><img src=x onerror="alert(2)">';
    const { conversationId } = await workspace.owner.conversations.startAndWait({ message: text, ai_model_id: plain });
    const answer = await workspace.ask("GET", `/conversation/${conversationId}`);
    expect(answer.header("content-type")).toBe("application/json");
    expect(answer.body).toMatchObject([{ text: `You said: ${text}` }, { text }]);
  });
});
