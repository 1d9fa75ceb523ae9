/** What people have made, as it stands in Slack. */
import { afterEach, describe, expect, it } from "vitest";
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
