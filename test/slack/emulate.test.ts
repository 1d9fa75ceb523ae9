/** The adapter before another's reading of Slack: `emulate`, over HTTP, for what it implements. */
import { randomUUID } from "node:crypto";
import { WebClient } from "@slack/web-api";
import { createEmulator, type Emulator } from "emulate";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openWorld, shownOf, type World } from "./world.ts";

let emulator: Emulator;
let world: World;
let ann: WebClient;
let bot: string;
let channel: string;
const team = "T000000001";

beforeEach(async () => {
  const seed = {
    slack: {
      team: { name: "Acme", domain: "acme" },
      users: [{ name: "ann", real_name: "Ann", email: "ann@acme.example" }],
      channels: [{ name: "plans" }],
      oauth_apps: [
        {
          client_id: "1.1",
          client_secret: "s",
          app_id: "A0PARLEY",
          name: "Parley",
          redirect_uris: ["http://127.0.0.1/"],
          bot_id: "B0PARLEY",
          bot_user_id: "U0PARLEY",
          bot_name: "parley",
        },
      ],
      tokens: [
        {
          token: "xoxb-emulate-bot",
          user_id: "U0PARLEY",
          type: "bot",
          bot_id: "B0PARLEY",
          bot_user_id: "U0PARLEY",
          app_id: "A0PARLEY",
        },
        { token: "xoxp-emulate-ann", user: "ann", type: "user" },
      ],
    },
  };
  emulator = await createEmulator({ service: "slack", port: 0, seed });
  const apiUrl = `${emulator.url.replace("localhost", "127.0.0.1")}/api/`;
  ann = new WebClient("xoxp-emulate-ann", { slackApiUrl: apiUrl, retryConfig: { retries: 0 } });
  const { channels = [] } = await ann.conversations.list();
  channel = channels.find(({ name }) => name === "plans")?.id ?? "";
  bot = "U0PARLEY";
  const asBot = new WebClient("xoxb-emulate-bot", { slackApiUrl: apiUrl });
  await asBot.conversations.join({ channel });
  world = await openWorld("http", { api: { apiUrl, botToken: "xoxb-emulate-bot" } });
});
afterEach(async () => {
  await world.close();
  await emulator.close();
});

/** Ann says something, and Slack tells Parley of it. */
async function says(text: string, thread?: string): Promise<string> {
  const inThread = thread === undefined ? {} : { thread_ts: thread };
  const { ts = "", message } = await ann.chat.postMessage({ channel, text, ...inThread });
  const event = { type: "message", channel, channel_type: "channel", user: message?.user, text, ts, ...inThread };
  const delivered = await world.slack.delivery.deliver("events_api", {
    type: "event_callback",
    team_id: team,
    event_id: `Ev${randomUUID()}`,
    event,
  });
  expect(delivered.acknowledged).toBe(true);
  return ts;
}
const thread = async (ts: string): Promise<string[]> => {
  const { messages = [] } = await ann.conversations.replies({ channel, ts });
  return messages.filter(({ user }) => user === bot).map(({ text = "", blocks }) => shownOf({ text, blocks: blocks as never }));
};
const seen = async (ts: string, words: string): Promise<string[]> => {
  for (let tries = 0; tries < 3_000; tries++) {
    const all = await thread(ts);
    if (all.some((text) => text.includes(words))) return all;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nobody saw ${words}: ${JSON.stringify(await thread(ts))}`);
};

it("answers a mention and a follow-up in their thread, once each", async () => {
  const ts = await says(`<@${bot}> what is the plan?`);
  expect(await world.answers("Ship on **Friday**.")).toBe("what is the plan?");
  expect(await seen(ts, "Friday")).toHaveLength(1);
  await says("and then?", ts);
  expect(await world.answers("Rest.")).toBe("and then?");
  expect(await seen(ts, "Rest.")).toHaveLength(2);
});

it("takes the earlier messages of a thread along", async () => {
  const { ts = "" } = await ann.chat.postMessage({ channel, text: "The build is red." });
  await says(`<@${bot}> why?`, ts);
  await world.answers("Because.");
  await seen(ts, "Because.");
  const [context] = [...world.workspace.uploads.values()];
  expect(context?.text).toMatch(/The build is red\./);
});
