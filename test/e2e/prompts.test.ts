/** A saved prompt and a tool, in a real browser, against the real thing: forms, a question before a change, and what comes of it. */
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, withoutBrowser } from "./browser.ts";
import { startParley, type Parley } from "./parley.ts";

// Waits for what the page shows; only a failure takes this long.
const patient = { timeout: 45_000 };

describe.skipIf(withoutBrowser)("prompts and tools on the console", { timeout: 120_000 }, () => {
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
  const say = async (text: string): Promise<void> => {
    await channel().getByRole("textbox", { name: "Message" }).fill(text);
    await channel().getByRole("button", { name: "Send" }).click();
  };
  const press = (name: string): Promise<void> => page.getByRole("button", { name, exact: true }).last().click();

  test("fills in a prompt's variables, and goes on with its conversation", async () => {
    await say("/prompt weekly");
    await page.getByText(/asks for Notes, Readers/).waitFor();
    await press("Fill in and run");
    const dialog = page.getByRole("dialog", { name: "Weekly update" });
    await dialog.getByLabel("Notes").fill("The *mill* was painted green.");
    expect(await dialog.getByLabel("Readers").inputValue()).toBe("the team");
    await dialog.getByRole("button", { name: "Run" }).click();
    const parent = channel().getByRole("article").filter({ hasText: "runs Weekly update" });
    await parent.getByText("Notes: The *mill* was painted green.").waitFor();
    await parent.getByRole("button", { name: /\d+ repl(y|ies)/ }).click();
    const thread = page.getByRole("complementary", { name: "Thread" });
    await thread
      .getByText(/no language model is connected/i)
      .first()
      .waitFor();
    await expect.poll(() => thread.getByRole("button", { name: "Stop" }).count(), patient).toBe(0);
    const client = parley.client();
    const [run] = (await client.prompts.lastUsed()).map(({ name }) => name);
    expect(run).toBe("Weekly update");
    const { total } = await client.conversations.list();
    await thread.getByRole("textbox", { name: "Message" }).fill("and shorter?");
    await thread.getByRole("button", { name: "Send" }).click();
    await thread.getByText("and shorter?").waitFor();
    await expect.poll(() => thread.getByRole("article").count(), patient).toBeGreaterThanOrEqual(4);
    expect((await client.conversations.list()).total).toBe(total);
    await client.close();
  });

  test("fills in what a tool takes, says yes, and sees what came of it", async () => {
    await say("/tool create_project");
    await press("Fill in");
    const dialog = page.getByRole("dialog", { name: "create_project" });
    await dialog.getByLabel(/^name/i).first().fill("Harbour");
    await dialog.getByRole("button", { name: "Run" }).click();
    await page.getByText("may change something").waitFor();
    const client = parley.client();
    expect((await client.projects.all()).map(({ name }) => name)).not.toContain("Harbour");
    await press("Do it");
    await expect.poll(async () => (await client.projects.all()).map(({ name }) => name), patient).toContain("Harbour");
    await page
      .getByText(/name: Harbour/)
      .last()
      .waitFor();
    await say("/tool list_projects limit:5");
    await page.getByRole("cell", { name: "Harbour" }).waitFor();
    await client.close();
  });
});
