/** What Slack and others may send, and what becomes of connections: nothing of it ends the process, loses or doubles anything. */
import { createHmac } from "node:crypto";
import { createSockets } from "../../adapters/slack/transport/sockets.ts";
import { systemClock } from "../../src/clock.ts";
import { afterEach, describe, expect, it } from "vitest";
import { signatureOf } from "../fakes/slack/delivery.ts";
import { reset, serverError, silence, slackError } from "../fakes/slack/faults.ts";
import { mention } from "../fakes/slack/people.ts";
import { openAdapter, until, type Adapter } from "./adapter.ts";

let opened: Adapter;
afterEach(() => opened.close());
const keys = (): string[] => opened.inbox.received.map(({ key }) => key);

describe("by HTTP", () => {
  const open = async () => {
    const began = Date.now();
    opened = await openAdapter("http", { adapter: { clock: { ...systemClock, now: () => began } } });
    const now = (): string => String(Math.floor(began / 1000));
    const send = async (body: string, headers: Record<string, string> = {}, type = "application/json") => {
      const timestamp = headers["x-slack-request-timestamp"] ?? now();
      const response = await fetch(opened.slack.requestUrl, {
        method: "POST",
        body,
        headers: {
          "content-type": type,
          "x-slack-request-timestamp": timestamp,
          "x-slack-signature": signatureOf(body, timestamp),
          ...headers,
        },
      });
      return { status: response.status, text: await response.text() };
    };
    return { ...opened, now, send };
  };
  const event = (text: string, ts: string): string =>
    JSON.stringify({
      type: "event_callback",
      team_id: "T0ACME",
      event_id: `Ev${ts}`,
      event: { type: "message", channel: "C0GENERAL", channel_type: "channel", user: "U0ANN", ts, text },
    });

  it("answers Slack's challenge", async () => {
    const { send } = await open();
    expect(await send(JSON.stringify({ type: "url_verification", challenge: "abc" }))).toMatchObject({
      status: 200,
      text: '{"challenge":"abc"}',
    });
  });

  it("lets in nothing that is unsigned, signed by another, too old or from the future", async () => {
    const { now, send } = await open();
    const body = event(`${mention} hi`, "1700000000.000100");
    const at = (offset: number) => ({ "x-slack-request-timestamp": String(Number(now()) + offset) });
    const wrong = `v0=${createHmac("sha256", "another").update(body).digest("hex")}`;
    const answers = await Promise.all([
      send(body, { "x-slack-signature": wrong }),
      send(body, { "x-slack-signature": "" }),
      send(body, at(-301)),
      send(body, at(302)),
      send(body, at(86_400)),
      send(body, { "x-slack-request-timestamp": "NaN" }),
      send("ssl_check=1&payload=null", { "x-slack-signature": "" }, "application/x-www-form-urlencoded"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect(keys()).toEqual([]);
    expect((await send(body, at(-299))).status).toBe(200);
    expect(keys()).toHaveLength(1);
  });

  it("takes what is signed and senseless without falling over", async () => {
    const { send } = await open();
    const form = "application/x-www-form-urlencoded";
    const bodies = [
      "null",
      "[]",
      "1",
      '"text"',
      "{",
      "",
      '{"type":"event_callback"}',
      '{"type":"event_callback","event":null}',
      '{"event":{}}',
      '{"event":{"type":"message"}}',
      '{"type":"block_actions","actions":[null]}',
      '{"type":"view_submission"}',
      '{"type":"message_action","callback_id":"parley_summarise"}',
    ];
    for (const body of bodies) expect([200, 400]).toContain((await send(body)).status);
    for (const body of ["payload=null", "payload={", "payload=%7B%22type%22%3A%22shortcut%22%7D", "command=%2Fparley", "=&="])
      expect([200, 400]).toContain((await send(body, {}, form)).status);
    expect((await send(`"${"x".repeat(5 * 1024 * 1024)}"`)).status).toBe(413);
    await opened.slack.person("U0ANN").says("C0GENERAL", `${mention} still there?`);
    expect(keys()).toHaveLength(1);
  });

  it("takes a hundred replays, retries and a first try that never came as one turn", async () => {
    const { send } = await open();
    const body = event(`${mention} once`, "1700000000.000100");
    const retried = await send(body, { "x-slack-retry-num": "1", "x-slack-retry-reason": "http_timeout" });
    expect(retried.status).toBe(200);
    const replays = await Promise.all(Array.from({ length: 100 }, () => send(body)));
    expect(new Set(replays.map(({ status }) => status))).toEqual(new Set([200]));
    expect(keys()).toEqual(["slack:T0ACME:C0GENERAL:1700000000.000100:message"]);
  });
});

describe("by socket", () => {
  const open = async (...options: Parameters<typeof openAdapter> extends [unknown, (infer Options)?] ? [Options?] : never) => {
    opened = await openAdapter("socket", options[0]);
    return { ...opened, ann: opened.slack.person("U0ANN") };
  };

  it("opens a new connection before it leaves one that Slack refreshes, and loses nothing meanwhile", async () => {
    const { slack, ann } = await open();
    slack.socket.disconnect("refresh_requested");
    const said: boolean[] = [];
    for (let at = 0; at < 20; at++) said.push((await ann.says("C0GENERAL", `${mention} ${at}`)).acknowledged);
    expect(said).toEqual(said.map(() => true));
    await until(() => slack.socket.opened === 2 && slack.socket.connections === 1);
    expect((await ann.says("C0GENERAL", `${mention} last`)).acknowledged).toBe(true);
    expect(new Set(keys()).size).toBe(21);
    expect(opened.adapter.platform.health()).toBeNull();
  });

  it("dials again when a connection is lost, and says meanwhile that it is not ready", async () => {
    const { slack, ann } = await open();
    slack.faults.always("apps.connections.open", serverError());
    slack.socket.cut();
    await until(() => opened.adapter.platform.health() !== null);
    slack.faults.always("apps.connections.open", null);
    await until(() => opened.adapter.platform.health() === null);
    expect((await ann.says("C0GENERAL", `${mention} hi`)).acknowledged).toBe(true);
  });

  it("takes malformed frames without falling over", async () => {
    const { slack, ann } = await open();
    const envelope = (payload: unknown, type = "events_api"): string => JSON.stringify({ envelope_id: "e", type, payload });
    const frames = [
      "null",
      "[]",
      "{",
      "1",
      envelope(null),
      envelope({}),
      envelope({ type: "event_callback" }),
      envelope({ type: "app_rate_limited", minute_rate_limited: 1 }),
      envelope({ event: null }),
      JSON.stringify({ type: "events_api", payload: { event: { type: "message" } } }),
      envelope({ event: { type: "message" } }),
      envelope("x".repeat(5 * 1024 * 1024)),
      envelope({}, "slash_commands"),
      JSON.stringify({ type: "hello" }),
    ];
    for (const frame of frames) slack.socket.raw(frame);
    slack.socket.raw(Buffer.from([0, 1, 2]));
    expect((await ann.says("C0GENERAL", `${mention} still there?`)).acknowledged).toBe(true);
    expect(keys()).toHaveLength(1);
  });

  it("finds a half-open connection and one without a hello, and dials again", async () => {
    const { slack } = await open();
    const received: unknown[] = [];
    const quiet = { info: () => {}, warn: () => {} };
    const sockets = createSockets({
      appToken: slack.tokens.app,
      apiUrl: slack.apiUrl,
      clock: systemClock,
      times: { hello: 300, pong: 300, overlap: 10 },
      random: () => 0,
      receive: (body) => void received.push(body),
      log: quiet,
    });
    await sockets.start(new AbortController().signal);
    // The next dial finds a Slack that never answers.
    slack.faults.add("apps.connections.open", silence);
    slack.socket.frozen = true;
    await until(() => sockets.health() !== null);
    // Others are open meanwhile, and get no hello.
    const before = slack.socket.opened;
    await until(() => slack.socket.opened > before);
    slack.socket.frozen = false;
    await until(() => sockets.health() === null);
    sockets.stop();
    expect(sockets.health()).toBe("stopped");
  });

  it("waits for a Slack that is not there at the start, while the rest goes on", async () => {
    opened = await openAdapter("socket", { started: false });
    opened.slack.faults.add("apps.connections.open", reset, serverError());
    await opened.adapter.platform.start(opened.inbox, new AbortController().signal);
    expect(opened.adapter.platform.health()).toMatch(/cannot be opened/);
    await until(() => opened.adapter.platform.health() === null);
  });

  it("says at once that a token is not accepted", async () => {
    opened = await openAdapter("socket", { started: false });
    const start = () => opened.adapter.platform.start(opened.inbox, new AbortController().signal);
    opened.slack.faults.add("auth.test", slackError("invalid_auth"));
    await expect(start()).rejects.toThrow(/SLACK_BOT_TOKEN.*invalid_auth/);
    opened.slack.faults.add("apps.connections.open", slackError("not_allowed_token_type"));
    await expect(start()).rejects.toThrow(/SLACK_APP_TOKEN/);
  });
});
