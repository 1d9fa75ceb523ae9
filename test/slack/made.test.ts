/** What people in Slack have the embedded workspace make, by its own makers and tools: each ends as one file, or as its words. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openMadeHere, widthOf, type MadeHere } from "../fakes/made-here.ts";
import type { FakeMessage, Json } from "../fakes/slack/state.ts";
import { openWorld, shownOf, type World } from "./world.ts";

describe("made for Slack", () => {
  let here: MadeHere;
  let world: World;
  beforeEach(async () => {
    here = await openMadeHere();
    world = await openWorld("http", { access: { operators: ["U0ANN"] }, shared: here.workspace.owner });
  });
  afterEach(async () => {
    await world.close();
    await here.close();
  });

  const ann = () => world.slack.person("U0ANN");
  /** The names and bytes of everything that was attached, oldest first. */
  const attached = () =>
    world.slack
      .answers("C0GENERAL")
      .flatMap(({ files }) => files)
      .map((id) => world.slack.state.files.get(id)!);
  const shows = (words: string) =>
    world.until(() => world.slack.answers("C0GENERAL").find((message) => shownOf(message).includes(words)));
  const told = (words: string) => world.until(() => world.slack.state.ephemerals.find((one) => shownOf(one).includes(words)));
  const press = ({ ts, blocks }: FakeMessage, label: string) => {
    const buttons = blocks?.flatMap((block) => (block["elements"] as Json[] | undefined) ?? []) ?? [];
    const button = buttons.find(({ text }) => (text as Json | undefined)?.["text"] === label);
    return ann().clicks("C0GENERAL", ts, String(button?.["action_id"]));
  };
  const modal = () => world.until(() => ann().modal());

  it("a text is spoken, and the recording of it written down", async () => {
    await here.programs.installVoice();
    await ann().slash("C0GENERAL", "speech ahoy there");
    const spoken = await world.until(() => attached()[0]);
    expect(spoken.name).toMatch(/\.wav$/);
    await ann().slash("C0GENERAL", "transcribe");
    await modal();
    const recording = { name: "ahoy.wav", mimetype: "audio/wav", bytes: Buffer.from(spoken.bytes ?? []) };
    await ann().submits({}, { recording });
    const words = await shows("a transcript");
    await world.until(() => shownOf(words).includes("ahoy there"));
    expect(attached()).toHaveLength(1);
  });

  it("a picture is changed by its button", async () => {
    await ann().slash("C0GENERAL", "image a lighthouse");
    await press(await shows("Change it"), "Change it");
    await modal();
    await ann().submits({ prompt: "make the sky orange" });
    const changed = await shows("make the sky orange");
    await world.until(() => shownOf(changed).includes("Change it"));
    const [picture, edited] = attached();
    // An edit frames the picture.
    expect(widthOf(edited?.bytes)).toBeGreaterThan(widthOf(picture?.bytes));
    expect(attached()).toHaveLength(2);
  });

  it("a picture becomes a film by its button, and a film that failed is begun anew by its own", async () => {
    await ann().slash("C0GENERAL", "image a lighthouse");
    const parent = await shows("Make a film of it");
    await press(parent, "Make a film of it");
    await modal();
    await ann().submits({ prompt: "the light turns", seconds: "1" });
    const failed = await shows("ffmpeg, which is not installed");
    expect(attached()).toHaveLength(1);
    await here.programs.installFilms();
    await press(failed, "Try again");
    const [picture, made] = await world.until(() => (attached().length > 1 ? attached() : undefined));
    await world.until(() => !shownOf(failed).includes("Working for"));
    expect(made?.name).toMatch(/\.mp4$/);
    expect(made?.bytes).toEqual(picture?.bytes);
    expect(attached()).toHaveLength(2);
    expect((await here.workspace.owner.jobs.list("video")).total).toBe(1);
  });

  it("/jobs lists what failed, begins it anew, and deletes it", async () => {
    await ann().slash("C0GENERAL", "video waves seconds:1");
    await shows("ffmpeg, which is not installed");
    await here.programs.installFilms();
    await ann().slash("C0GENERAL", "jobs");
    await told("Film, failed");
    await ann().clicksPrivately("parley_run-a");
    await told("This begins it anew");
    await ann().clicksPrivately("parley_run-a");
    const [made] = await world.until(() => (attached().length > 0 ? attached() : undefined));
    expect(made?.name).toMatch(/\.mp4$/);
    await ann().slash("C0GENERAL", "jobs status:done");
    await told("Film, finished");
    await ann().clicksPrivately("parley_run-a");
    await told("This deletes the job");
    await ann().clicksPrivately("parley_run-a");
    await told("Deleted:");
    expect((await here.workspace.owner.jobs.list("video")).total).toBe(0);
    expect(attached()).toHaveLength(1);
  });
});
