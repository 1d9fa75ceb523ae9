/** `parley doctor` tells what is wrong with Slack, and what to do. */
import { afterEach, expect, test } from "vitest";
import { checkSlack } from "../../adapters/slack/doctor.ts";
import { slackScopes } from "../../adapters/slack/manifest.ts";
import { slackError } from "../fakes/slack/faults.ts";
import { openFakeSlack, type FakeSlack } from "../fakes/slack/slack.ts";

let slack: FakeSlack;
afterEach(() => slack.close());
const check = async (
  transport: Parameters<typeof checkSlack>[0]["transport"] = { appToken: "xapp-fake-app" },
): Promise<string[]> =>
  (await checkSlack({ botToken: slack.tokens.bot, apiUrl: slack.apiUrl, transport })).map(
    ({ ok, text }) => `${ok ? "ok" : "FIX"} ${text}`,
  );

test("finds nothing to do where all is well", async () => {
  slack = await openFakeSlack();
  slack.state.scopes = Object.keys(slackScopes);
  const lines = await check();
  expect(lines.filter((line) => line.startsWith("FIX"))).toEqual([]);
  expect(lines.join("\n")).toMatch(/as parley in Acme[^]*every scope[^]*Socket Mode can be opened/);
  expect((await check({ signingSecret: "s" })).join("\n")).toContain("/slack/events");
});

test("names the scopes that are missing, and tokens of no use", async () => {
  slack = await openFakeSlack();
  slack.state.scopes = Object.keys(slackScopes).filter((scope) => scope !== "files:read");
  slack.faults.add("apps.connections.open", slackError("missing_scope"));
  expect((await check()).filter((line) => line.startsWith("FIX"))).toEqual([
    expect.stringContaining("lacks files:read"),
    expect.stringMatching(/SLACK_APP_TOKEN opens no socket: .*missing_scope.*connections:write/),
  ]);
  slack.faults.add("auth.test", slackError("invalid_auth"));
  expect((await check())[0]).toMatch(/FIX slack: SLACK_BOT_TOKEN.*invalid_auth/);
});
