/** A command that changes something without having asked cannot exist: what it may call, and what it may give back. */
import { expect, it } from "vitest";
import { createAccounts } from "../../src/core/accounts.ts";
import { heldAccount } from "../../src/core/commands/held.ts";
import type { Command } from "../../src/core/commands/table.ts";
import { openAccess } from "../../src/core/access.ts";
import { deeds } from "../../src/core/permissions.ts";
import { createWorld, commands, presses, textOf, thread, type World } from "../core/engine.ts";
import { createFakeWorkspace } from "../fakes/workspace.ts";

/** Calls that only read; a new one of the port is refused to commands until it is one of them. */
const reading =
  /^(conversations\.(messages|list|follow)|models\.list|agents\.all|projects\.all|prompts\.(all|list|lastUsed|mostUsed|recentlyAdded|favorites|runHistory)|files\.(download|isPublic)|jobs\.(models|read|list)|tools\.list)$/;
const own: Readonly<Record<string, string>> = { send: "run", settings: "conversations.changeModel" };

const workspace = () => createFakeWorkspace({ now: () => 1, models: [], agents: [], projects: [] });

it("every call that may change something is refused to a command, whatever its deed", async () => {
  const plain = workspace();
  const { shared } = createAccounts({
    shared: plain,
    links: { of: async () => undefined, byId: async () => undefined } as never,
    connect: workspace,
    clock: { now: () => 1 } as never,
  });
  const names = (of: object, path = ""): string[] =>
    Object.entries(of).flatMap(([name, member]) => {
      if (typeof member === "function") return [path + name];
      return path === "" && typeof member === "object" && member !== null && !Array.isArray(member)
        ? names(member, `${name}.`)
        : [];
    });
  const port = names(plain).filter((name) =>
    /^(run$|(conversations|models|agents|projects|prompts|files|images|jobs|tools)\.)/.test(name),
  );
  expect(port).toEqual(expect.arrayContaining(["run", "conversations.start", "images.generate", "jobs.remove", "tools.call"]));
  const call = async (deed: (typeof deeds)[number] | null, name: string, ...args: unknown[]): Promise<unknown> => {
    const [group = "", member] = name.split(".");
    const held = heldAccount(shared, deed).workspace as unknown as Record<string, Record<string, (...all: unknown[]) => unknown>>;
    const method = member === undefined ? (held[group] as unknown as (...all: unknown[]) => unknown) : held[group]?.[member];
    return method?.(...args);
  };
  for (const deed of [...deeds, null])
    for (const name of port.filter((one) => !reading.test(one) && one !== own[deed ?? ""]))
      await expect(call(deed, name, "delete_file", {}), `${String(deed)}: ${name}`).rejects.toMatchObject({ code: "not_asked" });
  expect(plain.calls).toEqual([]);
  // What only reads goes through, a tool that does too.
  await call("list", "agents.all");
  await expect(call("tool", "tools.call", "list_files", {})).rejects.toMatchObject({ kind: "not_found" });
  expect(plain.calls.map((one) => one.call)).toEqual(["agents", "callTool"]);
});

const bad: readonly Command[] = [
  {
    name: "calls",
    help: "",
    options: [],
    order: "now",
    deed: "write",
    async run(_options, { account }) {
      await account.workspace.tools.call("delete_file", { id: 1 });
      return { tell: "Gone." };
    },
  },
  { name: "wipes", help: "", options: [], order: "now", deed: null, run: () => Promise.resolve({ forget: "all" }) },
  {
    name: "spends",
    help: "",
    options: [],
    order: "now",
    deed: "list",
    run: () =>
      Promise.resolve({
        make: {
          recipe: { by: "job", kind: "video", body: {}, again: 1 },
          what: "a film",
          prompt: "p",
          model: null,
          details: [],
          price: null,
          sources: {},
        },
      }),
  },
];

const open = async (): Promise<World> => {
  const world = await createWorld({}, [], bad);
  world.access = { ...openAccess, operators: ["u1"] };
  return world;
};
const last = (world: World): string => textOf(world.platform.whispers.at(-1)!.document);

it.each(bad.map(({ name }) => name))("/%s, which asks nobody, is stopped with a word, and nothing is done", async (name) => {
  const world = await open();
  await world.receive(commands("c1", name));
  await world.run(500);
  expect(last(world)).toMatch(/^!That was not done: it changes something, and this command did not ask you first/);
  expect(world.workspace.calls).toEqual([]);
  expect(await world.rows("turns")).toHaveLength(1);
  await world.close();
});

it("a yes is to what was shown: not to another command, another's, or a former proposal's arguments", async () => {
  const world = await open();
  world.workspace.known.tools.push({
    name: "delete_file",
    description: "Deletes a file",
    inputSchema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
    answer: () => ({ ok: true }),
  });
  const called = () => world.workspace.calls.filter(({ call }) => call === "callTool").map(({ body }) => body);
  await world.receive(commands("c1", "tool", "delete_file id:7"));
  await world.run(500);
  expect(last(world)).toMatch(/This runs delete_file[^]*id[^]*7/);
  expect(called()).toEqual([]);
  const button = world.platform.whispers.at(-1)!.document.actions.find(({ label }) => label === "Do it")!;
  const press = async (key: string, over: object = {}): Promise<void> => {
    await world.receive({ ...presses(key, button.action, button.turn), ...over } as never);
    await world.run(500);
  };
  await press("p1", { author: { id: "u2", name: "Ben" } });
  await press("p2", { place: { ...thread("t1"), channel: "elsewhere" } });
  // What a platform gives as options says yes to nothing.
  await world.receive(commands("c2", "tool", "delete_file id:8", { confirmed: button.turn }));
  await world.run(500);
  expect(called()).toEqual([]);
  expect(last(world)).toMatch(/This runs delete_file[^]*id[^]*8/);
  await press("p3");
  await press("p4");
  expect(called()).toEqual([{ name: "delete_file", args: { id: 7 } }]);
  expect(last(world)).toMatch(/begun before, and is not done twice/);
  await world.close();
});
