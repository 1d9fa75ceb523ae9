/** Parley's registration with Slack: what is written down is what the adapter uses, and Slack takes it. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { menuCallback } from "../../adapters/slack/commands/callbacks.ts";
import { slackEvents, slackManifest, slackScopes } from "../../adapters/slack/manifest.ts";
import { manifest } from "../../src/cli/manifest.ts";
import { commands } from "../../src/core/commands/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const textOf = (pattern: string): string =>
  globSync(pattern, { cwd: root })
    .filter((file) => !file.endsWith("manifest.ts"))
    .map((file) => readFileSync(`${root}/${file}`, "utf8"))
    .join("\n");
const sources = textOf("adapters/slack/**/*.ts");

// oxlint-disable-next-line typescript/no-explicit-any
const made = (address: string | null) => slackManifest(commands, address) as any;

/** The scope that each method which the adapter calls needs, from Slack's method reference. */
const scopesOfMethods: Readonly<Record<string, readonly string[]>> = {
  "agents.sessions.setStatus": ["chat:write"],
  "apps.connections.open": [],
  "assistant.threads.setSuggestedPrompts": ["assistant:write"],
  "auth.test": [],
  "chat.appendStream": ["chat:write"],
  "chat.delete": ["chat:write"],
  "chat.postEphemeral": ["chat:write"],
  "chat.postMessage": ["chat:write"],
  "chat.startStream": ["chat:write"],
  "chat.stopStream": ["chat:write"],
  "chat.update": ["chat:write"],
  "conversations.history": ["channels:history", "groups:history", "im:history", "mpim:history"],
  "conversations.info": ["channels:read", "groups:read", "im:read", "mpim:read"],
  "conversations.replies": ["channels:history", "groups:history", "im:history", "mpim:history"],
  "files.completeUploadExternal": ["files:write"],
  "files.getUploadURLExternal": ["files:write"],
  "files.info": ["files:read"],
  "usergroups.list": ["usergroups:read"],
  "usergroups.users.list": ["usergroups:read"],
  "users.conversations": ["channels:read", "groups:read", "im:read", "mpim:read"],
  "users.info": ["users:read"],
  "views.open": [],
  "views.publish": [],
};
const scopesOfEvents: Readonly<Record<string, readonly string[]>> = {
  app_mention: ["app_mentions:read"],
  "message.channels": ["channels:history"],
  "message.groups": ["groups:history"],
  "message.im": ["im:history"],
  "message.mpim": ["mpim:history"],
};

test("manifest/slack.json is what the command prints", () => {
  const lines: string[] = [];
  manifest(["slack"], { line: (text) => void lines.push(text) });
  expect(readFileSync(`${root}/manifest/slack.json`, "utf8")).toBe(`${lines.join("\n")}\n`);
});

test("with an address, Slack calls it for events, commands, clicks and options, and there is no socket", () => {
  const lines: string[] = [];
  manifest(["slack", "--http", "https://parley.example/"], { line: (text) => void lines.push(text) });
  const address = "https://parley.example/slack/events";
  expect(JSON.parse(lines.join("\n"))).toMatchObject({
    features: { slash_commands: [{ url: address }] },
    settings: {
      socket_mode_enabled: false,
      event_subscriptions: { request_url: address },
      interactivity: { request_url: address, message_menu_options_url: address },
    },
  });
  expect(() => manifest(["slack", "--http", "http://parley.example"], { line: () => {} })).toThrow(/https/);
  expect(() => manifest(["teams"], { line: () => {} })).toThrow(/expected/);
});

test("every method that the adapter calls is known, and the scopes are those that methods and events need", () => {
  const called = new Set(
    [
      ...sources.matchAll(
        /"((?:apps|assistant|auth|chat|conversations|files|users|usergroups|views|agents|reactions|bots|team)\.[A-Za-z.]+)"/g,
      ),
    ].map(([, method = ""]) => method),
  );
  expect([...called].filter((method) => scopesOfMethods[method] === undefined)).toEqual([]);
  const needed = new Set([
    ...[...called].flatMap((method) => scopesOfMethods[method] ?? []),
    ...slackEvents.flatMap((event) => scopesOfEvents[event] ?? []),
    "commands",
  ]);
  expect(Object.keys(slackScopes).toSorted((a, b) => a.localeCompare(b))).toEqual(
    [...needed].toSorted((a, b) => a.localeCompare(b)),
  );
});

test("every event of the list is read, and every event that is read is on the list", () => {
  const read = new Set(
    [
      ...textOf("adapters/slack/{commands,inbound}/*.ts").matchAll(
        /(?:case|event\(|new Set\(\[)\s*"((?:app|agent|assistant|member|message|tokens)(?:_[a-z]+)*)"/g,
      ),
    ].map(([, event = ""]) => event),
  );
  // Kinds of interactions and of messages, not events.
  for (const other of ["message_action", "message_changed"]) read.delete(other);
  const subscribed = new Set(slackEvents.map((event) => event.split(".")[0] ?? ""));
  expect([...read].toSorted((a, b) => a.localeCompare(b))).toEqual([...subscribed].toSorted((a, b) => a.localeCompare(b)));
});

test("every shortcut is answered", () => {
  // Those of the command table are made, and found again, by their commands' names; other tests choose them.
  expect(sources.match(/menuCallback\(name\)/g)).toHaveLength(2);
  const fromTable = commands.filter(({ menu }) => menu !== undefined).map(({ name }) => menuCallback(name));
  const ids = (made(null).features.shortcuts as { callback_id: string }[]).map(({ callback_id: id }) => id);
  expect(ids).toEqual(expect.arrayContaining(fromTable));
  for (const id of ids.filter((one) => !fromTable.includes(one))) expect(sources).toContain(`"${id}"`);
});

test("it keeps to the limits of Slack's schema", () => {
  for (const { display_information: shown, features, settings } of [made(null), made("https://parley.example/slack/events")]) {
    expect(shown.name.length).toBeLessThanOrEqual(35);
    expect(shown.description.length).toBeLessThanOrEqual(140);
    expect(shown.background_color).toMatch(/^#[0-9a-f]{6}$/);
    expect(features.bot_user.display_name.length).toBeLessThanOrEqual(80);
    expect(features.slash_commands).toHaveLength(1);
    expect(features.slash_commands[0].command).toMatch(/^\/[a-z]{1,31}$/);
    expect(features.slash_commands[0].description.length).toBeLessThanOrEqual(2_000);
    expect(features.slash_commands[0].usage_hint.length).toBeLessThanOrEqual(1_000);
    expect(features.shortcuts.length).toBeLessThanOrEqual(10);
    for (const shortcut of features.shortcuts) {
      expect(shortcut.name.length).toBeLessThanOrEqual(24);
      expect(shortcut.description.length).toBeLessThanOrEqual(150);
      expect(["message", "global"]).toContain(shortcut.type);
    }
    expect(new Set(features.shortcuts.map((shortcut: { callback_id: string }) => shortcut.callback_id)).size).toBe(
      features.shortcuts.length,
    );
    expect(features.agent_view.agent_description.length).toBeLessThanOrEqual(300);
    expect(features.agent_view.suggested_prompts.length).toBeLessThanOrEqual(4);
    expect(settings.event_subscriptions.bot_events.length).toBeLessThanOrEqual(100);
    expect(new Set(settings.event_subscriptions.bot_events).size).toBe(settings.event_subscriptions.bot_events.length);
  }
});

test("the README gives each scope its reason", () => {
  const readme = readFileSync(`${root}/README.md`, "utf8");
  const rows = [...readme.matchAll(/^\| `?([a-z_]+(?::[a-z]+)?)`? +\| (.*?) +\|$/gm)].map(([, scope = "", why = ""]) => [
    scope,
    why,
  ]);
  for (const [scope, why] of Object.entries(slackScopes)) expect(rows).toContainEqual([scope, why]);
});
