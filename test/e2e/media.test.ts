/** What people have made, in a real browser, by the embedded workspace's own makers; also across the death of the process. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPrograms, type FakePrograms } from "../fakes/programs.ts";
import { withoutBrowser } from "./browser.ts";
import { onConsole, patient } from "./console-page.ts";

describe.skipIf(withoutBrowser)("things made on the console", () => {
  let programs: FakePrograms;
  beforeAll(async () => void (programs = await openPrograms()));
  afterAll(() => programs.close());
  // Nothing but what a test installs: whether the machine has ffmpeg must not matter.
  const at = onConsole({ env: () => ({ PATH: programs.folder }) });
  const { channel, thread, say, article, openThread, attach } = at;

  const files = (where: Locator): Locator => where.getByRole("list", { name: "Files" }).getByRole("listitem");
  const pictures = (where: Locator): Locator => where.getByRole("img", { name: /\.(png|jpe?g|webp)$/ });
  const isShown = async (picture: Locator): Promise<void> => {
    await expect
      .poll(() => picture.evaluate((shown: { naturalWidth: number }) => shown.naturalWidth), patient)
      .toBeGreaterThan(0);
  };
  /** The one file in the thread of a message, once it is there: its name and bytes. */
  const onlyFile = async (message: Locator): Promise<{ readonly name: string; readonly buffer: Buffer }> => {
    await openThread(message);
    const link = files(thread()).getByRole("link").first();
    await link.waitFor();
    expect(await files(thread()).count()).toBe(1);
    const [name, address] = await Promise.all([link.getAttribute("download"), link.getAttribute("href")]);
    const answer = await fetch(new URL(address ?? "", at.parley.url));
    return { name: name ?? "", buffer: Buffer.from(await answer.arrayBuffer()) };
  };

  test("a picture is drawn into the thread of its message, and changed by a form", async () => {
    await say(channel(), "/image a lighthouse at night");
    const message = article(channel(), /asked for.*a lighthouse at night/s);
    await message.getByRole("button", { name: "Change it" }).waitFor();
    await openThread(message);
    await isShown(pictures(thread()).first());
    expect(await pictures(thread()).count()).toBe(1);

    await message.getByRole("button", { name: "Change it" }).click();
    const dialog = at.page.getByRole("dialog", { name: "Change the picture" });
    await dialog.getByLabel("What to change").fill("make the sky orange");
    await dialog.getByRole("button", { name: "Change it" }).click();
    const changed = article(thread(), "make the sky orange").first();
    await changed.getByRole("button", { name: "Change it" }).waitFor();
    await expect.poll(() => pictures(thread()).count(), patient).toBe(2);
    await isShown(pictures(thread()).nth(1));
  });

  test("a film that begins with an attached picture fails with a reason, and is begun anew by its button", async () => {
    await at.page.reload();
    const frame = { name: "frame.png", mimeType: "image/png", buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]) };
    await attach(frame);
    await say(channel(), "/video the light turns seconds:1");
    const message = article(channel(), /asked for.*the light turns/s);
    await message.getByText("ffmpeg, which is not installed").waitFor();
    await programs.installFilms();
    await message.getByRole("button", { name: "Try again" }).click();
    await message.getByText(/1 s/).first().waitFor();
    // The stand-in for ffmpeg gives back what it was given to begin with.
    const { name, buffer } = await onlyFile(message);
    expect(name).toMatch(/\.mp4$/);
    expect(buffer).toEqual(frame.buffer);
    const client = at.parley.client();
    expect((await client.jobs.list("video")).total).toBe(1);
    await client.close();
  });

  test("a text is spoken, and the recording of it written down", async () => {
    await programs.installVoice();
    await at.page.reload();
    await say(channel(), "/speech ahoy there");
    const spoken = article(channel(), /asked for.*ahoy there/s);
    const { name, buffer } = await onlyFile(spoken);
    expect(name).toMatch(/\.wav$/);
    await at.page.reload();
    await attach({ name: "said.wav", mimeType: "audio/wav", buffer });
    await say(channel(), "/transcribe");
    const message = article(channel(), /asked for.*said\.wav.*ahoy there/s);
    await message.waitFor();
    expect(await files(message).count()).toBe(0);
  });

  test("a piece of music is finished and posted once, although the process is killed", async () => {
    await at.page.reload();
    await say(channel(), "/music a calm evening seconds:3 instrumental:yes");
    const message = article(channel(), /asked for.*a calm evening/s);
    await message.waitFor();
    await at.parley.kill();
    await at.parley.restart();
    await at.page.reload();
    await message.getByText(/3 s/).first().waitFor();
    expect((await onlyFile(message)).name).toMatch(/\.(wav|mp3|ogg)$/);
    expect(await thread().getByRole("article").count()).toBe(2);
  });

  test("what was made is listed, and deleted once its person says yes", async () => {
    await at.page.reload();
    const press = (label: string): Promise<void> => at.page.getByRole("button", { name: label, exact: true }).last().click();
    await say(channel(), "/jobs video");
    await at.page.getByText(/Film, finished: the light turns/).waitFor();
    await press("Delete 1");
    await at.page.getByText("This deletes the job from the workspace.").waitFor();
    const client = at.parley.client();
    expect((await client.jobs.list("video")).total).toBe(1);
    await press("Delete it");
    await at.page.getByText("Deleted:").waitFor();
    expect((await client.jobs.list("video")).total).toBe(0);
    await client.close();
  });
});
