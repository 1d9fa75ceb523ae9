/** What every adapter must do, whatever its platform: one suite, run against each of them. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emptyDocument, paragraph, type Action, type Block, type Document } from "../../src/core/document.ts";
import type { Form, FormValues } from "../../src/core/forms.ts";
import type { Inbound, InboundFile, Person } from "../../src/core/inbound.ts";
import type { Place } from "../../src/core/place.ts";
import type { ChatPlatform, Posted } from "../../src/core/platform.ts";
import { WriteFault } from "../../src/errors.ts";
import { sampleForm } from "../fakes/forms.ts";

/** A platform that was started with an inbox of the test's own, and the people on it. */
export interface PlatformUnderTest {
  readonly platform: ChatPlatform;
  /** A thread that Parley may write to. */
  readonly place: Place;
  readonly person: Person;
  /** What the inbox stored, in order. */
  readonly received: readonly Inbound[];
  /** While set, the inbox throws this. */
  failInbox(error: Error | null): void;
  /**
   * Somebody says something in a channel; a mention of Parley stands before it when it is `addressed`.
   * @returns whether the platform's event was acknowledged, and how to deliver the very same event once more
   */
  say(text: string, how: { addressed: boolean; file?: { name: string; bytes: Uint8Array } }): Promise<Said>;
  /** The forms that the core has for the person, by id. */
  readonly forms: Map<string, Form>;
  /** The person presses a button on a message of Parley's. */
  press(posted: Posted, action: Action): Promise<Pressed>;
  /** The text that people see of a message; undefined when it is not there. */
  shown(posted: Posted): Promise<string | undefined>;
  /** How many messages Parley has in the place. */
  count(place: Place): Promise<number>;
  close(): Promise<void>;
}

export interface Said {
  readonly acknowledged: boolean;
  again(): Promise<Said>;
}

/** What a press shows to the person: a form, or words. */
export type Pressed = OpenedForm | { readonly told: string };

export interface OpenedForm {
  readonly title: string;
  readonly submit: string;
  /** As the person sees them. */
  readonly fields: ReadonlyArray<{ readonly label: string; readonly value: string; readonly masked: boolean }>;
  /** Fills in what is given, leaves the rest as it stands there, and sends it. */
  send(values: FormValues): Promise<SentForm>;
}

export interface SentForm extends Said {
  /** What the form says of its fields, by label or name, where the platform shows that; else empty. */
  readonly problems: readonly string[];
  again(): Promise<Said>;
}

/** Whether the platform can hide what is typed into a field. */
export interface PlatformAbilities {
  readonly masks: boolean;
  /** It says within the form what was expected of a field. */
  readonly explains: boolean;
}

const signal = (): AbortSignal => new AbortController().signal;
const saying = (text: string): Document => ({ ...emptyDocument, blocks: [paragraph(text)] });

async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (thrown: unknown) => (thrown instanceof WriteFault ? thrown.outcome : `threw ${String(thrown)}`),
  );

export function platformContract(name: string, can: PlatformAbilities, open: () => Promise<PlatformUnderTest>): void {
  describe(`${name} as a chat platform`, () => {
    let under: PlatformUnderTest;
    let platform: ChatPlatform;
    let place: Place;
    beforeEach(async () => {
      under = await open();
      ({ platform, place } = under);
    });
    afterEach(() => under.close());

    it("is ready once it was started", () => {
      expect(platform.health()).toBeNull();
      expect(place.platform).toBe(platform.name);
    });

    it("states limits that a renderer and a pacer can work with", () => {
      const { limits } = platform;
      const long: Block = paragraph("word ".repeat(50));
      expect(limits.cost(long).characters).toBeGreaterThan(limits.cost(paragraph("word")).characters);
      expect(limits.cost(paragraph("word")).characters).toBeGreaterThanOrEqual(4);
      expect(limits.cost(long).characters).toBeLessThan(limits.characters);
      for (const method of ["post", "edit"] as const) {
        const budgets = limits.budgets(method, place);
        expect(budgets.length).toBeGreaterThan(0);
        for (const { count, windowMs, burst } of budgets) {
          expect(Math.min(count, windowMs, burst)).toBeGreaterThan(0);
          expect(burst).toBeLessThanOrEqual(count);
        }
      }
    });

    it("posts a document, and shows another in its place", async () => {
      const posted = await platform.post(place, saying("first words"), "turn-1/0", signal());
      expect(posted.place).toEqual(place);
      expect(await under.shown(posted)).toContain("first words");
      await platform.edit(posted, saying("all the words"), signal());
      expect(await under.shown(posted)).toContain("all the words");
      expect(await under.shown(posted)).not.toContain("first");
      expect(await under.count(place)).toBe(1);
    });

    it("gives positions that survive as plain JSON", async () => {
      const posted = await platform.post(place, saying("before"), "turn-1/0", signal());
      const restored = JSON.parse(JSON.stringify(posted)) as Posted;
      await platform.edit(restored, saying("after"), signal());
      expect(await under.shown(posted)).toContain("after");
    });

    it("shows what a model writes as the text that it is", async () => {
      const hostile = "<script>alert(1)</script> @everyone <!channel> &amp; *stars*";
      const posted = await platform.post(place, saying(hostile), "turn-1/0", signal());
      expect(await under.shown(posted)).toContain("<script>alert(1)</script>");
      expect(await under.shown(posted)).toContain("&amp; *stars*");
    });

    it("knows a message by its key, and posts no second one with it", async () => {
      expect(await platform.find(place, "turn-1/0", signal())).toBeUndefined();
      const posted = await platform.post(place, saying("once"), "turn-1/0", signal());
      expect(await platform.find(place, "turn-1/0", signal())).toEqual(posted);
      expect(await platform.find(place, "turn-1/1", signal())).toBeUndefined();
      expect(await platform.find(place, "turn-1/0", signal(), ["another"])).toEqual(posted);
      expect(await platform.find(place, "turn-1/0", signal(), [posted.id])).toBeUndefined();
      expect(await platform.post(place, saying("twice"), "turn-1/0", signal())).toEqual(posted);
      expect(await under.shown(posted)).toContain("once");
      expect(await under.count(place)).toBe(1);
    });

    it("removes a message, once or more often, and then it is gone", async () => {
      const posted = await platform.post(place, saying("surplus"), "turn-1/1", signal());
      await platform.remove(posted, signal());
      await platform.remove(posted, signal());
      expect(await under.shown(posted)).toBeUndefined();
      expect(await platform.find(place, "turn-1/1", signal())).toBeUndefined();
      expect(await outcomeOf(platform.edit(posted, saying("late"), signal()))).toBe("gone");
      const again = await platform.post(place, saying("needed after all"), "turn-1/1", signal());
      expect(await under.shown(again)).toContain("needed after all");
    });

    it("says so when there is no such place to write to", async () => {
      const nowhere = { ...place, channel: "no-such-channel", thread: null };
      expect(await outcomeOf(platform.post(nowhere, saying("lost"), "turn-1/0", signal()))).toBe("gone");
    });

    it("attaches files as one message, once by its key", async () => {
      const files = [
        { name: "answer.md", mediaType: "text/markdown", bytes: Buffer.from("# Whole") },
        { name: "data.csv", mediaType: "text/csv", bytes: Buffer.from("a,b\n1,2") },
      ];
      const posted = await platform.attach(place, files, "turn-1/file", signal());
      expect(await platform.attach(place, files, "turn-1/file", signal())).toEqual(posted);
      expect(await platform.find(place, "turn-1/file", signal())).toEqual(posted);
      expect(await under.shown(posted)).toContain("answer.md");
      expect(await under.shown(posted)).toContain("data.csv");
      expect(await under.count(place)).toBe(1);
    });

    it("whispers without a message that stays", async () => {
      await platform.whisper(place, under.person, saying("for you alone"), signal());
      expect(await under.count(place)).toBe(0);
    });

    it("writes nothing once its time is over", async () => {
      const over = AbortSignal.abort(new Error("lease lost"));
      expect(["refused", "unknown"]).toContain(await outcomeOf(platform.post(place, saying("late"), "turn-1/0", over)));
      expect(await under.count(place)).toBe(0);
    });

    it("puts what is addressed to Parley into the inbox, as plain JSON, and then acknowledges it", async () => {
      const said = await under.say("what changed?", { addressed: true });
      expect(said.acknowledged).toBe(true);
      expect(under.received).toHaveLength(1);
      const [inbound] = under.received;
      expect(JSON.parse(JSON.stringify(inbound))).toEqual(inbound);
      expect(inbound).toMatchObject({ kind: "message", runs: [{ typed: "what changed?" }] });
      expect(inbound?.place.platform).toBe(platform.name);
      expect(inbound?.place.thread).not.toBeNull();
      expect(inbound?.key.startsWith(`${platform.name}:`)).toBe(true);
    });

    it("keeps from the inbox what is not addressed to Parley", async () => {
      expect((await under.say("lunch?", { addressed: false })).acknowledged).toBe(true);
      expect(under.received).toEqual([]);
    });

    it("takes an event that comes twice as one", async () => {
      const said = await under.say("once only", { addressed: true });
      expect((await said.again()).acknowledged).toBe(true);
      expect(new Set(under.received.map((one) => one.key)).size).toBe(1);
    });

    it("does not acknowledge what the inbox could not store, and takes it when it comes again", async () => {
      under.failInbox(new Error("disk full"));
      const said = await under.say("do not lose this", { addressed: true });
      expect(said.acknowledged).toBe(false);
      under.failInbox(null);
      expect((await said.again()).acknowledged).toBe(true);
      expect(under.received).toMatchObject([{ runs: [{ typed: "do not lose this" }] }]);
    });

    it("opens the bytes of a file that came with a message", async () => {
      const bytes = Buffer.from("name;value\nä;1\n");
      await under.say("read this", { addressed: true, file: { name: "table.csv", bytes } });
      const [inbound] = under.received;
      const file = inbound?.kind === "message" ? inbound.files[0] : undefined;
      expect(file).toMatchObject({ name: "table.csv", bytes: bytes.byteLength });
      expect(await bytesOf(await platform.open(file as InboundFile, signal()))).toEqual(bytes);
    });

    it("finds the files of a place, the newest first, as they came", async () => {
      expect(await platform.recentFiles(place, signal())).toEqual([]);
      const bytes = Buffer.from("a sound");
      await under.say("hear this", { addressed: true, file: { name: "memo.ogg", bytes } });
      const [inbound] = under.received;
      if (inbound?.kind !== "message") throw new Error("nothing came in");
      const [newest, ...others] = await platform.recentFiles(inbound.place, signal());
      expect(newest).toEqual(inbound.files[0]);
      expect(others).toEqual([]);
      await platform.attach(inbound.place, [{ name: "own.txt", mediaType: "text/plain", bytes }], "turn-1/file", signal());
      const found = await platform.recentFiles(inbound.place, signal());
      expect(found.map(({ name }) => name)).toEqual(["own.txt", "memo.ogg"]);
      expect(await bytesOf(await platform.open(found[0] as InboundFile, signal()))).toEqual(bytes);
    });

    describe("forms", () => {
      const opening: Action = { action: "form", label: "Order tea", turn: "turn-1", form: "0f0e0d0c0b0a" };
      const openForm = async (): Promise<OpenedForm> => {
        under.forms.set(opening.form ?? "", sampleForm(place));
        const posted = await platform.post(place, { ...saying("Tea?"), actions: [opening] }, "turn-1/0", signal());
        const pressed = await under.press(posted, opening);
        if ("told" in pressed) throw new Error(`there is no form: ${pressed.told}`);
        return pressed;
      };

      it("open by their button, as they are filled in so far", async () => {
        const form = await openForm();
        expect(form).toMatchObject({ title: "Order tea", submit: expect.stringMatching(/^(Order|Submit)$/) as string });
        expect(form.fields.map(({ label, value }) => [label, value])).toEqual([
          ["Which tea", "Black tea"],
          ["With", "Honey"],
          ["Cups", ""],
          ["Card number", ""],
          ["Anything else", "not too hot"],
        ]);
        expect(form.fields.filter(({ masked }) => masked).map(({ label }) => label)).toEqual(can.masks ? ["Card number"] : []);
        // The press alone is nothing that happened.
        expect(under.received).toEqual([]);
      });

      it("come into the inbox once, with what was filled in, in the form's own place", async () => {
        const form = await openForm();
        const sent = await form.send({ tea: "green", extras: ["milk", "lemon"], cups: "2", card: "4111", note: "a\nb" });
        expect(sent).toMatchObject({ acknowledged: true, problems: [] });
        await sent.again();
        expect(new Set(under.received.map(({ key }) => key)).size).toBe(1);
        const [inbound] = under.received;
        expect(JSON.parse(JSON.stringify(inbound))).toEqual(inbound);
        expect(inbound).toMatchObject({
          kind: "submission",
          form: opening.form,
          place,
          author: { id: under.person.id },
          values: { tea: "green", extras: ["milk", "lemon"], cups: "2", card: "4111", note: "a\nb" },
        });
        expect(inbound?.key.startsWith(`${platform.name}:`)).toBe(true);
      });

      it("keep what stands in them, and leave out what was taken out", async () => {
        const form = await openForm();
        await form.send({ extras: [], cups: "1", card: "1" });
        const [inbound] = under.received;
        const values = inbound?.kind === "submission" ? inbound.values : {};
        expect(values).toMatchObject({ tea: "black", note: "not too hot" });
        expect(values["extras"] ?? []).toHaveLength(0);
      });

      it("say what was expected of what was filled in, or leave that to the core", async () => {
        const form = await openForm();
        const sent = await form.send({ cups: "many", card: "1" });
        expect(sent.problems).toEqual(can.explains ? ["Please write a number, such as 3 or 0.5."] : []);
        expect(under.received).toHaveLength(can.explains ? 0 : 1);
      });

      it("are not acknowledged while they cannot be stored, and nothing is lost", async () => {
        const form = await openForm();
        under.failInbox(new Error("disk full"));
        const sent = await form.send({ cups: "2", card: "1" });
        expect(sent.acknowledged).toBe(false);
        expect(under.received).toEqual([]);
        under.failInbox(null);
        expect((await form.send({ cups: "2", card: "1" })).acknowledged).toBe(true);
        expect(under.received).toHaveLength(1);
      });

      it("that are there no more say so to whoever presses their button, and to nobody else", async () => {
        const posted = await platform.post(place, { ...saying("Tea?"), actions: [opening] }, "turn-1/0", signal());
        const pressed = await under.press(posted, opening);
        expect("told" in pressed ? pressed.told : "a form").toMatch(/no longer open/);
        expect(under.received).toEqual([]);
        expect(await under.count(place)).toBe(1);
      });
    });

    it("takes nothing more in once it was stopped, while answers can still be written", async () => {
      await platform.stop();
      expect((await under.say("too late", { addressed: true })).acknowledged).toBe(false);
      expect(under.received).toEqual([]);
      const posted = await platform.post(place, saying("last words"), "turn-1/0", signal());
      expect(await under.shown(posted)).toContain("last words");
      expect(platform.health()).not.toBeNull();
    });
  });
}
