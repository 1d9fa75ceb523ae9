/** A newcomer's first quarter of an hour, in a real browser, against the real thing. */
import { describe, expect, test } from "vitest";
import { withoutBrowser } from "./browser.ts";
import { onConsole, patient } from "./console-page.ts";

describe.skipIf(withoutBrowser)("a newcomer with no account", () => {
  const at = onConsole();
  const { channel, thread, say, article, closeThread, attach } = at;
  const openThread = async (question: string): Promise<void> => {
    await at.openThread(article(channel(), question));
    await article(thread(), question).first().waitFor();
  };

  test("mentions the bot and watches the answer stream into its message", async () => {
    await say(channel(), "@parley what can you do?");
    await article(thread(), "what can you do?").waitFor();
    const answer = thread().getByRole("article").nth(1);
    await answer
      .getByText(/no language model is connected/i)
      .first()
      .waitFor();
    await answer
      .getByText(/OPENAI_API_KEY/)
      .first()
      .waitFor();
    await expect.poll(() => answer.getByRole("button", { name: "Stop" }).count(), patient).toBe(0);
  });

  test("goes on in the thread without a mention, and picks an agent by its tag", async () => {
    const before = await thread().getByRole("article").count();
    const box = thread().getByRole("textbox", { name: "Message" });
    await box.click();
    await box.pressSequentially("@lib");
    await at.page
      .getByRole("option", { name: /librarian/i })
      .first()
      .waitFor();
    await box.press("Enter");
    await expect.poll(() => box.inputValue()).toMatch(/^@librarian/);
    await box.pressSequentially("who are you?");
    await thread().getByRole("button", { name: "Send" }).click();
    await expect.poll(() => thread().getByRole("article").count(), patient).toBe(before + 2);
    await thread()
      .getByRole("article")
      .last()
      .getByText(/Librarian/)
      .first()
      .waitFor();
  });

  test("attaches a file and gets an answer from it, with its source", async () => {
    await closeThread();
    await attach({
      name: "Handbook.TXT",
      mimeType: "text/plain",
      buffer: Buffer.from("The office cat is called Whiskers. The kitchen closes at nine. Parking is behind the mill."),
    });
    await say(channel(), "@parley what is the office cat called?");
    await article(thread(), "office cat").waitFor();
    const answer = thread().getByRole("article").nth(1);
    await answer
      .getByText(/Whiskers/)
      .first()
      .waitFor();
    await answer
      .getByText(/Handbook/i)
      .first()
      .waitFor();
    expect(await answer.getByRole("region", { name: "Sources" }).count()).toBe(1);
  });

  test("has the picture and the file that an answer makes", async () => {
    await closeThread();
    await say(channel(), "@parley draw a picture");
    await article(thread(), "draw a picture").waitFor();
    await thread().getByRole("article").nth(1).getByText("This picture is a fixed sample").waitFor();
    const picture = thread().getByRole("img", { name: "demonstration.png" });
    await picture.waitFor();
    await expect
      .poll(() => picture.evaluate((shown: { naturalWidth: number }) => shown.naturalWidth), patient)
      .toBeGreaterThan(0);
    await say(thread(), "make a file");
    await thread()
      .getByRole("link", { name: /demonstration\.csv/ })
      .waitFor();
    expect(await thread().getByRole("article").count()).toBe(6);
  });

  test("finds the same message completed, once, in the same thread, after a kill in the middle of it", async () => {
    await closeThread();
    await say(channel(), "@parley write 150 words");
    await article(thread(), "write 150 words").waitFor();
    const answer = thread().getByRole("article").nth(1);
    await answer.getByRole("button", { name: "Stop" }).waitFor();
    await expect.poll(async () => (await answer.innerText()).length, patient).toBeGreaterThan(80);
    const id = await answer.getAttribute("id");
    await at.parley.kill();
    await at.page
      .getByRole("status", { name: "Connection" })
      .getByText(/reconnecting/i)
      .waitFor();
    await at.parley.restart();
    await at.page
      .getByRole("status", { name: "Connection" })
      .getByText(/connected/i)
      .waitFor();
    await expect.poll(() => thread().getByRole("article").nth(1).getByRole("button", { name: "Stop" }).count(), patient).toBe(0);
    const whole = await thread().getByRole("article").nth(1).innerText();
    expect(whole).not.toMatch(/failed|interrupted|went wrong/i);
    expect(whole.split(/\s+/).length).toBeGreaterThan(150);
    expect(await thread().getByRole("article").count()).toBe(2);
    expect(await thread().getByRole("article").nth(1).getAttribute("id")).toBe(id);
    const client = at.parley.client();
    const { items } = await client.conversations.list({ size: 50 });
    const first = await client.conversations.messages(items[0]!.ID, { size: 50 });
    expect(first.items.map(({ isUser }) => isUser)).toEqual([false, true]);
    await client.close();
  });

  test("finds everything still there after another start", async () => {
    expect(await at.parley.stop()).toBe(0);
    await at.parley.restart();
    await at.page.goto(at.parley.url);
    for (const text of ["what can you do?", "office cat", "write 150 words"]) await article(channel(), text).first().waitFor();
    await openThread("office cat");
    await thread()
      .getByText(/Whiskers/)
      .first()
      .waitFor();
    await say(thread(), "and when does the kitchen close?");
    await thread().getByRole("article").nth(3).getByText(/nine/).first().waitFor();
  });
});
