/** People's own accounts, by the front door: what waits for one, whose key acts, and keys where they do not belong. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Inbound } from "../../src/core/inbound.ts";
import { cutKeys } from "../../src/core/spilled-keys.ts";
import { openAccess } from "../../src/core/access.ts";
import { WorkspaceFault, WriteFault } from "../../src/errors.ts";
import type { FakeWorkspace } from "../fakes/workspace.ts";
import { commands, createWorld, says, textOf, thread, type World } from "./engine.ts";

const key = `PARLEY-API-${"k".repeat(64)}`;
const other = `PARLEY-API-${"o".repeat(64)}`;
const ann = { id: "u1", name: "Ann" };
const ben = { id: "u2", name: "Ben" };
const hour = 60 * 60_000;

let world: World;
beforeEach(async () => {
  world = await createWorld();
  world.access = { ...openAccess, externals: false, operators: ["u0"], sharedKey: [] };
});
afterEach(() => world.close());

const own = (of = key): FakeWorkspace => world.people.workspaceOf(of);
const starts = ({ calls }: FakeWorkspace) =>
  calls.filter(({ call }) => call === "start").map(({ body }) => (body as { message: string }).message);
const told = () => world.platform.whispers.map(({ document }) => textOf(document));
const formOf = (at = -1): string => {
  const form = world.platform.whispers.at(at)?.document.actions[0]?.form;
  if (form === undefined) throw new Error(`no form was offered: ${told().join(" / ")}`);
  return form;
};
let sent = 0;
const submits = (form: string, values: Record<string, string>, author = ann): Inbound => ({
  kind: "submission",
  key: `s${++sent}`,
  place: thread("t1"),
  author,
  at: 1,
  form,
  values,
});
const links = async (value = key): Promise<void> => {
  await world.receive(submits(formOf(), { key: value }));
  await world.run(200);
};

describe("what needs an account of the asker's own", () => {
  it("asks for it in private, and goes on by itself once a key is linked, with that key", async () => {
    await world.receive(says("k1", "hello"));
    await world.run(200);
    expect(told()).toEqual(["!That needs your own workspace account. Link it once, and this goes on by itself."]);
    expect(world.seen()).toEqual([]);
    await links();
    expect(told()[1]).toMatch(/^Your account is linked\. .*What you asked goes on now/);
    expect((await world.audited()).map(({ kind, outcome }) => `${kind} ${outcome}`)).toContain("form link done");
    expect([starts(world.workspace), starts(own())]).toEqual([[], ["hello"]]);
    const [conversation] = own().held.keys();
    own().answer(conversation!, { status: "finished", text: "Hello, Ann." });
    await world.run(200);
    expect(world.seen()).toEqual(["Hello, Ann."]);
    expect(world.platform.messages[0]?.document.footer).toBe("Test model");
  });

  it("waits through a restart, keeps nobody else waiting, and knows of edits and deletions", async () => {
    await world.people.links.put({ platform: "fake", tenant: "t", person: "u2" }, other, 1);
    await world.receive(says("k1", "first"));
    await world.receive(says("k2", "second"));
    await world.run(200);
    await world.receive(says("k3", "of Ben", { author: ben }));
    await world.run(200);
    expect(starts(own(other))).toEqual(["of Ben"]);
    await world.receive({
      kind: "edit",
      key: "e",
      target: "k1",
      place: thread("t1"),
      author: ann,
      at: 2,
      runs: [{ typed: "1st" }],
    });
    await world.receive({ kind: "delete", key: "d", target: "k2", place: thread("t1"), author: ann, at: 2 });
    await world.run(200);
    expect(await world.stored()).not.toContain("first");
    const form = formOf(0);
    await world.crash();
    await world.receive(submits(form, { key }));
    await world.run(500);
    const [conversation] = own(other).held.keys();
    own(other).answer(conversation!, { status: "finished", text: "Ben's." });
    await world.run(500);
    // The thread is Ben's by now: Ann goes on in his conversation.
    const followUps = own(other).calls.filter(({ call }) => call === "followUp");
    expect(followUps.map(({ body }) => body)).toMatchObject([{ message: "1st" }]);
    expect(starts(own())).toEqual([]);
  });

  it("is given up after an hour, with a word, and not asked later", async () => {
    await world.receive(says("k1", "hello"));
    await world.run(200);
    const form = formOf();
    await world.engine.giveUpWaiting();
    await world.run(200);
    expect(told()).toHaveLength(1);
    await world.clock.advance(hour);
    await world.engine.giveUpWaiting();
    await world.run(200);
    expect(told()[1]).toMatch(/^!No account was linked within an hour/);
    await world.receive(submits(form, { key }));
    await world.run(200);
    expect(told()[2]).toMatch(/^Your account is linked/);
    expect(starts(own())).toEqual([]);
  });

  it("takes no key that the workspace does not know, and one without rights", async () => {
    const fails = (kind: "unauthorized" | "forbidden") =>
      own().fail("list", { fault: new WorkspaceFault(kind, "no", { status: 401 }), when: "before" });
    await world.receive(commands("k1", "link"));
    await world.run(200);
    await links("not a key");
    expect(told()[1]).toBe("!Workspace key: That is no workspace key: expected a name, -API- and 64 letters or digits.");
    fails("unauthorized");
    await links();
    expect(told()[2]).toBe("!Workspace key: The workspace does not know this key. Check it, or make a new one.");
    fails("forbidden");
    await links();
    expect(told()[3]).toMatch(/^Your account is linked/);
    expect(await world.stored()).not.toContain(key);
    expect(world.log.join("\n")).not.toContain(key);
  });

  it("is asked for anew when the workspace refuses the key, and what was asked goes on with the next", async () => {
    await world.people.links.put({ platform: "fake", tenant: "t", person: "u1" }, key, 1);
    own().fail("agents", { fault: new WorkspaceFault("unauthorized", "", { status: 401 }), when: "before" });
    await world.receive(says("k1", "hello"));
    await world.run(500);
    expect(told()).toEqual(["!The workspace does not accept your key any more. Link a new one, and this goes on by itself."]);
    expect(world.seen()).toEqual([]);
    await links(other);
    expect([starts(own()), starts(own(other))]).toEqual([[], ["hello"]]);
  });

  it("takes a forged form of nobody: another person's, another tenant's, one that never was, one that was sent", async () => {
    await world.receive(says("k1", "hello"));
    await world.run(200);
    const form = formOf();
    // Whose form it is not is told of the key, which goes nowhere, and no more.
    const closed = /^!(This form is no longer open|What you wrote holds a workspace key)/;
    const forged = [
      submits(form, { key: other }, ben),
      { ...submits(form, { key: other }), place: { ...thread("t1"), tenant: "t2" } },
      submits("never-made", { key: other }),
      submits("__proto__", { key: other }),
    ];
    for (const one of forged) {
      const before = told().length;
      await world.receive(one);
      await world.run(200);
      expect(told().slice(before)).toEqual([expect.stringMatching(closed)]);
    }
    for (const person of ["u1", "u2"])
      for (const tenant of ["t", "t2"]) expect(await world.people.links.of({ platform: "fake", tenant, person })).toBeUndefined();
    // The form is its owner's all the same, once.
    await world.receive(submits(form, { key }));
    await world.run(200);
    await world.receive(submits(form, { key: other }));
    await world.run(200);
    expect(told().at(-1)).toMatch(closed);
    expect((await world.people.links.of({ platform: "fake", tenant: "t", person: "u1" }))?.key).toBe(key);
    expect([own(other).calls, world.workspace.calls]).toEqual([[], []]);
  });

  it("shows itself with /whoami and goes with /unlink", async () => {
    await world.receive(commands("k1", "whoami"));
    await world.run(200);
    expect(told()[0]).toMatch(/^You have no account linked/);
    await links();
    for (const [at, name] of ["whoami", "unlink", "unlink"].entries()) {
      await world.receive(commands(`k${at + 2}`, name));
      await world.run(200);
    }
    expect(told().slice(2)).toEqual([
      "Your own account is linked since 2023-11-14. The workspace does not tell whose it is. It may use no tools.",
      "Your account is no longer linked, and its key is deleted here.",
      "You have no account linked.",
    ]);
  });
});

describe("a conversation that a person's own key began", () => {
  it("is gone on with by others, by that key, and takes neither their files nor their settings", async () => {
    await world.people.links.put({ platform: "fake", tenant: "t", person: "u2" }, other, 1);
    await world.receive(says("k1", "of Ben", { author: ben }));
    await world.run(200);
    const [conversation] = own(other).held.keys();
    own(other).answer(conversation!, { status: "finished", text: "Ben's." });
    await world.run(200);
    await world.receive(says("k2", "of Ann"));
    await world.run(200);
    own(other).answer(conversation!, { status: "finished", text: "For Ann." });
    await world.run(200);
    expect(world.seen()).toEqual(["Ben's.", "For Ann."]);
    expect(world.platform.messages[1]?.document.footer).toBe("Test model · as the account that began this thread");
    const file = { id: "f1", name: "a.txt", mediaType: "text/plain", bytes: 1 };
    await world.receive(says("k3", "and this", { files: [file] }));
    await world.receive(commands("k4", "model", "best"));
    await world.receive(commands("k5", "new"));
    await world.run(500);
    expect(told()).toHaveLength(3);
    for (const words of told()) expect(words).toMatch(/^!This conversation belongs to a colleague's own account/);
    expect(world.workspace.calls).toEqual([]);
  });
});

describe("with THREAD_FOLLOW_UPS=owner", () => {
  it("only its owner goes on with a conversation that their own key began; others are told so in private", async () => {
    world.access = { ...world.access, threadFollowUps: "owner", sharedKey: null };
    await world.people.links.put({ platform: "fake", tenant: "t", person: "u2" }, other, 1);
    await world.receive(says("k1", "of Ben", { author: ben, direct: true }));
    await world.run(200);
    const [conversation] = own(other).held.keys();
    own(other).answer(conversation!, { status: "finished", text: "Ben's." });
    await world.run(200);
    await world.receive(says("k2", "of Ann"));
    await world.receive(commands("k3", "model", "best"));
    await world.run(500);
    expect(told()).toEqual([
      expect.stringMatching(/^!This conversation belongs to a colleague's own account, so only they go on with it/),
      expect.stringMatching(/^!This conversation belongs to a colleague's own account, so only they can change/),
    ]);
    expect([starts(own()), starts(world.workspace)]).toEqual([[], []]);
    await world.receive(says("k4", "Ben again", { author: ben }));
    await world.run(200);
    const followUps = own(other).calls.filter(({ call }) => call === "followUp");
    expect(followUps.map(({ body }) => body)).toMatchObject([{ message: "Ben again" }]);
  });
});

describe("what is shown of a person's own account", () => {
  it("is for them alone; they may share it where they asked, once, and nobody else may, nor anywhere else", async () => {
    await world.people.links.put({ platform: "fake", tenant: "t", person: "u1" }, key, 1);
    await world.receive(commands("k1", "agents"));
    await world.run(200);
    expect(told()[0]).toContain("@own0");
    expect(world.seen()).toEqual([]);
    const [button] = world.platform.whispers[0]?.document.actions ?? [];
    expect(button).toMatchObject({ action: "share", label: "Share here", turn: "k1" });
    const presses = async (at: string, by: Partial<Inbound>): Promise<void> => {
      const press = { kind: "action", key: at, place: thread("t1"), author: ann, at: 2, action: "share", turn: "k1" } as const;
      await world.receive({ ...press, ...by } as Inbound);
      await world.run(200);
    };
    await presses("p1", { author: ben });
    await presses("p2", { place: { ...thread("t1"), channel: "elsewhere" } });
    expect(world.seen()).toEqual([]);
    await presses("p3", {});
    expect(world.seen()).toHaveLength(1);
    expect(world.seen()[0]).toContain("@own0");
    expect(world.platform.messages[0]).toMatchObject({ posted: { place: thread("t1") }, document: { footer: "shared by Ann" } });
    await presses("p4", {});
    expect(world.seen()).toHaveLength(1);
    expect(told().slice(1)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^!This can no longer be shared here/)),
    );
    await world.receive(commands("k2", "agents", "", { direct: true }));
    await world.run(200);
    expect(world.platform.whispers.at(-1)?.document.actions).toEqual([]);
  });

  it("is shared once where it is pressed twice at once", async () => {
    await world.people.links.put({ platform: "fake", tenant: "t", person: "u1" }, key, 1);
    await world.receive(commands("k1", "agents"));
    await world.run(200);
    const press = { kind: "action", place: thread("t1"), author: ann, at: 2, action: "share", turn: "k1" } as const;
    await Promise.all(["p1", "p2"].map((at) => world.receive({ ...press, key: at })));
    await world.run(1_000);
    expect(world.seen()).toHaveLength(1);
  });
});

describe("a key where it does not belong", () => {
  it("is not sent, not kept and not logged; the message is deleted, and its author warned", async () => {
    world.access = openAccess;
    await world.receive(says("k1", `use ${key} please`));
    await world.run(200);
    await world.receive(commands("k2", "ask", key));
    await world.run(500);
    expect(told()).toEqual([
      expect.stringMatching(/^!What you wrote holds a workspace key\..*has deleted the message/),
      expect.stringMatching(/^!What you wrote holds a workspace key\..*Please delete the message/),
    ]);
    world.platform.order("remove", new WriteFault("gone", "may not"));
    await world.receive(says("k3", key));
    await world.run(500);
    expect(told()[2]).toMatch(/Please delete the message/);
    expect(world.workspace.calls).toEqual([]);
    expect(world.log.join("\n") + (await world.stored())).not.toContain(key);
  });

  it("is cut out of whatever comes in, wherever it stands in it", () => {
    const name = fc.stringMatching(/^[A-Za-z0-9]{1,12}$/);
    const rest = fc.stringMatching(/^[A-Za-z0-9]{64}$/);
    const around = fc.string().filter((text) => !/[A-Za-z0-9]$/.test(text));
    fc.assert(
      fc.property(name, rest, around, fc.string(), (prefix, secret, before, after) => {
        const text = `${before}${prefix}-API-${secret}${after}`;
        const all: Inbound[] = [
          says("a", text),
          says("b", "", { runs: [{ quoted: text }, { name: text }] }),
          commands("c", "ask", text, { options: { question: text } }),
          submits("f", { one: text }),
          { kind: "edit", key: "e", target: "a", place: thread("t"), author: ann, at: 1, runs: [{ typed: text }] },
        ];
        for (const inbound of all) {
          const cut = cutKeys(inbound);
          expect(JSON.stringify(cut)).not.toContain(secret);
          expect(cut.spilled).toBe(true);
        }
        const context = cutKeys(says("d", "hello", { context: [{ author: "Ben", text, at: 1 }] }));
        expect(JSON.stringify(context)).not.toContain(secret);
        expect(context.spilled).toBeUndefined();
      }),
    );
    const harmless = says("a", `an -API- of ${"x".repeat(63)}`);
    expect(cutKeys(harmless)).toBe(harmless);
  });
});
