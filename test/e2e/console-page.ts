/** A real browser at the console of a Parley of its own, for the tests of one file: opened before them, closed after them. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { launchBrowser } from "./browser.ts";
import { startParley, type Parley } from "./parley.ts";

/** Waits for what the page shows; only a failure takes this long. */
export const patient = { timeout: 60_000 };

export interface ConsolePage {
  readonly parley: Parley;
  readonly page: Page;
  readonly channel: () => Locator;
  readonly thread: () => Locator;
  /** Writes into the box of the channel or thread, and sends it. */
  readonly say: (where: Locator, text: string) => Promise<void>;
  /** Messages with these words. */
  readonly article: (where: Locator, text: string | RegExp) => Locator;
  /** Opens the thread of a message of the channel, by the button that counts its replies. */
  readonly openThread: (message: Locator) => Promise<void>;
  readonly closeThread: () => Promise<void>;
  /** Attaches a file to what is written next in the channel. */
  readonly attach: (file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }) => Promise<void>;
}

export interface ConsolePageOptions {
  /** Of the process, asked for when it is started. */
  readonly env?: () => Record<string, string>;
  readonly view?: Parameters<Browser["newPage"]>[0];
}

/** To be called where tests are described. */
export function onConsole({ env = () => ({}), view }: ConsolePageOptions = {}): ConsolePage {
  let parley: Parley;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [parley, browser] = await Promise.all([startParley(env()), launchBrowser()]);
    page = await browser.newPage(view ?? { viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(patient.timeout);
    await page.goto(parley.url);
    await page.getByRole("status", { name: "Connection" }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await parley?.close();
  });

  const channel = (): Locator => page.getByRole("main");
  const thread = (): Locator => page.getByRole("complementary", { name: "Thread" });
  return {
    get parley() {
      return parley;
    },
    get page() {
      return page;
    },
    channel,
    thread,
    async say(where, text) {
      const box = where.getByRole("textbox", { name: "Message" });
      await box.fill(text);
      await where.getByRole("button", { name: "Send" }).click();
      await expect.poll(() => box.inputValue(), patient).toBe("");
    },
    article: (where, text) => where.getByRole("article").filter({ hasText: text }),
    openThread: (message) => message.getByRole("button", { name: /\d+ repl(y|ies)/ }).click(),
    closeThread: () => thread().getByRole("button", { name: "Close thread" }).click(),
    attach: (file) => channel().locator("input[type=file]").setInputFiles(file),
  };
}
