/** What people have made, as it stands in Discord. */
import { afterEach, describe, expect, it } from "vitest";
import { openWorld, type World } from "./world.ts";

describe("something made in Discord", () => {
  let world: World;
  afterEach(() => world.close());

  it("a picture: one message with buttons, and one file in its thread", async () => {
    world = await openWorld();
    const { fake, general, ben, shows, until, workspace } = world;
    const run = ben.runs(general, "image", { prompt: "a lighthouse" });
    await fake.acknowledged(run);
    expect(run.ephemeral).toBe(false);
    const parent = await shows(general, "a lighthouse");
    expect(parent.content).toContain("Benny");
    const files = () => fake.messages(fake.channel(parent.id)!).filter(({ attachments }) => attachments.length > 0);
    await until(() => fake.channel(parent.id) !== undefined && files().length > 0);
    await until(() => JSON.stringify(fake.messages(general)[0]).includes("Make a film of it"));
    expect(files()).toHaveLength(1);
    expect(fake.messages(general)).toHaveLength(1);
    expect(workspace.calls.filter(({ call }) => call === "image")).toHaveLength(1);
  });

  it("a film: one message that ends with its model and cost, and one file in its thread", async () => {
    world = await openWorld();
    const { fake, general, ben, shows, until, workspace } = world;
    await fake.acknowledged(ben.runs(general, "video", { prompt: "waves", seconds: "2" }));
    const id = await until(() => [...workspace.media.made.keys()][0]);
    workspace.media.finishJob(id, "film.mp4", "film");
    const parent = await shows(general, "12 credits");
    expect(parent.content).toContain("Film · 16:9 · 720p · 2 s");
    const files = () => fake.messages(fake.channel(parent.id)!).filter(({ attachments }) => attachments.length > 0);
    await until(() => fake.channel(parent.id) !== undefined && files().length > 0);
    expect(files()).toHaveLength(1);
    expect(fake.messages(general)).toHaveLength(1);
  });
});
