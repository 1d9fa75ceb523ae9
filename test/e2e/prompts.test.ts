/** A saved prompt and a tool, in a real browser, against the real thing: forms, a question before a change, and what comes of it. */
import { describe, expect, test } from "vitest";
import { withoutBrowser } from "./browser.ts";
import { onConsole, patient } from "./console-page.ts";

describe.skipIf(withoutBrowser)("prompts and tools on the console", () => {
  const at = onConsole();
  const { channel, thread, article } = at;
  const say = (text: string): Promise<void> => at.say(channel(), text);
  const press = (name: string): Promise<void> => at.page.getByRole("button", { name, exact: true }).last().click();

  test("fills in a prompt's variables, and goes on with its conversation", async () => {
    await say("/prompt weekly");
    await at.page.getByText(/asks for Notes, Readers/).waitFor();
    await press("Fill in and run");
    const dialog = at.page.getByRole("dialog", { name: "Weekly update" });
    await dialog.getByLabel("Notes").fill("The *mill* was painted green.");
    expect(await dialog.getByLabel("Readers").inputValue()).toBe("the team");
    await dialog.getByRole("button", { name: "Run" }).click();
    const parent = article(channel(), "runs Weekly update");
    await parent.getByText("Notes: The *mill* was painted green.").waitFor();
    await at.openThread(parent);
    await thread()
      .getByText(/no language model is connected/i)
      .first()
      .waitFor();
    await expect.poll(() => thread().getByRole("button", { name: "Stop" }).count(), patient).toBe(0);
    const client = at.parley.client();
    const [run] = (await client.prompts.lastUsed()).map(({ name }) => name);
    expect(run).toBe("Weekly update");
    const { total } = await client.conversations.list();
    await at.say(thread(), "and shorter?");
    await thread().getByText("and shorter?").waitFor();
    await expect.poll(() => thread().getByRole("article").count(), patient).toBeGreaterThanOrEqual(4);
    expect((await client.conversations.list()).total).toBe(total);
    await client.close();
  });

  test("fills in what a tool takes, says yes, and sees what came of it", async () => {
    await say("/tool create_project");
    await press("Fill in");
    const dialog = at.page.getByRole("dialog", { name: "create_project" });
    await dialog.getByLabel(/^name/i).first().fill("Harbour");
    await dialog.getByRole("button", { name: "Run" }).click();
    await at.page.getByText("may change something").waitFor();
    const client = at.parley.client();
    expect((await client.projects.all()).map(({ name }) => name)).not.toContain("Harbour");
    await press("Do it");
    await expect.poll(async () => (await client.projects.all()).map(({ name }) => name), patient).toContain("Harbour");
    await at.page
      .getByText(/name: Harbour/)
      .last()
      .waitFor();
    await say("/tool list_projects limit:5");
    await at.page.getByRole("cell", { name: "Harbour" }).waitFor();
    await client.close();
  });
});
