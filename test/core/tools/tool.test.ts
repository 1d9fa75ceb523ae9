import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FormValues } from "../../../src/core/forms.ts";
import type { Inbound } from "../../../src/core/inbound.ts";
import { argumentsOf, readArgument } from "../../../src/core/tools/arguments.ts";
import { shownResult } from "../../../src/core/tools/show.ts";
import { readTyped } from "../../../src/core/tools/typed.ts";
import { parse } from "../../../src/core/render/parse.ts";
import { WorkspaceFault } from "../../../src/errors.ts";
import { openAccess } from "../../../src/core/access.ts";
import type { FakeTool } from "../../fakes/workspace.ts";
import { commands, createWorld, presses, textOf, thread, type World } from "../engine.ts";

const ann = { id: "u1", name: "Ann" };
const files = Array.from({ length: 40 }, (_, at) => ({ ID: at + 1, name: `file *${at + 1}*`, CreatedAt: "2026-01-01" }));
const listFiles: FakeTool = {
  name: "list_files",
  description: "Lists files.",
  inputSchema: {
    type: "object",
    properties: { limit: { type: "integer", default: 10 }, offset: { type: "integer", default: 0 } },
  },
  answer({ limit = 10, offset = 0 }) {
    const items = files.slice(Number(offset), Number(offset) + Number(limit));
    return { items, total_count: files.length };
  },
};
const sendMail: FakeTool = {
  name: "send_email",
  description: "Sends an e-mail.",
  inputSchema: {
    type: "object",
    required: ["id", "to"],
    properties: {
      subject: { type: "string" },
      id: { anyOf: [{ type: "integer" }, { type: "string" }], description: "ID or slug" },
      to: { type: "array", items: { type: "string" } },
      urgent: { type: "boolean" },
      kind: { type: "string", enum: ["text", "html"] },
      extra: { type: "object", properties: { a: { type: "string" } } },
    },
  },
  answer: (args) => ({ sent: true, ...args }),
};

let world: World;
let count = 0;
beforeEach(async () => {
  world = await createWorld();
  world.workspace.known.tools.push(listFiles, sendMail);
});
afterEach(() => world.close());

const whispered = () => world.platform.whispers.map(({ document }) => textOf(document));
const actions = () => world.platform.whispers.at(-1)?.document.actions ?? [];
const called = () => world.workspace.calls.filter(({ call }) => call === "callTool").map(({ body }) => body);
const tool = async (text: string): Promise<void> => {
  await world.receive(commands(`c${++count}`, "tool", text));
  await world.run(500);
};
const press = async (label: string): Promise<void> => {
  const button = actions().find((one) => one.label === label);
  await world.receive(presses(`p${++count}`, button?.action ?? "none", button?.turn ?? "none"));
  await world.run(500);
};
const submit = async (label: string, values: FormValues): Promise<void> => {
  const form = actions().find((one) => one.label === label)?.form ?? "none";
  await world.receive({
    kind: "submission",
    key: `s${++count}`,
    place: thread("t1"),
    author: ann,
    at: 1,
    form,
    values,
  } as Inbound);
  await world.run(500);
};

describe("/tool", () => {
  test("alone shows what the key may use", async () => {
    await tool("");
    expect(whispered()[0]).toContain("Your workspace key may use 2 tools:");
    expect(whispered()[0]).toContain("list_files Lists files.");
  });

  test("that only reads and needs nothing runs at once, and turns pages", async () => {
    await tool("list_files");
    expect(called()).toEqual([{ name: "list_files", args: {} }]);
    expect(whispered()[0]).toContain("10 of 40:");
    expect(whispered()[0]).toContain("file *10*");
    expect(actions().map(({ label }) => label)).toEqual(["Fill in", "More"]);
    await press("More");
    expect(called()[1]).toEqual({ name: "list_files", args: { offset: 10 } });
    expect(whispered().at(-1)).toContain("11–20 of 40:");
  });

  test("takes what is typed", async () => {
    await tool("list_files limit:5 offset=38");
    expect(called()).toEqual([{ name: "list_files", args: { limit: 5, offset: 38 } }]);
    expect(whispered()[0]).toContain("39–40 of 40:");
    expect(actions().map(({ label }) => label)).toEqual([]);
  });

  test("says what was expected of what was typed, and offers the form", async () => {
    await tool("list_files limit:many size:3");
    expect(whispered()[0]).toContain("limit: Expected a whole number.");
    expect(whispered()[0]).toContain("size: There is no such argument. Expected limit, offset.");
    expect(actions().map(({ label }) => label)).toEqual(["Fill in"]);
    expect(called()).toEqual([]);
  });

  test("asks in a form, what is required first, then for everything; shows what it would do, and does it once", async () => {
    await tool("send_email");
    expect(actions().map(({ label }) => label)).toEqual(["Fill in", "More options"]);
    const form = await world.engine.directory.form(actions()[0]?.form ?? "", ann);
    expect(form?.fields.map(({ label, type, required }) => [label, type, required])).toEqual([
      ["id", "text", true],
      ["to", "long", true],
      ["subject", "text", false],
    ]);
    await submit("Fill in", { a0: "7", a1: "ann@example.org\nbob@example.org", a2: "*Hi*" });
    expect(whispered().at(-1)).toBe(
      'This runs send_email, which may change something or cost credits: id: 7to: ["ann@example.org","bob@example.org"]subject: *Hi*',
    );
    expect(called()).toEqual([]);
    const asked = actions();
    await press("Do it");
    const args = { id: 7, to: ["ann@example.org", "bob@example.org"], subject: "*Hi*" };
    expect(called()).toEqual([{ name: "send_email", args }]);
    expect(whispered().at(-1)).toContain("sent: true");
    const again = asked.find(({ label }) => label === "Do it");
    await world.receive(presses("again", again?.action ?? "", again?.turn ?? ""));
    await world.run(500);
    expect(called()).toHaveLength(1);
    expect(whispered().at(-1)).toContain("!This was begun before, and is not done twice.");
  });

  test("a change that is said yes to twice at once is made once", async () => {
    await tool("send_email id:7 to:ann@example.org");
    const [yes] = actions();
    await Promise.all(["y1", "y2"].map((key) => world.receive(presses(key, yes?.action ?? "", yes?.turn ?? ""))));
    await world.run(1_000);
    expect(called()).toHaveLength(1);
    expect(whispered().filter((words) => words.includes("This was begun before"))).toHaveLength(1);
  });

  test("all options are filled in over several pages; wrong JSON is asked for again", async () => {
    await tool("send_email");
    await submit("More options", { a0: "slug", a1: "ann@example.org" });
    await submit("Continue", { a3: "yes", a4: "html", a5: "{no" });
    expect(whispered().at(-1)).toContain("!extra: This is no JSON.");
    await submit("Correct it", { a3: "yes", a4: "html", a5: '{"a":"b"}' });
    await press("Do it");
    const args = { id: "slug", to: ["ann@example.org"], urgent: true, kind: "html", extra: { a: "b" } };
    expect(called()).toEqual([{ name: "send_email", args }]);
  });

  test("a change whose answer is lost is not repeated", async () => {
    world.workspace.fail("callTool", { fault: new WorkspaceFault("lost", "reset"), when: "after" });
    await tool("send_email id:7 to:ann@example.org");
    await press("Do it");
    expect(whispered().at(-1)).toContain("Nobody knows whether it was done.");
    expect(called()).toHaveLength(1);
  });

  test("a change that a crash cut off is not repeated", async () => {
    let begun = 0;
    world.workspace.known.tools.push({
      ...sendMail,
      name: "wipe",
      answer: () => (++begun, new Promise(() => {})),
    });
    await tool("wipe id:7 to:x");
    await press("Do it");
    expect(begun).toBe(1);
    await world.crash();
    await world.run(60_000);
    expect(begun).toBe(1);
    expect(whispered().at(-1)).toContain("!This was begun before, and is not done twice.");
  });

  test("an unknown tool is looked for once more; then operators are told what the key lacks, others that it is not enabled", async () => {
    await tool("get_file id:1");
    expect(whispered()[0]).toBe("!The tool get_file: not enabled. The workspace key lacks the permission files_get.");
    world.workspace.known.tools.push({ ...listFiles, name: "get_file", answer: () => ({ name: "tea" }) });
    await tool("get_file");
    expect(whispered().at(-1)).toContain("name: tea");
    world.access = { ...openAccess, operators: [] };
    await world.people.links.put({ platform: "fake", tenant: "t", person: "u1" }, `PARLEY-API-${"A".repeat(64)}`, 1);
    await tool("get_file id:1");
    expect(whispered().at(-1)).toBe("!The tool get_file: not enabled for your workspace key.");
  });

  test("is private, and can be shared where others read along", async () => {
    const key = `PARLEY-API-${"A".repeat(64)}`;
    world.access = { ...openAccess, operators: [] };
    await world.people.links.put({ platform: "fake", tenant: "t", person: "u1" }, key, 1);
    world.people.workspaceOf(key).known.tools.push(listFiles);
    await tool("list_files limit:1");
    expect(world.seen()).toEqual([]);
    expect(actions().map(({ label }) => label)).toEqual(["More", "Share here"]);
    await press("Share here");
    expect(world.seen()[0]).toContain("file *1*");
  });
});

describe("arguments", () => {
  test("a schema that nobody foresaw is asked for as JSON", () => {
    const [one, two] = argumentsOf({
      properties: { a: { $ref: "#/x" }, b: { anyOf: [{ type: "object" }, { type: "string" }] } },
    });
    expect([one?.shape, two?.shape]).toEqual(["json", "json"]);
    expect(argumentsOf({ properties: "none", required: 3 })).toEqual([]);
  });

  test("null among types is no type", () => {
    const [one] = argumentsOf({ properties: { a: { anyOf: [{ type: "number" }, { type: "null" }] } } });
    expect(one).toMatchObject({ shape: "one", types: ["number"] });
    expect(readArgument(one!, "0.5", /\n/)).toEqual({ value: 0.5 });
    expect(readArgument(one!, "much", /\n/)).toEqual({ problem: "Expected a number." });
  });

  test("a number that is too large for one stays as it was typed where words are taken", () => {
    const [id] = argumentsOf(sendMail.inputSchema);
    expect(readArgument(id!, "12345678901234567890", /\n/)).toEqual({ value: "12345678901234567890" });
  });

  test("whatever is typed is read or has a problem, and never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const { args, problems } = readTyped(argumentsOf(sendMail.inputSchema), text);
        expect(problems.length > 0 || ("id" in args && "to" in args)).toBe(true);
      }),
    );
  });

  test("what is quoted comes back whole", () => {
    const known = argumentsOf({ properties: { text: { type: "string" }, other: { type: "string" } } });
    fc.assert(
      fc.property(fc.string(), (text) => {
        const quoted = `text:"${text.replace(/["\\]/g, "\\$&")}"`;
        expect(readTyped(known, quoted)).toEqual({ args: { text: text.trim() }, problems: [] });
      }),
    );
  });
});

describe("a tool's answer", () => {
  type Node = { readonly type: string; readonly value?: string; readonly children?: readonly Node[] };
  const all = (nodes: readonly Node[]): readonly Node[] => nodes.flatMap((node) => [node, ...all(node.children ?? [])]);

  test("has a word for an item with nothing in it", () => {
    expect(shownResult({ rows: [null, { ID: 1 }], note: "n" }).markdown).toBe("- **rows** (2)\n  - empty\n  - 1\n- **note**: n");
  });

  test("whatever it holds is literal text", () => {
    const shapes = new Set(["table", "tableRow", "tableCell", "list", "listItem", "paragraph", "text", "strong", "break"]);
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.array(fc.dictionary(fc.string(), fc.string()))), (value) => {
        const nodes = all(parse(shownResult(value).markdown).nodes as readonly Node[]);
        expect([...new Set(nodes.map(({ type }) => type))].filter((type) => !shapes.has(type))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("a column may be named after what every object inherits", () => {
    const { markdown } = shownResult([{ valueOf: "mine", toString: "too" }, {}]);
    expect(markdown).toContain("| valueOf | toString |");
    expect(markdown).toContain("|  |  |");
    expect(markdown).not.toContain("native");
  });

  test("folds long texts and long lists, and says so", () => {
    const { markdown } = shownResult({
      text: "a".repeat(1_000),
      parts: Array.from({ length: 12 }, (_, ID) => ({ ID, name: "n" })),
    });
    expect(markdown).toContain("… \\(400 characters more\\)");
    expect(markdown).toContain("… and 4 more");
    expect(shownResult({ items: [], total_count: 0 }).markdown).toBe("There are none.");
    expect(shownResult({}).markdown).toBe("Done. The tool says nothing more.");
  });

  test("shows money and ids as they are", () => {
    expect(shownResult({ credit_cost: "0.000000123", ID: 7 }).markdown).toBe("- **credit\\_cost**: 0\\.000000123\n- **ID**: 7");
  });
});
