/** What people have made, as it stands in Discord. */
import { afterEach, describe, expect, it } from "vitest";
import { transcribeTools } from "../fakes/transcribe-tools.ts";
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

  const pick = (words: string) =>
    world.until(() => world.fake.whispers(world.ann).find(({ content }) => content.includes(words)));
  const withFile = (name: string, type: string) =>
    world.ben.says(world.general, "look", { files: [{ name, type, bytes: new TextEncoder().encode(name) }] });

  it("the picture of a message is changed from its menu, which asks how; another message is told apart", async () => {
    world = await openWorld();
    const { fake, general, ann, ben, shows, until, workspace } = world;
    const picture = withFile("photo.png", "image/png");
    const opened = await fake.acknowledged(ann.chooses(picture, "Edit picture"));
    expect(opened.modal).toMatchObject({ title: "Change the picture", components: [{ label: "What to change" }] });
    const sent = await fake.acknowledged(ann.submits(opened, { prompt: "make it blue" }));
    expect(sent.ephemeral).toBe(false);
    const parent = await shows(general, "make it blue");
    const files = () => fake.messages(fake.channel(parent.id)!).filter(({ attachments }) => attachments.length > 0);
    await until(() => fake.channel(parent.id) !== undefined && files().length > 0);
    expect([...workspace.uploads.values()]).toEqual([{ name: "photo.png", text: "photo.png" }]);
    const other = ben.says(general, "no picture");
    expect((await fake.acknowledged(ann.chooses(other, "Edit picture"))).ephemeral).toBe(true);
    await pick("There is no picture in that message");
    expect((await fake.acknowledged(ann.chooses(picture, "Transcribe"))).ephemeral).toBe(true);
    await pick("There is no recording in that message");
  });

  it("a voice message is written down from its menu, and the channel's newest by a command", async () => {
    world = await openWorld();
    const { fake, general, ann, shows, until, workspace } = world;
    workspace.known.tools.push(...transcribeTools());
    const voice = withFile("voice-message.ogg", "audio/ogg");
    expect((await fake.acknowledged(ann.chooses(voice, "Transcribe"))).ephemeral).toBe(false);
    await shows(general, "heard it");
    ann.runs(general, "transcribe");
    await shows(general, "newest recording here");
    await until(() => workspace.calls.filter(({ call }) => call === "callTool").length >= 4);
    expect([...workspace.uploads.values()].map(({ name }) => name)).toEqual(["voice-message.ogg", "voice-message.ogg"]);
  });

  it("a voice message without a word is heard by its answer, whose last line says so", async () => {
    world = await openWorld();
    const { fake, ann, general, until, workspace, answers, shows } = world;
    workspace.known.tools.push(...transcribeTools({ status: "done", text: "tea at five", credit_cost: "2" }));
    const said = ann.says(general, `${fake.mention} hello`);
    await answers("Hello.");
    const thread = await until(() => fake.channel(said.id));
    // As Discord sends a voice message: its flag, and nothing but the file.
    const voice = { name: "voice-message.ogg", type: "audio/ogg", bytes: new TextEncoder().encode("sound") };
    ann.says(thread, "", { files: [voice], flags: 1 << 13 });
    expect(await answers("At five.")).toBe("Please answer what is said in the attached recording.");
    await shows(thread, "1 recording written down for 2 credits");
    const [sent] = workspace.calls.filter(({ call }) => call === "followUp").map(({ body }) => body);
    expect(sent).toMatchObject({ attachments: [{ id: 701, type: "transcription" }] });
  });

  it("a picture goes along with the next message of its thread", async () => {
    world = await openWorld();
    const { fake, general, ann, shows, until, workspace, answers } = world;
    await fake.acknowledged(ann.runs(general, "image", { prompt: "a lighthouse" }));
    const parent = await shows(general, "a lighthouse");
    await until(() => JSON.stringify(fake.messages(general)).includes("Use in next message"));
    await fake.acknowledged(ann.presses(await shows(general, "a lighthouse"), "Use in next message"));
    await pick("takes this picture along");
    ann.says(fake.channel(parent.id)!, "what is this?");
    await answers("A lighthouse.");
    ann.says(fake.channel(parent.id)!, "and now?");
    await answers("Still one.");
    const sent = workspace.calls.filter(({ call }) => call === "start" || call === "followUp").map(({ body }) => body);
    expect(sent).toMatchObject([{ attachments: [{ type: "file" }] }, {}]);
    expect(sent[1]).not.toHaveProperty("attachments");
  });

  const boat = { name: "boat.png", type: "image/png", bytes: new TextEncoder().encode("a boat") };
  const bodies = (name: string) => world.workspace.calls.filter(({ call }) => call === name).map(({ body }) => body);

  it("a picture that is given with the command is changed, or begins a film", async () => {
    world = await openWorld();
    const { fake, general, ben, until, workspace } = world;
    await fake.acknowledged(ben.runs(general, "image", { prompt: "paint it red", picture: boat }));
    await until(() => bodies("editImage").length > 0);
    const [[id, upload] = [0, undefined]] = workspace.uploads;
    expect(upload).toEqual({ name: "boat.png", text: "a boat" });
    expect(bodies("editImage")).toEqual([{ prompt: "paint it red", fileId: id }]);
    await fake.acknowledged(ben.runs(general, "video", { prompt: "it sails", seconds: "2", picture: boat }));
    await until(() => bodies("createJob").length > 0);
    expect(bodies("createJob")).toMatchObject([{ prompt: "it sails", starting_image_file_id: [...workspace.uploads.keys()][1] }]);
  });

  it("a file of another kind is refused before anything is spent", async () => {
    world = await openWorld();
    const { fake, general, ben, until } = world;
    const paper = { name: "paper.pdf", type: "application/pdf", bytes: new Uint8Array(1) };
    await fake.acknowledged(ben.runs(general, "image", { prompt: "paint it red", picture: paper }));
    await until(() => fake.whispers(ben).some(({ content }) => content.includes("“paper.pdf” is no picture")));
    expect(bodies("image")).toEqual([]);
    expect(bodies("editImage")).toEqual([]);
  });

  it("a file that is not on Discord's own hosts is not fetched", async () => {
    world = await openWorld();
    const { fake, general, ben, shows, workspace } = world;
    const elsewhere = { ...boat, url: "https://cdn.discordapp.com.example/boat.png" };
    await fake.acknowledged(ben.runs(general, "image", { prompt: "paint it red", picture: elsewhere }));
    await shows(general, "it is not on one of Discord's content hosts");
    expect(workspace.uploads.size).toBe(0);
    expect(bodies("editImage")).toEqual([]);
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
