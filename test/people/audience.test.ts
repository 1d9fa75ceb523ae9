/** Who sees an answer that was made with somebody's own key where others read along. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Message } from "../../src/contract/records.ts";
import { openAccess } from "../../src/core/access.ts";
import type { InboundAction } from "../../src/core/inbound.ts";
import { WorkspaceFault, WriteFault } from "../../src/errors.ts";
import { channel, commands, createWorld, presses, says, textOf, thread, type World } from "../core/engine.ts";
import type { FakeWorkspace } from "../fakes/workspace.ts";

const key = `PARLEY-API-${"k".repeat(64)}`;
const ann = { id: "u1", name: "Ann" };
const ben = { id: "u2", name: "Ben" };
const source = { url: "", file_path: "/kb/canary-file.pdf", title: "canary-title", info: { kb_id: 3 }, citation_index: 1 };
const part = (type: Message["parts"][number]["type"]) => ({ id: "p", type, static: true });

let world: World;
let own: FakeWorkspace;
beforeEach(async () => {
  world = await createWorld();
  world.access = { ...openAccess, externals: false, operators: ["u0"], sharedKey: [] };
  await world.people.links.put({ platform: "fake", tenant: "t", person: ann.id }, key, 1);
  own = world.people.workspaceOf(key);
});
afterEach(() => world.close());

const asks = async (turn: string, words: string, author = ann): Promise<number> => {
  await world.receive(says(turn, words, { author }));
  await world.run(300);
  return [...own.held.keys()].at(-1)!;
};
const answers = async (conversation: number, change: Partial<Message>): Promise<void> => {
  own.answer(conversation, { status: "finished", ...change });
  await world.run(300);
};
const press = async (turn: string, action: string, of: string, author = ann): Promise<void> => {
  await world.receive({ ...(presses(turn, action, of) as InboundAction), author });
  await world.run(300);
};
/** Everything that the place was ever shown, word by word. */
const shownToAll = (): string => JSON.stringify(world.platform.log.map(({ document }) => document));
const whispered = (person: string): string =>
  JSON.stringify(world.platform.whispers.filter((one) => one.person.id === person).map(({ document }) => document));
const last = () => world.platform.messages.at(-1)!.document;

it("nothing of it is shown before it is whole; one that draws on nothing is then posted", async () => {
  const conversation = await asks("k1", "hello");
  expect(world.seen()).toEqual(["[Answering Ann with their own account…]"]);
  own.answer(conversation, { text: "canary half", parts: [part("web_search")] });
  await world.run(300);
  expect(shownToAll()).not.toContain("canary");
  await answers(conversation, { text: "Hello, Ann.", parts: [part("thinking"), part("text")] });
  expect(world.seen()).toEqual(["Hello, Ann."]);
  expect(world.platform.whispers).toEqual([]);
});

it.each<[string, Partial<Message>]>([
  ["cites a source", { citations: [source] }],
  ["searched", { parts: [part("web_search")] }],
  ["read a page", { parts: [part("web_fetch")] }],
  ["ran code", { parts: [part("code_execution")] }],
  ["used a tool", { parts: [part("text"), part("mcp_call")] }],
  ["did what nobody knows yet", { parts: [{ ...part("text"), file_search_part: { found: 1 } }] }],
  ["asked for a tool", { mcp_approval_requests: [{}] }],
  ["searched a knowledge base", { knowledge_base_ids: [3] }],
  ["is an agent's, which has knowledge of its own", { agent_id: 7 }],
])("one that %s is its asker's alone, until they share it", async (_what, drew) => {
  const conversation = await asks("k1", "plans?");
  await answers(conversation, { text: "canary-words", ...drew });
  const [notice] = world.seen();
  expect(notice).toMatch(/^This answer draws on Ann’s own account, so only they are shown it\./);
  expect(last().actions.map(({ label }) => label)).toEqual(["Show me"]);
  expect(shownToAll()).not.toContain("canary");
  expect(whispered(ann.id)).toContain("canary-words");
  expect(await world.dump()).not.toContain("canary");
  expect(world.log.join("")).not.toContain("canary");

  await press("p1", "share", "k1", ben);
  await press("p2", "reveal", "k1", ben);
  expect(whispered(ben.id)).not.toContain("canary");
  expect(shownToAll()).not.toContain("canary");

  const before = world.platform.whispers.length;
  await press("p3", "reveal", "k1");
  expect(world.platform.whispers.length).toBe(before + 1);
  expect(textOf(world.platform.whispers.at(-1)!.document)).toContain("canary-words");
  expect(shownToAll()).not.toContain("canary");

  await press("p4", "share", "k1");
  expect(world.seen().filter((one) => one.includes("canary-words"))).toHaveLength(1);
  expect(last().footer).toMatch(/ · shared by Ann$/);
  expect(last().footnotes.map(({ title }) => title)).toEqual(drew.citations === undefined ? [] : ["canary-title"]);
  await press("p5", "share", "k1");
  expect(world.seen().filter((one) => one.includes("canary-words"))).toHaveLength(1);
});

it("a file that came with the question is the place's own: to cite it tells nothing", async () => {
  await world.close();
  world = await createWorld({ f1: new TextEncoder().encode("notes") });
  world.access = { ...openAccess, externals: false, operators: ["u0"], sharedKey: [] };
  await world.people.links.put({ platform: "fake", tenant: "t", person: ann.id }, key, 1);
  own = world.people.workspaceOf(key);
  await world.receive(says("k1", "sum up", { files: [{ id: "f1", name: "n.txt", mediaType: "text/plain", bytes: 5 }] }));
  await world.run(300);
  const [file] = own.uploads.keys();
  const [conversation] = own.held.keys();
  await answers(conversation!, { text: "Notes.", citations: [{ ...source, info: { file_id: file! } }] });
  expect(world.seen()).toEqual(["Notes."]);
});

it("a conversation that drew on its account once may say it again: what comes after is its owner's, too, and no colleague's", async () => {
  const conversation = await asks("k1", "plans?");
  await answers(conversation, { text: "canary-1", citations: [source] });
  await asks("k2", "again, please");
  await answers(conversation, { text: "canary-2" });
  expect(shownToAll()).not.toContain("canary");
  expect(whispered(ann.id)).toContain("canary-2");

  const sent = own.calls.filter(({ call }) => call === "followUp").length;
  await asks("k3", "what did it say?", ben);
  expect(own.calls.filter(({ call }) => call === "followUp")).toHaveLength(sent);
  expect(whispered(ben.id)).toMatch(/belongs to a colleague's own account, so only they go on with it/);
});

it("a colleague's follow-up that draws on the account is shown to its owner alone, when they ask for it", async () => {
  const conversation = await asks("k1", "hello");
  await answers(conversation, { text: "Hello." });
  await asks("k2", "and the plans?", ben);
  expect(world.seen().at(-1)).toBe("[Answering Ben with the account that began this thread…]");
  await answers(conversation, { text: "canary-words", citations: [source] });
  expect(world.seen().at(-1)).toMatch(/^This answer draws on the account that began this conversation, so only its owner is/);
  expect(shownToAll() + whispered(ben.id)).not.toContain("canary");
  expect(world.platform.whispers).toEqual([]);
  await press("p1", "reveal", "k2", ben);
  await press("p2", "share", "k2", ben);
  expect(shownToAll() + whispered(ben.id)).not.toContain("canary");
  await press("p3", "reveal", "k2");
  expect(whispered(ann.id)).toContain("canary-words");
  await press("p4", "share", "k2");
  expect(world.seen().at(-1)).toContain("canary-words");
});

it("one that failed or was stopped leaves no word of it, and its reason is its asker's", async () => {
  const conversation = await asks("k1", "plans?");
  own.answer(conversation, { text: "canary-half" });
  await answers(conversation, { text: "canary-half", error_text: "canary-file cannot be read", error_id: "e1" });
  expect(world.seen()).toEqual(["!The answer failed. Ann was told why."]);
  expect(whispered(ann.id)).toContain("canary-file cannot be read");
  await asks("k2", "once more");
  own.answer(conversation, { text: "canary-half" });
  await world.run(300);
  await press("p1", "stop", "k2", ben);
  expect(shownToAll() + whispered(ben.id)).not.toContain("canary");
  expect(world.seen().at(-1)).toMatch(/^!Stopped\./);
  await answers(conversation, {});
});

it("one that failed is tried again by its asker, and by nobody who may not go on with it", async () => {
  const conversation = await asks("k1", "plans?");
  await answers(conversation, { text: "", error_text: "no", error_id: "e1", parts: [part("mcp_call")] });
  const retries = () => own.calls.filter(({ call }) => call === "retry").length;
  await press("p1", "retry", "k1", ben);
  expect(whispered(ben.id)).toMatch(/asked with a colleague's own account, so only they try it again/);
  expect(retries()).toBe(0);
  await press("p2", "retry", "k1");
  expect(retries()).toBe(1);
  await answers(conversation, { text: "canary-words", error_text: null, error_id: null });
  expect(whispered(ann.id)).toContain("canary-words");
  expect(shownToAll() + whispered(ben.id)).not.toContain("canary");
});

it("one that is too long for messages says so, and is shared whole", async () => {
  const conversation = await asks("k1", "plans?");
  const words = Array.from({ length: 3_000 }, (_, index) => `Paragraph ${index} ${"x".repeat(60)}`).join("\n\n");
  await answers(conversation, { text: words, citations: [source] });
  await world.run(2_000);
  expect(textOf(world.platform.whispers.at(-1)!.document)).toContain("!Only the beginning is shown here");
  await press("p1", "share", "k1");
  await world.run(5_000);
  const files = world.platform.messages.flatMap((message) => message.files);
  expect(files.map(({ name, bytes }) => [name, new TextDecoder().decode(bytes)])).toEqual([["answer.md", words]]);
});

it("the operator's own key, where everybody asks with it, answers as the team's does", async () => {
  world.access = { ...world.access, operators: [ben.id], sharedKey: null };
  world.workspace.known.tools.push(noVariables);
  await world.receive(commands("k1", "prompt", "weekly", { place: channel, author: ben }));
  await world.run(1_000);
  expect(world.seen().at(-1)).toMatch(/^ran Weekly/);
  expect(world.platform.messages.at(-1)?.document.actions.map(({ action }) => action)).not.toContain("reveal");
});

it("one that nobody can be shown in private waits behind its button", async () => {
  const conversation = await asks("k1", "plans?");
  world.platform.order("whisper", new WriteFault("gone", "no such person"));
  await answers(conversation, { text: "canary-words", citations: [source] });
  expect(world.platform.whispers).toEqual([]);
  expect(world.seen()).toEqual([expect.stringMatching(/only they are shown it\. For a day the button/)]);
  await press("p1", "reveal", "k1");
  expect(whispered(ann.id)).toContain("canary-words");
});

it("what is kept of it goes with its question", async () => {
  const conversation = await asks("k1", "plans?");
  await answers(conversation, { text: "canary-words", citations: [source] });
  const told = world.platform.whispers.length;
  await world.receive({ kind: "delete", key: "d1", target: "k1", place: says("k1", "").place, author: ann, at: 2 });
  await world.run(500);
  expect(world.seen()).toEqual([]);
  await press("p1", "reveal", "k1");
  expect(world.platform.whispers.slice(told).map(({ document }) => textOf(document))).toEqual([
    expect.stringMatching(/^!Only the person whose account/),
  ]);
});

const noVariables = {
  name: "get_prompt",
  description: "",
  inputSchema: {},
  answer: () => ({ current_version: { content: "Say hello.", variables: [] } }),
};
const runsPrompt = async (turn: string, place = says("", "").place): Promise<void> => {
  await world.receive(commands(turn, "prompt", "weekly", { place }));
  await world.run(1_000);
};
const runs = () => own.calls.filter(({ call }) => call === "runPrompt").length;

it("a saved prompt's answer is its runner's alone where it drew on their account, and nobody can read what it drew on", async () => {
  own.known.tools.push(noVariables);
  await runsPrompt("k1", channel);
  expect(runs()).toBe(1);
  // Words and nothing else: posted.
  expect(world.seen().at(-1)).toMatch(/^ran Weekly/);
  // The key may run it, and not read what it came to.
  own.fail("messages", { fault: new WorkspaceFault("forbidden", "no", { status: 403 }), when: "before" });
  own.runResult = { raw_text: "canary-words" };
  await runsPrompt("k2", channel);
  expect(world.seen().at(-1)).toMatch(/^This answer draws on Ann’s own account/);
  expect(shownToAll()).not.toContain("canary");
  expect(whispered(ann.id)).toContain("canary-words");
});

it("a saved prompt takes over nobody else's thread, the team's neither, and its own runner's may begin anew", async () => {
  own.known.tools.push(noVariables);
  const theirs = `PARLEY-API-${"b".repeat(64)}`;
  await world.people.links.put({ platform: "fake", tenant: "t", person: ben.id }, theirs, 1);
  for (const sharedKey of [[], null]) {
    world.access = { ...world.access, sharedKey };
    const place = thread(sharedKey === null ? "team" : "bens");
    await world.receive(says(`m${place.thread!}`, "hello", { author: ben, place }));
    await world.run(300);
    const workspace = sharedKey === null ? world.workspace : world.people.workspaceOf(theirs);
    workspace.answer([...workspace.held.keys()].at(-1)!, { status: "finished", text: "Hello." });
    await world.run(300);
    await runsPrompt(`c${place.thread!}`, place);
    expect(whispered(ann.id)).toContain("is not your own, and a prompt begins one of yours. Run it in the channel");
    expect(runs()).toBe(0);
    await world.receive(says(`n${place.thread!}`, "and?", { author: ben, place }));
    await world.run(300);
    expect(workspace.calls.filter(({ call }) => call === "followUp")).toHaveLength(1);
    workspace.answer([...workspace.held.keys()].at(-1)!, { status: "finished", text: "Yes." });
    await world.run(300);
  }
  world.access = { ...world.access, sharedKey: [] };
  const mine = thread("anns");
  await world.receive(says("m3", "hello", { place: mine }));
  await world.run(300);
  await answers([...own.held.keys()].at(-1)!, { text: "Hello." });
  await runsPrompt("c3", mine);
  expect(runs()).toBe(1);
});
