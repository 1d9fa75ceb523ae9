/** The fake Slack keeps to what Slack documents: these are the rules that the other tests lean on. */
import { WebClient, type WebAPICallResult } from "@slack/web-api";
import { SocketModeClient, LogLevel } from "@slack/socket-mode";
import { afterEach, describe, expect, it } from "vitest";
import { lost, rateLimited } from "../fakes/slack/faults.ts";
import { mention } from "../fakes/slack/people.ts";
import { openFakeSlack, type FakeSlack, type FakeSlackOptions } from "../fakes/slack/slack.ts";

let slack: FakeSlack;
afterEach(() => slack.close());

async function open(options: FakeSlackOptions = {}): Promise<WebClient> {
  slack = await openFakeSlack(options);
  return new WebClient(slack.tokens.bot, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
  });
}

/** What a call is refused with, or `ok`. */
const answerOf = (call: Promise<WebAPICallResult>): Promise<string> =>
  call.then(
    () => "ok",
    (thrown: { data?: { error?: string }; code: string }) => thrown.data?.error ?? thrown.code,
  );

describe("the fake Slack", () => {
  it("keeps messages, with metadata, and gives them by thread", async () => {
    const web = await open();
    const root = await web.chat.postMessage({ channel: "C0GENERAL", text: "root" });
    const metadata = { event_type: "parley_reply", event_payload: { key: "k" } };
    await web.chat.postMessage({ channel: "C0GENERAL", text: "reply", thread_ts: root.ts!, metadata });
    const thread = await web.conversations.replies({ channel: "C0GENERAL", ts: root.ts!, include_all_metadata: true });
    expect(thread.messages?.map(({ text }) => text)).toEqual(["root", "reply"]);
    expect(thread.messages?.[1]?.metadata).toEqual(metadata);
    expect(slack.commits.map(({ method }) => method)).toEqual(["chat.postMessage", "chat.postMessage"]);
  });

  it("refuses what is too long, misshapen, gone, archived or not Parley's", async () => {
    const web = await open();
    const { ts } = await web.chat.postMessage({ channel: "C0GENERAL", text: "mine" });
    const theirs = await slack.person("U0ANN").says("C0GENERAL", "hers", { silently: true });
    const update = (more: object) => answerOf(web.apiCall("chat.update", { channel: "C0GENERAL", ts, ...more }));
    expect(await update({ text: "x".repeat(4_001) })).toBe("msg_too_long");
    expect(await update({ text: "漢".repeat(1_400) })).toBe("msg_too_long");
    expect(await update({ text: "x", blocks: [{ type: "section", text: { type: "mrkdwn", text: "x".repeat(3_001) } }] })).toBe(
      "invalid_blocks",
    );
    expect(
      await update({
        text: "x",
        blocks: Array.from({ length: 5 }, () => ({ type: "section", text: { type: "mrkdwn", text: "x".repeat(2_900) } })),
      }),
    ).toBe("msg_blocks_too_long");
    expect(await update({ text: "x", ts: "1.000001" })).toBe("message_not_found");
    expect(await update({ text: "x", ts: theirs.ts })).toBe("cant_update_message");
    expect(await answerOf(web.chat.postMessage({ channel: "C0OLD", text: "x" }))).toBe("is_archived");
    expect(await answerOf(web.chat.postMessage({ channel: "C0APART", text: "x" }))).toBe("not_in_channel");
    expect(await answerOf(web.chat.postMessage({ channel: "C0NONE", text: "x" }))).toBe("channel_not_found");
  });

  it("holds the documented rates, one window for each method", async () => {
    const web = await open({ rates: true, now: () => 1_700_000_000_000 });
    const { ts } = await web.chat.postMessage({ channel: "C0GENERAL", text: "0" });
    const updates = await Promise.all(
      Array.from({ length: 51 }, (_, n) => answerOf(web.chat.update({ channel: "C0GENERAL", ts: ts!, text: String(n) }))),
    );
    expect(updates.filter((answer) => answer === "ok")).toHaveLength(50);
    expect(await answerOf(web.chat.postMessage({ channel: "C0RANDOM", text: "other methods go on" }))).toBe("ok");
  });

  it("fails to order, before or after the deed", async () => {
    const web = await open();
    slack.faults.add("chat.postMessage", lost, rateLimited("7"));
    expect(await answerOf(web.chat.postMessage({ channel: "C0GENERAL", text: "done, unheard" }))).not.toBe("ok");
    expect(slack.commits).toHaveLength(1);
    await expect(web.chat.postMessage({ channel: "C0GENERAL", text: "too soon" })).rejects.toMatchObject({ retryAfter: 7 });
    expect(slack.commits).toHaveLength(1);
  });

  it("has native streams that only grow, end by themselves, and cannot be edited meanwhile", async () => {
    let now = 1_700_000_000_000;
    const web = await open({ now: () => now, streamMs: 300_000 });
    const { ts: thread } = await slack.person("U0ANN").says("D0ANN", "hello", { silently: true });
    const call = (method: string, more: object) => answerOf(web.apiCall(method, { channel: "D0ANN", ...more }));
    expect(await answerOf(web.apiCall("chat.startStream", { channel: "C0GENERAL", thread_ts: thread }))).toBe(
      "invalid_thread_ts",
    );
    const { ts } = (await web.apiCall("chat.startStream", {
      channel: "D0ANN",
      thread_ts: thread,
      chunks: [{ type: "markdown_text", text: "One " }],
    })) as { ts?: string };
    expect(await call("chat.appendStream", { ts, chunks: [{ type: "markdown_text", text: "two." }] })).toBe("ok");
    expect(await call("chat.update", { ts, text: "x" })).toBe("streaming_state_conflict");
    expect(slack.answers("D0ANN")[0]?.text).toBe("One two.");
    now += 300_000;
    expect(await call("chat.appendStream", { ts, chunks: [{ type: "markdown_text", text: "late" }] })).toBe(
      "message_not_in_streaming_state",
    );
    expect(await call("chat.update", { ts, text: "x" })).toBe("ok");
  });

  it("speaks Socket Mode: hello, two events for a mention, redelivery until it is acknowledged", async () => {
    await open({ ackMs: 50, tries: 2 });
    const client = new SocketModeClient({
      appToken: slack.tokens.app,
      logLevel: LogLevel.ERROR,
      clientOptions: { slackApiUrl: slack.apiUrl },
    });
    const seen: (number | undefined)[] = [];
    client.on("slack_event", ({ ack, retry_num: retry }: { ack: () => Promise<void>; retry_num?: number }) => {
      seen.push(retry);
      if (retry === 1) void ack();
    });
    await client.start();
    const saying = slack.person("U0ANN").says("C0GENERAL", `${mention} hi`);
    // The first two are on their way, and nobody is going to acknowledge them.
    slack.ackMs = 15_000;
    expect((await saying).acknowledged).toBe(true);
    expect(seen).toEqual([0, 0, 1, 1]);
    await client.disconnect();
  });
});
