/** The stages read what stands in a thread, and what stood there: also for a moment between two looks, and also elsewhere. */
import { afterEach, describe, expect, test } from "vitest";
import { openFakeDiscord, type FakeChannel } from "../fakes/discord/discord.ts";
import { openFakeSlack } from "../fakes/slack/slack.ts";
import { createDiscordStage } from "./discord-stage.ts";
import { createRandom } from "./random.ts";
import { createSlackStage } from "./slack-stage.ts";

const opened: { close(): Promise<void> }[] = [];
const open = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
  const one = await opening;
  opened.push(one);
  return one;
};
afterEach(async () => void (await Promise.all(opened.splice(0).map((one) => one.close()))));

async function slackThread() {
  const slack = await open(openFakeSlack({ tries: 1 }));
  const stage = createSlackStage(slack, createRandom(1));
  const thread = stage.openThread(0);
  void thread.ask("What do you know");
  const { channel, ts: root } = slack.state.messages.at(-1)!;
  const call = async (method: string, args: object): Promise<string> => {
    const answer = await fetch(`${slack.apiUrl}${method}`, {
      method: "POST",
      headers: { authorization: `Bearer ${slack.tokens.bot}`, "content-type": "application/json" },
      body: JSON.stringify({ channel, ...args }),
    });
    return ((await answer.json()) as { ts: string }).ts;
  };
  return {
    stage,
    thread,
    posts: (text: string) => call("chat.postMessage", { text, thread_ts: root }),
    postsOutside: (text: string) => call("chat.postMessage", { text }),
    edits: (ts: string, text: string) => call("chat.update", { ts, text }),
    deletes: (ts: string) => call("chat.delete", { ts }),
  };
}

async function discordThread() {
  const discord = await open(openFakeDiscord());
  const channels: FakeChannel[] = [];
  const text: typeof discord.text = (guild, name) => {
    channels.push(discord.text(guild, name));
    return channels.at(-1)!;
  };
  const stage = createDiscordStage({ ...discord, text });
  const thread = stage.openThread(0);
  await thread.ask("What do you know");
  const { id: root, channel } = discord.messages(channels[0]!).at(-1)!;
  const call = async (method: string, path: string, body?: object): Promise<string> => {
    const answer = await fetch(`${discord.apiUrl}/v10${path}`, {
      method,
      headers: { authorization: `Bot ${discord.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return answer.status === 204 ? "" : ((await answer.json()) as { id: string }).id;
  };
  await call("POST", `/channels/${channel}/messages/${root}/threads`, { name: "soak" });
  return {
    stage,
    thread,
    posts: (content: string) => call("POST", `/channels/${root}/messages`, { content }),
    postsOutside: (content: string) => call("POST", `/channels/${channel}/messages`, { content }),
    edits: (id: string, content: string) => call("PATCH", `/channels/${root}/messages/${id}`, { content }),
    deletes: (id: string) => call("DELETE", `/channels/${root}/messages/${id}`),
  };
}

describe.each([
  ["slack", slackThread],
  ["discord", discordThread],
])("the stage of %s", (_, openThread) => {
  test("shows what stands in a thread, in the order of the posts", async () => {
    const { thread, posts, edits } = await openThread();
    const first = await posts("one");
    await posts("two");
    await edits(first, "one, whole");
    expect(thread.seen().map(({ text }) => text)).toEqual(["one, whole", "two"]);
    expect(thread.takenAway()).toEqual([]);
  });

  test("keeps what was deleted, with its last words", async () => {
    const { thread, posts, edits, deletes } = await openThread();
    const late = await posts("Thinking…");
    await edits(late, "half an answer");
    expect(thread.seen()).toHaveLength(1);
    await deletes(late);
    expect(thread.seen()).toEqual([]);
    expect(thread.takenAway()).toEqual(["half an answer"]);
  });

  test("keeps what was posted and deleted between two looks", async () => {
    const { thread, posts, deletes } = await openThread();
    await deletes(await posts("for a moment"));
    expect(thread.takenAway()).toHaveLength(1);
  });

  test("tells what is posted outside of the threads, also when it is gone", async () => {
    const { stage, thread, posts, postsOutside } = await openThread();
    await posts("in the thread");
    await postsOutside("to everybody");
    expect(stage.elsewhere()).toEqual(["to everybody"]);
    expect(thread.seen()).toHaveLength(1);
  });
});
