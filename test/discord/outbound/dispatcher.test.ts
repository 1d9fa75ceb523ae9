/** discord.js brings a copy of undici, the project another, Node a third: uploads and our own client work beside each other. */
import { createRequire } from "node:module";
import { Agent, fetch as ownFetch, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { clientOf, httpServer } from "../../client/raw-server.ts";
import { open, signal } from "./open.ts";

const discordRequire = createRequire(createRequire(import.meta.url).resolve("@discordjs/rest"));
const theirs = discordRequire("undici") as { Agent: typeof Agent; setGlobalDispatcher: typeof setGlobalDispatcher };

const owners = {
  "Node's own": () => {},
  "the project's": () => setGlobalDispatcher(new Agent()),
  "discord.js'": () => theirs.setGlobalDispatcher(new theirs.Agent()),
};

test("there are two copies", () => {
  expect(theirs.Agent).not.toBe(Agent);
  expect(ownFetch).not.toBe(fetch);
});

test.each(Object.keys(owners) as (keyof typeof owners)[])(
  "a file goes up to Discord and another to the workspace when the process's dispatcher is %s",
  async (owner) => {
    const before = getGlobalDispatcher();
    onTestFinished(() => setGlobalDispatcher(before));
    owners[owner]();
    const { outbound, place, discord } = await open();
    const bytes = new Uint8Array(300_000).fill(7);
    const posted = await outbound.attach(
      place,
      [{ name: "a.bin", mediaType: "application/x-a", bytes }],
      "turn-1/file",
      signal(),
    );
    expect(discord.message(posted.id)?.attachments).toMatchObject([{ filename: "a.bin", size: bytes.length }]);

    const server = await httpServer((request, response) => {
      request.resume();
      request.on("end", () => response.end('[{"ID":1}]'));
    });
    async function* content(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(bytes);
    }
    expect(await clientOf(server).files.upload("a.bin", "application/x-a", content())).toMatchObject({ ID: 1 });
  },
);
