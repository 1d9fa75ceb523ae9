/** What people have made, as it stands in Slack. */
import { afterEach, describe, expect, it } from "vitest";
import { mention } from "../fakes/slack/people.ts";
import { transcribeTools } from "../fakes/transcribe-tools.ts";
import { openWorld, shownOf, type World } from "./world.ts";

describe("something made in Slack", () => {
  let world: World;
  afterEach(() => world.close());
  const files = (channel: string) => world.slack.answers(channel).filter((message) => (message.files ?? []).length > 0);

  it("a picture: one message, and one file in its thread", async () => {
    world = await openWorld("socket");
    const { slack, until } = world;
    await slack.person("U0ANN").slash("C0GENERAL", "image a lighthouse");
    const [file] = await until(() => (files("C0GENERAL").length > 0 ? files("C0GENERAL") : undefined));
    const parent = await until(() =>
      slack.answers("C0GENERAL").find((message) => message.thread_ts === undefined && shownOf(message).includes("Change it")),
    );
    expect(shownOf(parent)).toMatch(/asked for a picture[^]*a lighthouse/);
    expect(file?.thread_ts).toBe(parent.ts);
    expect(slack.answers("C0GENERAL")).toHaveLength(2);
    expect(world.workspace.calls.filter(({ call }) => call === "image")).toHaveLength(1);
  });

  const withFile = async (person: string, name: string, mimetype: string) =>
    world.slack.person(person).says("C0GENERAL", "look", { files: [{ name, mimetype, bytes: new TextEncoder().encode(name) }] });
  const whispered = (words: string) =>
    world.until(() => world.slack.state.ephemerals.find((one) => shownOf(one).includes(words)));

  it("the picture of a message is changed by its shortcut, which asks how; another message is told apart", async () => {
    world = await openWorld("socket");
    const { slack, until, workspace } = world;
    const ann = slack.person("U0ANN");
    const { ts } = await withFile("U0BEN", "photo.png", "image/png");
    await ann.shortcut("parley_menu_image", { channel: "C0GENERAL", ts });
    await until(() => ann.modal());
    await ann.submits({ prompt: "make it blue" });
    const [file] = await until(() => (files("C0GENERAL").length > 0 ? files("C0GENERAL") : undefined));
    expect(file?.thread_ts).toBe(ts);
    expect(workspace.calls.find(({ call }) => call === "editImage")?.body).toMatchObject({ prompt: "make it blue" });
    expect([...workspace.uploads.values()]).toEqual([{ name: "photo.png", text: "photo.png" }]);
    const other = await slack.person("U0BEN").says("C0GENERAL", "no picture");
    await ann.shortcut("parley_menu_image", { channel: "C0GENERAL", ts: other.ts });
    await whispered("There is no picture in that message");
    await ann.shortcut("parley_menu_transcribe", { channel: "C0GENERAL", ts });
    await whispered("There is no recording in that message");
  });

  it("a clip is written down in its thread by its shortcut, and the thread's newest by a command", async () => {
    world = await openWorld("http");
    const { slack, workspace, answered, until } = world;
    workspace.known.tools.push(...transcribeTools());
    const ann = slack.person("U0ANN");
    const { ts } = await withFile("U0BEN", "clip.m4a", "audio/mp4");
    await ann.shortcut("parley_menu_transcribe", { channel: "C0GENERAL", ts });
    await answered("C0GENERAL", ts, "heard it");
    await ann.says("C0GENERAL", `${mention} /transcribe`, { thread: ts });
    await answered("C0GENERAL", ts, "newest recording here");
    await until(() => workspace.uploads.size === 2);
    expect([...workspace.uploads.values()].map(({ name }) => name)).toEqual(["clip.m4a", "clip.m4a"]);
  });

  it("a clip in a question is heard by its answer, whose last line says so", async () => {
    world = await openWorld("http");
    const { slack, workspace, answered, answers } = world;
    workspace.known.tools.push(...transcribeTools({ status: "done", text: "tea at five", credit_cost: "2" }));
    const clip = { name: "clip.m4a", mimetype: "audio/mp4", bytes: new TextEncoder().encode("sound") };
    const { ts } = await slack.person("U0ANN").says("C0GENERAL", `${mention} when is tea?`, { files: [clip] });
    await answers("At five.");
    await answered("C0GENERAL", ts, "1 recording written down for 2 credits");
    const [start] = workspace.calls.filter(({ call }) => call === "start").map(({ body }) => body);
    expect(start).toMatchObject({ attachments: [{ id: 701, type: "transcription" }] });
  });

  it("a picture goes along with the next message of its thread", async () => {
    world = await openWorld("socket");
    const { slack, until, workspace, answers } = world;
    const ann = slack.person("U0ANN");
    await ann.slash("C0GENERAL", "image a lighthouse");
    const parent = await until(() =>
      slack.answers("C0GENERAL").find((message) => message.thread_ts === undefined && shownOf(message).includes("Use in next")),
    );
    await ann.clicks("C0GENERAL", parent.ts, "parley_carry");
    await whispered("takes this picture along");
    await ann.says("C0GENERAL", "what is this?", { thread: parent.ts });
    await answers("A lighthouse.");
    await ann.says("C0GENERAL", "and now?", { thread: parent.ts });
    await answers("Still one.");
    const sent = workspace.calls.filter(({ call }) => call === "start" || call === "followUp").map(({ body }) => body);
    expect(sent).toMatchObject([{ attachments: [{ type: "file" }] }, {}]);
    expect(sent[1]).not.toHaveProperty("attachments");
  });

  it("a picture of one's own, given in the modal, is changed", async () => {
    world = await openWorld("socket");
    const { slack, until, workspace } = world;
    const ann = slack.person("U0ANN");
    await ann.slash("C0GENERAL", "image");
    await until(() => ann.modal());
    const picture = { name: "boat.png", bytes: new TextEncoder().encode("a boat"), mimetype: "image/png" };
    await ann.submits({ prompt: "paint it red" }, { picture });
    await until(() => files("C0GENERAL").length > 0);
    const [[id, upload] = [0, undefined]] = workspace.uploads;
    expect(upload).toEqual({ name: "boat.png", text: "a boat" });
    expect(workspace.calls.filter(({ call }) => call === "editImage").map(({ body }) => body)).toEqual([
      { prompt: "paint it red", fileId: id },
    ]);
    expect(files("C0GENERAL")).toHaveLength(1);
  });

  it("a film: one message that ends with its model and cost, and one file in its thread", async () => {
    world = await openWorld("http");
    const { slack, until, workspace } = world;
    await slack.person("U0ANN").slash("C0GENERAL", "video waves seconds:2");
    const id = await until(() => [...workspace.media.made.keys()][0]);
    workspace.media.finishJob(id, "film.mp4", "film");
    const [file] = await until(() => (files("C0GENERAL").length > 0 ? files("C0GENERAL") : undefined));
    const parent = await until(() =>
      slack.answers("C0GENERAL").find((message) => message.thread_ts === undefined && shownOf(message).includes("12 credits")),
    );
    expect(shownOf(parent)).toContain("Film · 16:9 · 720p · 2 s · 12 credits");
    expect(file?.thread_ts).toBe(parent.ts);
    expect(slack.answers("C0GENERAL")).toHaveLength(2);
  });
});
