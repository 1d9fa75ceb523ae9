/** The writing half against a Slack Web API that was not written here: `emulate`, with scopes checked. */
import { createEmulator, type Emulator } from "emulate";
import { afterEach, beforeEach, expect, it } from "vitest";
import { slackLimits } from "../../../adapters/slack/outbound/limits.ts";
import { createOutbound } from "../../../adapters/slack/outbound/outbound.ts";
import { createWeb } from "../../../adapters/slack/outbound/web.ts";
import { systemClock as clock } from "../../../src/clock.ts";
import { createRenderer } from "../../../src/core/render/renderer.ts";
import { emptyDocument, type Document } from "../../../src/core/document.ts";
import type { Place } from "../../../src/core/place.ts";
import { WriteFault } from "../../../src/errors.ts";
import { saying, signal } from "./open.ts";

const token = "xoxb-parley";
const scopes = ["chat:write", "channels:read", "channels:history", "files:read", "files:write"];
const bot = { app_id: "A0PARLEY", bot_id: "B0PARLEY", bot_user_id: "U0PARLEY" };

let emulator: Emulator;
let channel: string;
beforeEach(async () => {
  emulator = await createEmulator({
    service: "slack",
    port: 0,
    seed: {
      slack: {
        strict_scopes: true,
        channels: [{ name: "general" }],
        oauth_apps: [
          { ...bot, client_id: "1.2", client_secret: "s", name: "Parley", bot_name: "parley", redirect_uris: [], scopes },
        ],
        tokens: [{ ...bot, token, type: "bot", user_id: bot.bot_user_id, scopes }],
      },
    },
  });
  const list = (await web().call("conversations.list", {}, signal()))["channels"] as { id: string; name: string }[];
  channel = list.find(({ name }) => name === "general")?.id ?? "";
});
afterEach(() => emulator.close());

const web = () => createWeb({ token, apiUrl: `${emulator.url}/api/`, clock });
const outbound = () => createOutbound({ web: web(), clock, log: { warn: () => {} }, streamTargets: { of: () => undefined } });
const place = (thread: string | null): Place => ({ platform: "slack", tenant: "T000000001", channel, thread });
const messages = async (thread: string) =>
  (await web().call("conversations.replies", { channel, ts: thread }, signal()))["messages"] as {
    ts: string;
    text: string;
    blocks?: unknown;
    files?: { name: string }[];
  }[];
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (thrown: unknown) => (thrown instanceof WriteFault ? thrown.outcome : String(thrown)),
  );

const markdown = `# Title

A **bold** [link](https://a.example) <!channel> &amp;amp;

1. one
   - two

> quote

| a | b |
|---|---|
| 1 |   |
`;
const [blocks = []] = createRenderer(slackLimits).render(markdown, true).pages;

it("posts, edits, finds and removes an answer with everything in it", async () => {
  const root = await outbound().post(place(null), saying("A question"), "slack:q/0", signal());
  const thread = place(root.id);
  const full: Document = {
    ...emptyDocument,
    blocks,
    footnotes: [{ index: 1, title: "Source", url: "https://a.example/s", detail: "" }],
    footer: "Fast model · 2 s",
    actions: ["helpful", "unhelpful", "retry"].map((action) => ({ action, label: action, turn: "t1" })),
  };
  const posted = await outbound().post(thread, saying("first words"), "slack:a/0", signal());
  await outbound().edit(posted, full, signal());
  const [, answer] = await messages(root.id);
  expect(answer?.ts).toBe(posted.id);
  expect(JSON.stringify(answer?.blocks)).toContain("<!channel> &amp;");
  expect(answer?.text).toContain("&lt;!channel&gt;");
  expect(await outbound().find(thread, "slack:a/0", signal())).toEqual(posted);
  expect(await outbound().find(place(null), "slack:q/0", signal())).toEqual(root);
  expect(await outbound().find(thread, "slack:b/0", signal())).toBeUndefined();
  await outbound().remove(posted, signal());
  await outbound().remove(posted, signal());
  expect(await messages(root.id)).toHaveLength(1);
  expect(await outcome(outbound().edit(posted, full, signal()))).toBe("gone");
});

it("attaches files to a thread as one message, found by its key", async () => {
  const root = await outbound().post(place(null), saying("A question"), "slack:q/0", signal());
  const files = ["answer.md", "data.csv"].map((name) => ({ name, mediaType: "text/plain", bytes: Buffer.from(name) }));
  const posted = await outbound().attach(place(root.id), files, "slack:a/file", signal());
  const [, shared] = await messages(root.id);
  expect(shared).toMatchObject({ ts: posted.id, files: [{ name: "answer.md" }, { name: "data.csv" }] });
  expect(await outbound().find(place(root.id), "slack:a/file", signal())).toEqual(posted);
});

it("whispers, and is told where there is no such channel", async () => {
  await outbound().whisper(place(null), { id: "U000000001", name: "Admin" }, saying("for you"), signal());
  expect(await outcome(outbound().post({ ...place(null), channel: "C0NONE" }, saying("x"), "slack:x/0", signal()))).toBe("gone");
});
