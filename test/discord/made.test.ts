/** What people in Discord have the embedded workspace make, by its own makers and tools: each ends as one file, or as its words. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FakeMessage } from "../fakes/discord/discord.ts";
import { openMadeHere, widthOf, type MadeHere } from "../fakes/made-here.ts";
import { openWorld, type World } from "./world.ts";

describe("made for Discord", () => {
  let here: MadeHere;
  let world: World;
  beforeEach(async () => {
    here = await openMadeHere();
    world = await openWorld({ access: { operators: null }, shared: here.workspace.owner });
  });
  afterEach(async () => {
    await world.close();
    await here.close();
  });

  const told = (words: string) =>
    world.until(() => world.fake.whispers(world.ann).findLast(({ content }) => content.includes(words)));
  const run = (...command: Parameters<World["ann"]["runs"]>) => world.fake.acknowledged(world.ann.runs(...command));
  const press = (message: FakeMessage, label: string) => world.fake.acknowledged(world.ann.presses(message, label));
  /** Everything that was attached in the channel and in the threads of its messages, oldest first. */
  const attached = () => {
    const { fake, general } = world;
    const places = [general, ...fake.messages(general).map(({ id }) => fake.channel(id))];
    return places.flatMap((place) => (place === undefined ? [] : fake.messages(place))).flatMap((message) => message.attachments);
  };
  const many = (count: number) => world.until(() => (attached().length >= count ? attached() : undefined));
  const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

  it("a text is spoken, and the recording of it written down", async () => {
    await here.programs.installVoice();
    await run(world.general, "speech", { text: "ahoy there" });
    const [spoken] = await many(1);
    expect(spoken?.filename).toMatch(/\.wav$/);
    const recording = { name: "ahoy.wav", type: "audio/wav", bytes: await bytesOf(spoken!.url) };
    await run(world.general, "transcribe", { recording });
    const parent = await world.shows(world.general, "a transcript");
    await world.until(() => parent.content.includes("ahoy there"));
    expect(attached()).toHaveLength(1);
  });

  it("a picture is changed by its button", async () => {
    await run(world.general, "image", { prompt: "a lighthouse" });
    const [picture] = await many(1);
    const parent = await world.shows(world.general, "a lighthouse");
    await world.until(() => JSON.stringify(parent).includes("Change it"));
    const opened = await press(parent, "Change it");
    await world.fake.acknowledged(world.ann.submits(opened, { prompt: "make the sky orange" }));
    const edited = (await many(2)).find(({ id }) => id !== picture?.id);
    // An edit frames the picture.
    expect(widthOf(await bytesOf(edited!.url))).toBeGreaterThan(widthOf(await bytesOf(picture!.url)));
    expect(attached()).toHaveLength(2);
  });

  it("a picture becomes a film by its button, and a film that failed is begun anew by its own", async () => {
    await run(world.general, "image", { prompt: "a lighthouse" });
    const [picture] = await many(1);
    const parent = await world.shows(world.general, "a lighthouse");
    await world.until(() => JSON.stringify(parent).includes("Make a film of it"));
    const opened = await press(parent, "Make a film of it");
    await world.fake.acknowledged(world.ann.submits(opened, { prompt: "the light turns", seconds: "1" }));
    const failed = await world.until(() =>
      [world.general, world.fake.channel(parent.id)!]
        .flatMap((place) => world.fake.messages(place))
        .find(({ content }) => content.includes("ffmpeg, which is not installed")),
    );
    await here.programs.installFilms();
    await press(failed, "Try again");
    const made = (await many(2)).find(({ filename }) => filename.endsWith(".mp4"));
    expect(await bytesOf(made!.url)).toEqual(await bytesOf(picture!.url));
    await world.until(() => !/Working|Fetching/.test(failed.content));
    expect(attached()).toHaveLength(2);
    expect((await here.workspace.owner.jobs.list("video")).total).toBe(1);
  });

  it("/jobs lists what failed, begins it anew, and deletes it", async () => {
    await run(world.general, "video", { prompt: "waves", seconds: "1" });
    await world.shows(world.general, "ffmpeg, which is not installed");
    await here.programs.installFilms();
    await run(world.general, "jobs");
    await press(await told("Film, failed"), "Retry 1");
    await press(await told("This begins it anew"), "Try it again");
    const [made] = await many(1);
    expect(made?.filename).toMatch(/\.mp4$/);
    await run(world.general, "jobs", { status: "done" });
    await press(await told("Film, finished"), "Delete 1");
    await press(await told("This deletes the job"), "Delete it");
    await told("Deleted");
    expect((await here.workspace.owner.jobs.list("video")).total).toBe(0);
    expect(attached()).toHaveLength(1);
  });
});
