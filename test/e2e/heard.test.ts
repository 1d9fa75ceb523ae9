/** A recording in a message and in its menu, in a real browser, heard by the embedded workspace. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeWav } from "../../src/service/providers/media/offline/wav.ts";
import { openPrograms, type FakePrograms } from "../fakes/programs.ts";
import { withoutBrowser } from "./browser.ts";
import { onConsole } from "./console-page.ts";

describe.skipIf(withoutBrowser)("recordings on the console", () => {
  let programs: FakePrograms;
  beforeAll(async () => void (programs = await openPrograms()));
  afterAll(() => programs.close());
  const at = onConsole({ env: () => ({ PATH: programs.folder }) });
  const { channel, thread, say, article, openThread, attach } = at;

  /** As the embedded workspace speaks: the words stand in the file. */
  const spoken = (words: string): Buffer =>
    Buffer.from(
      writeWav({
        rate: 8_000,
        samples: new Int16Array(4_000),
        info: { madeBy: "Parley, spoken offline by espeak-ng", words },
      }),
    );

  test("what is said in a question's recording is in its answer's turn, and what cannot be heard is said", async () => {
    await attach({ name: "tea.wav", mimeType: "audio/wav", buffer: spoken("tea is at five") });
    await say(channel(), "@parley when is tea?");
    const question = article(channel(), "when is tea?");
    await openThread(question);
    await thread().getByText("1 recording written down").waitFor();
    const client = at.parley.client();
    const [conversation] = (await client.conversations.list()).items;
    const { items } = await client.conversations.messages(conversation!.ID);
    expect(items.find(({ isUser }) => isUser)?.attachments).toMatchObject([{ type: "transcription", text: "tea is at five" }]);
    await client.close();

    await at.closeThread();
    await attach({ name: "noise.wav", mimeType: "audio/wav", buffer: spoken("").subarray(0, 60) });
    await say(channel(), "@parley and this?");
    await openThread(article(channel(), "and this?"));
    await thread()
      .getByText(/“noise\.wav” was not written down\. The workspace says: “Offline, only speech/)
      .waitFor();
  });

  test("a recording is written down from the menu of its message, in its thread", async () => {
    await at.page.reload();
    await attach({ name: "memo.wav", mimeType: "audio/wav", buffer: spoken("remember the milk") });
    await say(channel(), "a memo");
    const memo = article(channel(), "a memo");
    await memo.hover();
    await memo.getByRole("button", { name: "Transcribe" }).click();
    await openThread(memo);
    const transcript = article(thread(), /asked for a transcript.*memo\.wav.*remember the milk/s);
    await transcript.waitFor();
    expect(await transcript.count()).toBe(1);
  });
});
