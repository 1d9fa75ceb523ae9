/** The page in a real browser, before a console whose answers the test writes. */
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { typedDocument } from "../../adapters/console/typed-text.ts";
import { emptyDocument, paragraph, type Document } from "../../src/core/document.ts";
import type { Form } from "../../src/core/forms.ts";
import { sampleForm } from "../fakes/forms.ts";
import { launchBrowser, withoutBrowser } from "../e2e/browser.ts";
import { patient } from "../e2e/console-page.ts";
import { openHost, say, type Host } from "./host.ts";

const signal = new AbortController().signal;
const place = (thread: string | null, channel = "general") => ({ platform: "console", tenant: "local", channel, thread });
const answer = (text: string): Document => typedDocument(text);
// A pixel.
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe.skipIf(withoutBrowser)("the console's page", () => {
  let browser: Browser;
  let host: Host;
  let forms: Map<string, Form>;
  let page: Page;
  /** What the page must never do: ask others for anything, or run into an error. */
  let problems: string[];

  beforeAll(async () => void (browser = await launchBrowser()));
  afterAll(() => browser.close());
  beforeEach(async () => {
    forms = new Map();
    host = await openHost({ forms });
    page = await open();
  });
  afterEach(async () => {
    await page.context().close();
    await host.close();
    if (problems.length > 0) throw new Error(`the page did what it must not: ${problems.join("\n")}`);
  });

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const opened = await context.newPage();
    opened.setDefaultTimeout(patient.timeout);
    problems = [];
    opened.on("pageerror", (error) => problems.push(error.stack ?? error.message));
    opened.on("request", (request) => {
      if (!request.url().startsWith(host.url) && !request.url().startsWith("blob:")) problems.push(request.url());
    });
    await opened.goto(host.url);
    await connected(opened);
    return opened;
  }

  const status = (on: Page): Locator => on.getByRole("status", { name: "Connection" });
  const connected = (on: Page): Promise<void> => status(on).getByText("Connected").waitFor();
  const main = (): Locator => page.getByRole("main");
  const thread = (): Locator => page.getByRole("complementary", { name: "Thread" });
  const box = (within: Locator = main()): Locator => within.getByRole("textbox", { name: "Message" });
  const articles = (within: Locator): Locator => within.getByRole("article");

  /** Asks in the channel, and gives the thread that opens. */
  async function ask(text: string): Promise<string> {
    await box().fill(`@parley ${text}`);
    await main().getByRole("button", { name: "Send" }).click();
    await thread().waitFor();
    return host.inbox.received.at(-1)?.place.thread ?? "";
  }

  describe("a form", () => {
    const dialog = (): Locator => page.getByRole("dialog", { name: "Order tea" });
    const opening = { action: "form", label: "Order tea", turn: "t1", form: "0f0e0d0c0b0a" };
    const openForm = async (): Promise<void> => {
      forms.set(opening.form, sampleForm(place(null)));
      await host.console.platform.whisper(
        place(null),
        { id: "you", name: "You" },
        { ...answer("Tea?"), actions: [opening] },
        signal,
      );
      await page.getByRole("button", { name: "Order tea" }).last().click();
      await dialog().waitFor();
    };

    it("opens by its button with what stands in it, hides what is secret, and is sent by the keyboard alone", async () => {
      await openForm();
      expect(await dialog().getByLabel("Which tea").inputValue()).toBe("black");
      expect(await dialog().getByLabel("Honey").isChecked()).toBe(true);
      expect(await dialog().getByLabel("Card number").getAttribute("type")).toBe("password");
      expect(await dialog().getByLabel("Anything else").inputValue()).toBe("not too hot");
      // What is behind rests: the keyboard stays in the form.
      for (let presses = 0; presses < 20; presses++) {
        await page.keyboard.press("Tab");
        expect(
          await page.evaluate("document.activeElement === document.body || document.activeElement.closest('dialog') !== null"),
        ).toBe(true);
      }
      await dialog().getByLabel("Cups").fill("2");
      await dialog().getByLabel("Milk").check();
      await dialog().getByLabel("Card number").fill("4111");
      await page.keyboard.press("Enter");
      await dialog().waitFor({ state: "detached" });
      expect(host.inbox.received).toMatchObject([
        {
          kind: "submission",
          form: opening.form,
          values: { tea: "black", extras: ["milk", "honey"], cups: "2", card: "4111", note: "not too hot" },
        },
      ]);
    });

    it("says beside its fields what was expected, keeps what was typed, and gives the keyboard back when it is left", async () => {
      await openForm();
      await dialog().getByLabel("Cups").fill("many");
      await dialog().getByRole("button", { name: "Order" }).click();
      await dialog().getByText("Please write a number, such as 3 or 0.5.").waitFor();
      await dialog().getByText("Please fill this in.").waitFor();
      expect(await dialog().getByLabel("Cups").inputValue()).toBe("many");
      expect(
        await dialog()
          .getByLabel("Cups")
          .evaluate((field) => field === field.ownerDocument.activeElement),
      ).toBe(true);
      expect(host.inbox.received).toEqual([]);
      await page.keyboard.press("Escape");
      await dialog().waitFor({ state: "detached" });
      expect(
        await page.getByRole("button", { name: "Order tea" }).evaluate((one) => one === one.ownerDocument.activeElement),
      ).toBe(true);
    });

    it("fits a narrow page, light and dark", async () => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.context().close();
        page = await open({ viewport: { width: 320, height: 600 }, colorScheme });
        await openForm();
        const box = await dialog().boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(600);
        const [ink, ground] = await page.evaluate<string[]>(
          "(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector('dialog')))",
        );
        expect(ink).not.toBe(ground);
        await page.keyboard.press("Escape");
      }
    });

    it("that is there no more says so", async () => {
      await openForm();
      forms.clear();
      await dialog().getByLabel("Cups").fill("2");
      await dialog().getByLabel("Card number").fill("4111");
      await dialog().getByRole("button", { name: "Order" }).click();
      await dialog().getByText("This form is no longer open").waitFor();
      expect(await dialog().getByLabel("Cups").inputValue()).toBe("2");
    });
  });

  it("teaches a newcomer, and goes from a mention to an answer that grows in its thread", async () => {
    await main().getByText("Mention @parley").waitFor();
    const root = await ask("what changed?");
    const { platform } = host.console;
    const working: Document = {
      ...answer("The queue"),
      state: "working",
      status: "Writing…",
      actions: [{ action: "stop", label: "Stop", turn: "t1" }],
    };
    const posted = await platform.post(place(root), working, "t1/0", signal);
    const reply = articles(thread()).nth(1);
    await reply.getByText("Writing…").waitFor();
    await reply.getByRole("button", { name: "Stop" }).click();
    await expect.poll(() => host.inbox.received.at(-1)).toMatchObject({ kind: "action", action: "stop", turn: "t1" });
    await platform.edit(posted, { ...working, blocks: answer("The queue was **replaced**.").blocks }, signal);
    await reply.getByText("The queue was replaced.").waitFor();
    await platform.edit(posted, { ...answer("The queue was **replaced**."), footer: "Offline model · 2 s" }, signal);
    await reply.getByText("Offline model · 2 s").waitFor();
    expect(await reply.getByRole("button", { name: "Stop" }).count()).toBe(0);
    expect(await reply.getByText("Writing…").count()).toBe(0);
    await main()
      .getByRole("button", { name: /1 reply/ })
      .waitFor();
    await box(thread()).fill("and why?");
    await box(thread()).press("Enter");
    await articles(thread()).getByText("and why?").waitFor();
    expect(host.inbox.received.at(-1)).toMatchObject({ place: place(root), runs: [{ typed: "and why?" }] });
  });

  it("draws Markdown, and runs and loads nothing of it", async () => {
    const text = [
      "# Title",
      "<script>document.title = 'owned'</script> and <img src=x onerror=alert(1)>",
      "[click](javascript:alert(1)) [bank](https://evil.example/login) [https://ok.example](https://ok.example) <a@b.example>",
      "![chart](https://evil.example/track.png)",
      "| a | b |\n|:-|-:|\n| 1 | 2 |",
      "```ts\nconst x = 1;\n```",
      "- [x] done\n- [ ] open",
      "> quoted",
      "note[^1] and [ref]\n\n[^1]: the note\n\n[ref]: https://ref.example/",
    ].join("\n\n");
    const footnotes = [
      { index: 1, title: "Handbook", url: "https://docs.example/handbook", detail: "page 3" },
      { index: 2, title: "notes.pdf", url: null, detail: "" },
      { index: 3, title: "Trap", url: "javascript:alert(1)", detail: "" },
    ];
    await host.console.platform.post(place(null), { ...answer(text), footnotes }, "k", signal);
    const article = articles(main()).first();
    await article.getByRole("heading", { name: "Title" }).waitFor();
    await article.getByText("<script>document.title = 'owned'</script>").waitFor();
    expect(await page.title()).not.toContain("owned");
    const links = await article
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute("href"), link.getAttribute("rel")]));
    const rel = "noopener noreferrer nofollow";
    expect(links).toEqual([
      ["bank", "https://evil.example/login", rel],
      ["https://ok.example", "https://ok.example/", rel],
      ["a@b.example", "mailto:a@b.example", rel],
      ["Picture: chart", "https://evil.example/track.png", rel],
      ["ref", "https://ref.example/", rel],
      ["Handbook", "https://docs.example/handbook", rel],
    ]);
    const shown = (await article.textContent()) ?? "";
    expect(shown).toContain("(evil.example)");
    expect(shown).not.toContain("(ok.example)");
    expect(shown).toContain("(javascript:alert(1))");
    expect(await article.locator("script, img:not(.mark), iframe, style").count()).toBe(0);
    expect(await article.getByRole("cell").allTextContents()).toEqual(["1", "2"]);
    expect(await article.getByRole("checkbox", { checked: true }).count()).toBe(1);
    expect(await article.getByRole("region", { name: "Sources" }).getByRole("listitem").count()).toBe(3);
    await article.getByRole("button", { name: "Copy" }).press("Enter");
    await article.getByRole("button", { name: /Copied|by hand/ }).waitFor();
  });

  it("shows what people write and are called as text", async () => {
    await box().fill("<img src=x onerror=\"document.title='owned'\">\nsecond line <b>bold</b>");
    await box().press("Enter");
    const article = articles(main()).first();
    await article.getByText("second line <b>bold</b>").waitFor();
    expect(await article.locator("img, b:not(header b)").count()).toBe(0);
    await page.getByRole("button", { name: "You" }).click();
    await page.getByRole("textbox", { name: "Your name" }).fill("<script>x</script>");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "<script>x</script>" }).waitFor();
    expect(await page.title()).not.toContain("owned");
  });

  it("suggests commands, options and agents, all by keyboard", async () => {
    await box().focus();
    await page.keyboard.type("/");
    const list = main().getByRole("listbox");
    await list.waitFor();
    expect(await list.getByRole("option").allTextContents()).toHaveLength(3);
    await page.keyboard.press("ArrowDown");
    expect(await list.getByRole("option", { selected: true }).textContent()).toContain("/style");
    expect(await box().getAttribute("aria-activedescendant")).toBe(
      await list.getByRole("option", { selected: true }).getAttribute("id"),
    );
    await page.keyboard.press("Enter");
    expect(await box().inputValue()).toBe("/style ");
    await list.getByRole("option", { name: "Brief" }).waitFor();
    await page.keyboard.type("fo");
    await list.getByRole("option", { selected: true, name: "Formal" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await box().inputValue()).toBe("/style formal ");
    await page.keyboard.press("Enter");
    await articles(main()).getByText("/style formal").waitFor();
    expect(host.inbox.received.at(-1)).toMatchObject({ kind: "command", name: "style", text: "formal" });
    await page.keyboard.type("ask @le");
    await list.getByRole("option", { name: "@legal" }).waitFor();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    expect(await box().inputValue()).toBe("ask @le");
    await page.keyboard.type("a");
    await list.getByRole("option", { selected: true, name: "@lead" }).waitFor();
    await page.keyboard.press("Enter");
    expect(await box().inputValue()).toBe("ask @lead ");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("more");
    expect(await box().inputValue()).toBe("ask @lead \nmore");
  });

  it("sends a command that is typed out with one Enter", async () => {
    await box().focus();
    await page.keyboard.type("/help", { delay: 20 });
    await main().getByRole("listbox").waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await expect.poll(() => host.inbox.received.at(-1)).toMatchObject({ kind: "command", name: "help" });
  });

  it("attaches files by button, paste and drop", async () => {
    const chips = main().getByRole("list", { name: "Attached files" }).getByRole("listitem");
    await page
      .locator("main input[type=file]")
      .setInputFiles({ name: "report.txt", mimeType: "text/plain", buffer: Buffer.from("report") });
    await chips.nth(0).getByText("report.txt").waitFor();
    const give = (kind: "paste" | "drop") =>
      page.evaluate(
        ({ kind: type, bytes }) => {
          // In the browser, whose types this project does not have.
          // oxlint-disable-next-line typescript/no-explicit-any
          const window = globalThis as any;
          const data = new window.DataTransfer();
          data.items.add(
            new window.File([new Uint8Array(bytes)], type === "paste" ? "image.png" : "dropped.png", { type: "image/png" }),
          );
          const target = window.document.querySelector("main textarea");
          const event =
            type === "paste"
              ? new window.ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
              : new window.DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
          target.dispatchEvent(event);
        },
        { kind, bytes: [...png] },
      );
    await give("paste");
    await chips
      .nth(1)
      .getByText(/^pasted-.*\.png$/)
      .waitFor();
    await give("drop");
    await chips.nth(2).getByText("dropped.png").waitFor();
    await main().getByRole("button", { name: "Remove report.txt" }).click();
    await expect.poll(() => chips.count()).toBe(2);
    await box().fill("@parley look at these");
    await box().press("Enter");
    await thread().waitFor();
    expect(host.inbox.received.at(-1)).toMatchObject({
      files: [{ mediaType: "image/png", bytes: png.byteLength }, { name: "dropped.png" }],
    });
    const picture = articles(main()).first().getByRole("img", { name: "dropped.png" });
    await expect.poll(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(1);
    expect(await chips.count()).toBe(0);
  });

  it("keeps a file that is attached while a message is on its way, for the next one", async () => {
    const chips = main().getByRole("list", { name: "Attached files" }).getByRole("listitem");
    const held = Promise.withResolvers<void>();
    await page.route("**/console/api/messages", async (route) => {
      await held.promise;
      await route.continue();
    });
    await box().fill("@parley the file comes next");
    await box().press("Enter");
    await page
      .locator("main input[type=file]")
      .setInputFiles({ name: "next.txt", mimeType: "text/plain", buffer: Buffer.from("next") });
    await chips.getByText("next.txt").waitFor();
    held.resolve();
    await thread().waitFor();
    await expect.poll(() => box().inputValue()).toBe("");
    expect(await chips.count()).toBe(1);
    await box().fill("@parley here it is");
    await box().press("Enter");
    await expect.poll(() => host.inbox.received.map((one) => (one.kind === "message" ? one.files.length : -1))).toEqual([0, 1]);
  });

  it("keeps a text that was not taken, says why, and sends it once", async () => {
    host.inbox.failure = Object.assign(new Error("no space"), { code: "ENOSPC" });
    await box().fill("@parley keep me");
    await box().press("Enter");
    await main().getByRole("alert").getByText("the disk is full").waitFor();
    expect(await box().inputValue()).toBe("@parley keep me");
    host.inbox.failure = null;
    await box().press("Enter");
    await thread().waitFor();
    expect(await box().inputValue()).toBe("");
    expect(await main().getByRole("alert").count()).toBe(0);
    expect(host.inbox.received).toHaveLength(1);
    expect(await articles(main()).count()).toBe(1);
  });

  it("sends once what was taken although the answer was lost, also after a reload", async () => {
    await page.route("**/console/api/messages", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await box().fill("@parley only once");
    await box().press("Enter");
    await main().getByRole("alert").getByText("Cannot reach Parley").waitFor();
    await page.unroute("**/console/api/messages");
    await page.reload();
    await connected(page);
    expect(await box().inputValue()).toBe("@parley only once");
    await box().press("Enter");
    await thread().waitFor();
    expect(await box().inputValue()).toBe("");
    expect(host.inbox.received).toHaveLength(1);
    expect(await articles(main()).count()).toBe(1);
  });

  it("comes back by itself, says so, misses nothing, and keeps what was typed", async () => {
    const root = await ask("long question");
    await box(thread()).fill("half a thought");
    await host.stop();
    await status(page).getByText("Reconnecting…").waitFor();
    await box(thread()).press("Enter");
    await thread().getByRole("alert").getByText("Cannot reach Parley").waitFor();
    host = await host.restart();
    await host.console.platform.post(place(root), answer("while you were away"), "k", signal);
    await connected(page);
    await articles(thread()).getByText("while you were away").waitFor();
    expect(await box(thread()).inputValue()).toBe("half a thought");
    await page.reload();
    await connected(page);
    await articles(thread()).getByText("while you were away").waitFor();
    expect(await box(thread()).inputValue()).toBe("half a thought");
    await box(thread()).press("Enter");
    await articles(thread()).getByText("half a thought").waitFor();
    await page.reload();
    await connected(page);
    expect(await box(thread()).inputValue()).toBe("");
  });

  it("stays at the end while an answer grows, and stands still for a reader who scrolled away", async () => {
    const lines = (count: number) => answer(Array.from({ length: count }, (_, index) => `line ${String(index)}`).join("\n\n"));
    const posted = await host.console.platform.post(place(null), lines(60), "k", signal);
    const list = main().getByRole("feed");
    await list.getByText("line 59").waitFor();
    const fromEnd = () => list.evaluate((element) => Math.round(element.scrollHeight - element.scrollTop - element.clientHeight));
    await expect.poll(fromEnd).toBeLessThan(2);
    await host.console.platform.edit(posted, lines(80), signal);
    await list.getByText("line 79").waitFor();
    await expect.poll(fromEnd).toBeLessThan(2);
    await list.evaluate((element) => void (element.scrollTop = 300));
    await main().getByRole("button", { name: "Newest" }).waitFor();
    await host.console.platform.edit(posted, lines(100), signal);
    await list.getByText("line 99").waitFor();
    expect(await list.evaluate((element) => element.scrollTop)).toBe(300);
    await main().getByRole("button", { name: "Newest" }).click();
    await expect.poll(fromEnd).toBeLessThan(2);
  });

  it("shows failure with Retry, a place in the queue, and notes for one person", async () => {
    const { platform } = host.console;
    const failed: Document = {
      ...emptyDocument,
      state: "failed",
      notice: "The model did not answer.",
      actions: [{ action: "retry", label: "Retry", turn: "t9" }],
    };
    await platform.post(place(null, "Direct"), failed, "a", signal);
    await platform.post(
      place(null, "Direct"),
      { ...emptyDocument, state: "waiting", status: "2 messages before yours" },
      "b",
      signal,
    );
    await platform.whisper(
      place(null, "Direct"),
      { id: "you", name: "You" },
      { ...emptyDocument, blocks: [paragraph("Style is brief now.")] },
      signal,
    );
    const asked = await platform.post(place(null, "Direct"), answer("You ask: why?"), "c", signal);
    await platform.post(place(asked.id, "Direct"), answer("Because."), "d", signal);
    await page.getByRole("link", { name: /Parley/ }).click();
    await main()
      .getByRole("button", { name: /1 reply/ })
      .click();
    await articles(thread()).getByText("Because.").waitFor();
    await thread().getByRole("button", { name: "Close thread" }).click();
    await articles(main()).getByText("The model did not answer.").waitFor();
    await articles(main()).getByText("2 messages before yours").waitFor();
    await main().getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => host.inbox.received).toMatchObject([{ kind: "action", action: "retry", turn: "t9" }]);
    const note = articles(main()).filter({ hasText: "Only visible to you" });
    await note.getByText("Style is brief now.").waitFor();
    await note.getByRole("button", { name: "Dismiss" }).click();
    await note.waitFor({ state: "detached" });
    await box().fill("no mention needed here");
    await box().press("Enter");
    await expect.poll(() => host.inbox.received.at(-1)).toMatchObject({ place: place(null, "Direct") });
  });

  it("edits and deletes one's own messages", async () => {
    await box().fill("teh text");
    await box().press("Enter");
    const article = articles(main()).first();
    await article.hover();
    await article.getByRole("button", { name: "Edit" }).click();
    await article.getByRole("textbox", { name: "Edit message" }).fill("the text");
    await page.keyboard.press("Enter");
    await article.getByText("the text").waitFor();
    await article.getByText("edited").waitFor();
    await article.hover();
    await article.getByRole("button", { name: "Delete" }).click();
    await article.getByRole("button", { name: "Really delete" }).click();
    await expect.poll(() => articles(main()).count()).toBe(0);
  });

  it("makes a channel, and marks what came in elsewhere as unread", async () => {
    await page.getByRole("button", { name: "New channel" }).click();
    await page.getByRole("textbox", { name: "Channel name" }).fill("Release Notes");
    await page.keyboard.press("Enter");
    await main().getByRole("heading", { name: "release-notes", exact: false }).first().waitFor();
    await host.console.platform.post(place(null), answer("news"), "k", signal);
    const general = page.getByRole("link", { name: /general/ });
    await general.getByLabel("1 new").waitFor();
    await general.click();
    await articles(main()).getByText("news").waitFor();
    expect(await general.getByLabel("1 new").count()).toBe(0);
  });

  it("fits a phone: one pane at a time, nothing cut off", async () => {
    await page.context().close();
    page = await open({ viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true });
    const wide = `| ${"column | ".repeat(12)}\n| ${"--- | ".repeat(12)}\n| ${"value | ".repeat(12)}`;
    const id = (await say(host, "@parley show me")).body.message.id as string;
    await host.console.platform.post(
      place(id),
      answer(`${"long".repeat(80)}\n\n${wide}\n\n\`\`\`\n${"x".repeat(300)}\n\`\`\``),
      "k",
      signal,
    );
    const overflow = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.getByRole("button", { name: "Channels" }).tap();
    await page.getByRole("link", { name: /random/ }).waitFor();
    await page.getByRole("link", { name: /general/ }).tap();
    await page.getByRole("link", { name: /random/ }).waitFor({ state: "hidden" });
    await main()
      .getByRole("button", { name: /1 reply/ })
      .tap();
    await thread().getByRole("table").waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    expect(await main().count()).toBe(0);
    expect(await status(page).textContent()).toContain("Connected");
    await box(thread()).fill("thanks");
    await thread().getByRole("button", { name: "Send" }).tap();
    await articles(thread()).getByText("thanks").waitFor();
    await thread().getByRole("button", { name: "Close thread" }).tap();
    await box().waitFor();
  });

  it("can be used without a mouse", async () => {
    await say(host, "a message of people");
    const reached: string[] = [];
    await page.locator("body").evaluate((body) => (body.ownerDocument.activeElement as unknown as { blur(): void }).blur());
    for (let count = 0; count < 30; count++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent");
      reached.push(String(name).trim());
    }
    for (const name of ["New channel", "Reply in thread", "Edit", "Delete", "Message", "Attach files"])
      expect(reached).toContain(name);
    await main().getByRole("button", { name: "Reply in thread" }).focus();
    await page.keyboard.press("Enter");
    await thread().waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.closest('aside')?.getAttribute('aria-label')")).toBe("Thread");
    await page.keyboard.press("Escape");
    await thread().waitFor({ state: "detached" });
  });
});
