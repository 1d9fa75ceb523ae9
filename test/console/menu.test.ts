/** The commands about a message's files, from its menu. */
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CommandInfo, FormAsked } from "../../src/core/commands/types.ts";
import { launchBrowser, withoutBrowser } from "../e2e/browser.ts";
import { formsFor, sampleForm } from "../fakes/forms.ts";
import { call, commands, openHost, pageId, type Host } from "./host.ts";

const place = { platform: "console", tenant: "local", channel: "general", thread: null };
const form = sampleForm(place);
const menus: readonly CommandInfo[] = [
  { name: "hear", help: "", options: [], menu: { label: "Transcribe", help: "Write it down", takes: "recording" } },
  { name: "draw", help: "", options: [], menu: { label: "Edit picture", help: "Change it", takes: "picture", opensForm: true } },
];

let host: Host;
let asked: FormAsked[];
let hasForm: boolean;
beforeEach(async () => {
  asked = [];
  hasForm = true;
  const directory = {
    ...formsFor("you", new Map([[form.id, form]])),
    commands: [...commands, ...menus],
    formOf: (_name: string, about: FormAsked) => {
      asked.push(about);
      return Promise.resolve(hasForm ? form : undefined);
    },
  };
  host = await openHost({ directory });
});
afterEach(() => host.close());

const posted = async (name: string, type: string): Promise<{ message: string; file: string }> => {
  const url = `${host.url}/console/api/files?${new URLSearchParams({ name }).toString()}`;
  const response = await fetch(url, { method: "POST", headers: { "content-type": type }, body: "bytes" });
  const { file } = (await response.json()) as { file: { id: string } };
  const message = pageId();
  await call(host, "POST", "/messages", { id: message, channel: "general", thread: null, text: "look", files: [file.id] });
  return { message, file: file.id };
};
const choose = (message: string, command: string, id = pageId()) =>
  call(host, "POST", `/messages/${message}/menu`, { id, command });

describe("the menu of a message", () => {
  it("runs a command about its files in its thread, once", async () => {
    const { message, file } = await posted("memo.ogg", "application/octet-stream");
    const id = pageId();
    for (const _ of [1, 2]) expect((await choose(message, "hear", id)).status).toBe(202);
    expect(host.inbox.received).toMatchObject([
      { kind: "command", name: "hear", chosen: true, place: { thread: message }, files: [{ id: file, name: "memo.ogg" }] },
    ]);
    // What it is not about does not go along; the core says so.
    const picture = await posted("photo.png", "image/png");
    expect((await choose(picture.message, "hear")).status).toBe(202);
    expect(host.inbox.received.at(-1)).toMatchObject({ name: "hear", files: [] });
  });

  it("gives the form of a command that asks first, and runs the command where there is none", async () => {
    const { message, file } = await posted("photo.png", "image/png");
    expect((await choose(message, "draw")).body).toMatchObject({ form: { id: form.id } });
    expect(asked).toMatchObject([{ place: { thread: message }, files: [{ id: file }] }]);
    expect(host.inbox.received).toEqual([]);
    hasForm = false;
    expect((await choose(message, "draw")).status).toBe(202);
    expect(host.inbox.received).toMatchObject([{ name: "draw", chosen: true, files: [{ id: file }] }]);
  });

  it("says what is wrong, and hands nothing over", async () => {
    const { message } = await posted("photo.png", "image/png");
    expect(await choose("nothing-here-at-all", "draw")).toMatchObject({ status: 404, body: { error: "This message is gone." } });
    expect((await choose(message, "help")).status).toBe(400);
    expect((await choose(message, "hear", "short")).status).toBe(400);
    host.inbox.failure = new Error("disk full");
    expect((await choose(message, "hear")).status).toBe(503);
    expect(host.inbox.received).toEqual([]);
  });
});

describe.skipIf(withoutBrowser)("on the page", () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await launchBrowser()));
  afterAll(() => browser.close());

  it("each message offers what its files are for", async () => {
    const sound = await posted("memo.ogg", "audio/ogg");
    await posted("photo.png", "image/png");
    const page = await browser.newPage();
    await page.goto(host.url);
    const [first, second] = [page.getByRole("article").nth(0), page.getByRole("article").nth(1)];
    await first.hover();
    await first.getByRole("button", { name: "Transcribe" }).click();
    await expect.poll(() => host.inbox.received).toMatchObject([{ name: "hear", place: { thread: sound.message } }]);
    expect(await first.getByRole("button", { name: "Edit picture" }).count()).toBe(0);
    await second.hover();
    await second.getByRole("button", { name: "Edit picture" }).click();
    await page.getByRole("dialog").getByText("Order tea").waitFor();
    await page.close();
  });
});
