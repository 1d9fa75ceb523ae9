/**
 * The console as the README shows it, in light and dark.
 * `UPDATE_PICTURES=1 npm test -- test/e2e/picture` writes `docs/console-light.png` and `docs/console-dark.png` anew.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { withoutBrowser } from "./browser.ts";
import { onConsole } from "./console-page.ts";

const policy = `# Travel policy

Trains are booked in second class, and in first class for journeys of more than four hours.
Hotels cost at most 140 euros a night, breakfast included.
Flights inside the country are not paid for.
Exceptions are approved by the head of the team before the journey.
Receipts are handed in within thirty days.
`;

/** Width and height of a PNG, from its head. */
const sizeOf = (png: Buffer): [number, number] => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe.skipIf(withoutBrowser)("the README's picture", () => {
  const at = onConsole({ view: { viewport: { width: 1360, height: 880 }, deviceScaleFactor: 2, colorScheme: "light" } });
  const { channel, thread, say, attach } = at;
  /** The answer at `index` of the thread has ended. */
  const answered = async (index: number): Promise<void> => {
    const answer = thread().getByRole("article").nth(index);
    await answer.getByText("No language model is connected").first().waitFor();
    await expect.poll(() => answer.getByRole("button", { name: "Stop" }).count()).toBe(0);
  };

  test("shows a question with a file, its answer and a follow-up in the thread, light and dark", async () => {
    await fetch(`${at.parley.url}/console/api/person`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Ada" }),
    });
    await at.page.goto(at.parley.url);
    await at.page.getByRole("status", { name: "Connection" }).waitFor();
    await say(channel(), "Morning! The workshop in Lyon is confirmed: the 12th and 13th.");
    await say(channel(), "I am booking for the four of us today.");
    await attach({
      name: "travel-policy.md",
      mimeType: "text/markdown",
      buffer: Buffer.from(policy),
    });
    await say(channel(), "@parley which trains and hotels may I book?");
    await thread().waitFor();
    await thread().getByRole("article").nth(1).getByText("travel-policy.md").first().waitFor();
    await answered(1);
    await say(thread(), "Who approves exceptions?");
    await answered(3);

    for (const colorScheme of ["light", "dark"] as const) {
      await at.page.emulateMedia({ colorScheme });
      // Nothing is pointed at or typed into.
      await at.page.mouse.move(0, 0);
      await at.page.evaluate("document.activeElement?.blur()");
      const picture = await at.page.screenshot({ animations: "disabled" });
      expect(sizeOf(picture)).toEqual([2720, 1760]);
      const path = fileURLToPath(new URL(`../../docs/console-${colorScheme}.png`, import.meta.url));
      if (process.env["UPDATE_PICTURES"] === "1") writeFileSync(path, picture);
    }
  });
});
