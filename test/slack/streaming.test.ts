/** Answers that grow by Slack's native streams, from a person's words to the last edit. */
import { afterEach, describe, expect, it } from "vitest";
import { lost, slackError } from "../fakes/slack/faults.ts";
import { openWorld, shownOf, transports, type World } from "./world.ts";

describe.each(transports)("streaming in Slack, by %s", (transport) => {
  let world: World;
  afterEach(() => world.close());

  /** Asks in a thread of a direct message, and waits for the stream. */
  async function ask(words: string) {
    world = await openWorld(transport);
    const { slack, until } = world;
    const ann = slack.person("U0ANN");
    const root = await ann.says("D0ANN", "hello", { silently: true });
    await ann.says("D0ANN", words, { thread: root.ts });
    const stream = await until(() => slack.answers("D0ANN")[0]);
    return { ...world, root: root.ts, stream };
  }
  const streamCalls = () =>
    world.slack.calls.map(({ method }) => method).filter((method) => /Stream$|chat\.(update|postMessage)/.test(method));

  it("streams in the thread of a direct message and ends with the whole answer, in Parley's own form", async () => {
    const { answers, answered, stream, root } = await ask("tell me");
    expect(stream.stream?.state).toBe("streaming");
    await answers("All is **well** <!channel>.");
    const [answer, ...more] = await answered("D0ANN", root, "Good answer");
    expect(more).toEqual([]);
    expect(answer?.ts).toBe(stream.ts);
    expect(shownOf(answer!)).toContain("<!channel>.");
    expect(JSON.stringify(answer?.blocks)).toContain('"bold":true');
    expect(streamCalls()[0]).toBe("chat.startStream");
    expect(streamCalls()).not.toContain("chat.postMessage");
    expect(streamCalls().slice(-2)).toEqual(["chat.stopStream", "chat.update"]);
  });

  it("shows the whole answer once, when the stream breaks and an answer of Slack's is lost", async () => {
    const { answers, answered, slack, root, stream } = await ask("tell me");
    slack.faults.add("chat.appendStream", lost, slackError("message_not_in_streaming_state"));
    slack.faults.add("chat.stopStream", lost);
    await answers("One two three.");
    const all = await answered("D0ANN", root, "Good answer");
    expect(all.map(({ ts }) => ts)).toEqual([stream.ts]);
    expect(shownOf(all[0]!)).toContain("One two three.");
  });
});
