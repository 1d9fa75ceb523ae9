/** Pictures and music in a real browser, made by the embedded workspace's own providers; also across the death of the process. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, withoutBrowser } from "./browser.ts";
import { startParley, type Parley } from "./parley.ts";

// Waits for what the page shows; only a failure takes this long.
const patient = { timeout: 45_000 };

describe.skipIf(withoutBrowser)("things made on the console", { timeout: 120_000 }, () => {
  let parley: Parley;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [parley, browser] = await Promise.all([startParley(), launchBrowser()]);
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(patient.timeout);
    await page.goto(parley.url);
    await page.getByRole("status", { name: "Connection" }).waitFor();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await parley?.close();
  });

  const channel = (): Locator => page.getByRole("main");
  const thread = (): Locator => page.getByRole("complementary", { name: "Thread" });
  const say = async (where: Locator, text: string): Promise<void> => {
    await where.getByRole("textbox", { name: "Message" }).fill(text);
    await where.getByRole("button", { name: "Send" }).click();
  };
  const article = (where: Locator, text: string | RegExp): Locator => where.getByRole("article").filter({ hasText: text });
  const pictures = (where: Locator): Locator => where.getByRole("img", { name: /\.(png|jpe?g|webp)$/ });
  const isShown = async (picture: Locator): Promise<void> => {
    await expect
      .poll(() => picture.evaluate((shown: { naturalWidth: number }) => shown.naturalWidth), patient)
      .toBeGreaterThan(0);
  };

  test("a picture is drawn into the thread of its message, and changed by a form", async () => {
    await say(channel(), "/image a lighthouse at night");
    const message = article(channel(), /asked for.*a lighthouse at night/s);
    await message.getByRole("button", { name: "Change it" }).waitFor();
    await message.getByRole("button", { name: /\d+ repl(y|ies)/ }).click();
    await isShown(pictures(thread()).first());
    expect(await pictures(thread()).count()).toBe(1);

    await message.getByRole("button", { name: "Change it" }).click();
    const dialog = page.getByRole("dialog", { name: "Change the picture" });
    await dialog.getByLabel("What to change").fill("make the sky orange");
    await dialog.getByRole("button", { name: "Change it" }).click();
    const changed = article(thread(), "make the sky orange").first();
    await changed.getByRole("button", { name: "Change it" }).waitFor();
    await expect.poll(() => pictures(thread()).count(), patient).toBe(2);
    await isShown(pictures(thread()).nth(1));
  });

  test("a piece of music is finished and posted once, although the process is killed", async () => {
    await page.reload();
    await say(channel(), "/music a calm evening seconds:3 instrumental:yes");
    const message = article(channel(), /asked for.*a calm evening/s);
    await message.waitFor();
    await parley.kill();
    await parley.restart();
    await page.reload();
    await message.getByText(/3 s/).first().waitFor();
    await message.getByRole("button", { name: /1 reply/ }).click();
    const files = thread()
      .getByRole("article")
      .getByText(/\.(wav|mp3|ogg)/);
    await files.first().waitFor();
    expect(await thread().getByRole("article").count()).toBe(2);
  });
});
