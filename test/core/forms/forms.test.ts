import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { KeptForm } from "../../../src/core/forms/book.ts";
import { formPurpose } from "../../../src/core/forms/purpose.ts";
import type { FormDraft, FormValues } from "../../../src/core/forms.ts";
import type { Inbound, Person } from "../../../src/core/inbound.ts";
import { channel, commands, createWorld, says, textOf, thread, type World } from "../engine.ts";

const ann = { id: "u1", name: "Ann" };
const bob = { id: "u2", name: "Bob" };
const place = thread("t1");

/** What came of each form. */
const ordered: unknown[] = [];
const tea = formPurpose<{ readonly shop: string }>({
  kind: "tea",
  order: "now",
  deed: null,
  run({ shop }, values, { command }) {
    if (values["card"] === "expired") return Promise.resolve({ wrong: { card: "This card has expired." } });
    ordered.push({ shop, values, for: command.author.name });
    return Promise.resolve({ tell: "Tea is on its way." });
  },
});
const question = formPurpose<null>({
  kind: "question",
  order: "now",
  deed: null,
  run: () => Promise.resolve({ ask: "What is tea?" }),
});

const draft: FormDraft = {
  title: "Order tea",
  submit: "Order",
  open: "Order tea",
  purpose: tea.about({ shop: "corner" }),
  fields: [
    { name: "tea", label: "Tea", type: "text", required: true },
    { name: "card", label: "Card", type: "secret", required: true },
    { name: "cups", label: "Cups", type: "number", required: true },
  ],
};
const long: FormDraft = {
  ...draft,
  fields: [...draft.fields, { name: "street", label: "Street", type: "text", required: true }],
};
const whole = { tea: "green", card: "4111-secret", cups: "2" };

let world: World;
let sent = 0;
beforeEach(async () => {
  ordered.length = 0;
  world = await createWorld({}, [tea, question]);
});
afterEach(() => world.close());

const submits = (form: string, values: FormValues, over: Partial<Inbound> = {}): Inbound =>
  ({ kind: "submission", key: `s${++sent}`, place, author: ann, at: 1, form, values, ...over }) as Inbound;
const offer = (one: FormDraft = draft, person: Person = ann): Promise<KeptForm> => world.forms.offer(one, { person, place }, 3);
const send = async (form: string, values: FormValues, over: Partial<Inbound> = {}): Promise<void> => {
  await world.receive(submits(form, values, over));
  await world.run(200);
};
const told = (): string[] => world.platform.whispers.map(({ document }) => textOf(document));
/** The form behind the newest button that was shown. */
const offered = (): string =>
  world.platform.whispers.at(-1)?.document.actions.find(({ form }) => form !== undefined)?.form ?? "none";

describe("a form", () => {
  test("that is filled in does what it is for, once, with values as such", async () => {
    const { id } = await offer();
    expect(await world.engine.directory.form(id, ann)).toEqual({
      id,
      title: "Order tea",
      submit: "Order",
      fields: draft.fields,
      place,
    });
    await send(id, whole);
    expect(ordered).toEqual([{ shop: "corner", values: { tea: "green", card: "4111-secret", cups: 2 }, for: "Ann" }]);
    expect(told()).toEqual(["Tea is on its way."]);
    expect(await world.engine.directory.form(id, ann)).toBeUndefined();
    await send(id, whole);
    expect(ordered).toHaveLength(1);
    expect(told()[1]).toContain("This form is no longer open");
  });

  test("that is sent twice at the same moment does it once", async () => {
    const { id } = await offer();
    await Promise.all([world.receive(submits(id, whole)), world.receive(submits(id, whole))]);
    await world.run(200);
    expect(ordered).toHaveLength(1);
  });

  test("is nobody else's to open or to send", async () => {
    const { id } = await offer();
    expect(await world.engine.directory.form(id, bob)).toBeUndefined();
    await send(id, whole, { author: bob });
    expect(ordered).toEqual([]);
    await send(id, whole);
    expect(ordered).toHaveLength(1);
  });

  test("filled in wrongly says what was expected, and is offered again with what was typed, but for secrets", async () => {
    await send((await offer()).id, { ...whole, cups: "many" });
    expect(told()).toEqual(["!Cups: Please write a number, such as 3 or 0.5."]);
    const again = await world.engine.directory.form(offered(), ann);
    expect(again?.fields.map(({ value }) => value)).toEqual(["green", undefined, "many"]);
    await send(offered(), whole);
    expect(ordered).toHaveLength(1);
  });

  test("that its purpose finds wrong is offered again too", async () => {
    await send((await offer()).id, { ...whole, card: "expired" });
    expect(told()).toEqual(["!Card: This card has expired."]);
    await send(offered(), whole);
    expect(ordered).toHaveLength(1);
  });

  test("with more fields than the platform shows goes on by a button, and what was filled in is kept", async () => {
    const { id } = await offer(long);
    expect(await world.engine.directory.form(id, ann)).toMatchObject({ title: "Order tea (1 of 2)", submit: "Continue" });
    await send(id, whole);
    expect(ordered).toEqual([]);
    expect(told()).toEqual(["Noted. Page 2 of 2 comes next."]);
    expect(await world.engine.directory.form(offered(), ann)).toMatchObject({
      title: "Order tea (2 of 2)",
      submit: "Order",
      fields: [{ name: "street" }],
    });
    await send(offered(), { street: "Mill Lane" });
    expect(ordered).toMatchObject([{ values: { tea: "green", card: "4111-secret", cups: 2, street: "Mill Lane" } }]);
  });

  test("that asks for everybody begins a conversation in its place", async () => {
    await send((await offer({ ...draft, fields: [], purpose: question.about(null) })).id, {});
    await world.run(1_000);
    expect(world.workspace.calls.filter(({ call }) => call === "start")).toHaveLength(1);
  });

  test("survives the death of the process that took it in", async () => {
    const { id } = await offer(long);
    await send(id, whole);
    await world.crash();
    await world.receive(submits(offered(), { street: "Mill Lane" }));
    await world.crash();
    await world.run(60_000);
    expect(ordered.length).toBeGreaterThan(0);
    expect(told().at(-1)).toBe("Tea is on its way.");
  });
});

test("what is secret in a form is nowhere in the log or, as it was typed, in the store, and in no turn that is over", async () => {
  const first = await offer(long);
  await send(first.id, whole);
  await send(offered(), { street: "Mill Lane" });
  const stored = await world.stored();
  expect(stored).not.toContain("4111");
  expect(world.log.join("\n")).not.toContain("4111");
  expect(
    (JSON.parse(stored) as [{ kind: string; body: string | null }[]])[0].filter(({ kind }) => kind === "submission"),
  ).toEqual([expect.objectContaining({ body: null }), expect.objectContaining({ body: null })]);
  // Sealed as they are, they are not kept either once they have done their work.
  expect((await world.forms.find(first.id))?.carried).toEqual({});
});

describe("the settings of a place", () => {
  const open = (person: Person = ann) => world.engine.directory.formOf("settings", { place: channel, person });
  const chosen = async () =>
    (await world.forms.find((await open())?.id ?? ""))?.draft.fields.map(({ name, value }) => [name, value]);
  /** Fills all pages in, with what is there but for `change`. */
  const save = async (change: FormValues): Promise<void> => {
    let form = await open();
    while (form !== undefined) {
      const values = form.fields.map(({ name, value = "" }): [string, FormValues[string]] => [name, change[name] ?? value]);
      await send(form.id, Object.fromEntries(values), { place: channel });
      form = await world.engine.directory.form(offered(), ann);
    }
  };

  test("are a form, with what is chosen, in pages as the platform has room", async () => {
    await world.receive(commands("c1", "model", "Thinker", { place: channel }));
    await world.run(200);
    const form = await open();
    expect(form).toMatchObject({ title: "Parley here (1 of 3)", submit: "Continue", place: channel });
    expect(form?.fields[0]).toMatchObject({
      name: "model",
      type: "choice",
      value: "Thinker",
      choices: [{ value: "Thinker" }, { value: "Test model" }, { value: "best" }, { value: "balanced" }, { value: "fastest" }],
    });
  });

  test("change where something else was chosen, and are told in one answer", async () => {
    await save({ model: "Thinker", effort: "high", footer: "off" });
    expect(told().at(-1)).toContain("Thinker now answers in this channel.");
    expect(told().at(-1)).toContain("footer is now off");
    expect(told()).toHaveLength(3);
    expect(await chosen()).toEqual([
      ["model", "Thinker"],
      ["agent", undefined],
      ["project", undefined],
      ["effort", "high"],
      ["follow_ups", undefined],
      ["streaming", undefined],
      ["footer", "off"],
      ["transcribe", undefined],
    ]);
  });

  test("are taken back where a field was emptied, and left alone where nothing was changed", async () => {
    await save({ agent: "research", footer: "off" });
    await save({ footer: "" });
    expect(told().at(-1)).toContain("footer is now default");
    await save({});
    expect(told().at(-1)).toBe("Nothing was changed.");
    expect((await chosen())?.find(([name]) => name === "agent")).toEqual(["agent", "research"]);
  });

  test("wait for the answers before them", async () => {
    const form = await open();
    await world.receive(says("k1", "one", { place: channel }));
    await world.receive(submits(form?.id ?? "", { model: "Thinker" }, { place: channel }));
    await world.run(50);
    expect(told()).toEqual([]);
    world.workspace.answer([...world.workspace.held.keys()][0] ?? 0, { status: "finished", text: "One." });
    await world.run(200);
    expect(told()).toEqual(["Noted. Page 2 of 3 comes next."]);
  });

  test("are typed and opened by a button where a platform can open no form by itself", async () => {
    await world.receive(commands("c1", "settings"));
    await world.run(200);
    expect(await world.engine.directory.form(offered(), ann)).toMatchObject({
      title: "Parley here (1 of 3)",
      place: thread("t1"),
    });
  });

  test("are all that has a form of its own", async () => {
    expect(await world.engine.directory.formOf("help", { place: channel, person: ann })).toBeUndefined();
    expect(await world.engine.directory.formOf("no-such", { place: channel, person: ann })).toBeUndefined();
  });
});
