/** Files that come in: the token goes to Slack's own hosts and to nobody else, and nothing without an end is read. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFileReader } from "../../adapters/slack/inbound/files.ts";
import { createWeb } from "../../adapters/slack/outbound/web.ts";
import { systemClock } from "../../src/clock.ts";
import { Fault } from "../../src/errors.ts";
import { serverError } from "../fakes/slack/faults.ts";
import { openFakeSlack, type FakeSlack } from "../fakes/slack/slack.ts";

let slack: FakeSlack;
let elsewhere: Server;
/** What another server was asked, with the token if it was given one. */
let asked: (string | undefined)[];
let foreign: string;

beforeEach(async () => {
  slack = await openFakeSlack();
  asked = [];
  elsewhere = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.end("stolen");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => elsewhere.once("listening", resolve));
  foreign = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await slack.close();
  await new Promise((resolve) => elsewhere.close(resolve));
});

const { signal } = new AbortController();
const reader = () =>
  createFileReader({
    web: createWeb({ token: slack.tokens.bot, apiUrl: slack.apiUrl, clock: systemClock }),
    token: slack.tokens.bot,
    extraOrigin: slack.origin,
  });
const file = { id: "F0X", name: "x.txt", mediaType: "text/plain", bytes: 1 };

async function share(): Promise<void> {
  await slack
    .person("U0ANN")
    .says("C0GENERAL", "look", { silently: true, files: [{ name: "x.txt", bytes: Buffer.from("hello") }] });
}
const shared = () => ({ ...file, id: [...slack.state.files.keys()][0] ?? "" });

async function outcome(opening: Promise<AsyncIterable<Uint8Array>>): Promise<string> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await opening) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  } catch (thrown) {
    return thrown instanceof Fault ? `${thrown.code}: ${thrown.message}` : String(thrown);
  }
}
/** What `files.info` says of a file, once. */
const says = (info: object): void =>
  slack.faults.add("files.info", {
    when: "before",
    how: { status: 200, body: JSON.stringify({ ok: true, file: info }), headers: { "content-type": "application/json" } },
  });
const redirect = (location: string): void =>
  slack.faults.add("files-pri", { when: "before", how: { status: 302, body: "", headers: { location } } });

test("reads a file, also where Slack moves it among its own hosts", async () => {
  await share();
  expect(await outcome(reader()(shared(), signal))).toBe("hello");
  redirect(`/files-pri/T0ACME-${shared().id}/x.txt`);
  expect(await outcome(reader()(shared(), signal))).toBe("hello");
});

test("goes to no host that only looks like Slack's, and gives nobody else the token", async () => {
  for (const url of [
    `${foreign}/x`,
    "https://files.slack.com.evil.example/x",
    "https://evil.example/files.slack.com/x",
    "https://files.slack.com@evil.example/x",
    "http://files.slack.com/x",
    "https://files.slack.com:444/x",
    "file:///etc/passwd",
    "",
  ]) {
    says({ id: "F0X", url_private: url });
    expect(await outcome(reader()(file, signal))).toBe("file_skipped: it is not kept by Slack itself");
  }
  await share();
  redirect(`${foreign}/stolen`);
  expect(await outcome(reader()(shared(), signal))).toBe("file_skipped: it is not kept by Slack itself");
  expect(asked).toEqual([]);
});

test("says why a file is not to be had: external, deleted, too large, moved without an end", async () => {
  says({ id: "F0X", is_external: true, url_private: `${foreign}/x` });
  expect(await outcome(reader()(file, signal))).toContain("kept outside of Slack");
  expect(await outcome(reader()(file, signal))).toContain("it was deleted");
  says({ id: "F0X", size: 200 * 1024 * 1024, url_private: `${slack.origin}/files-pri/T0ACME-F0X/x.txt` });
  expect(await outcome(reader()(file, signal))).toContain("larger than 100 MiB");
  await share();
  for (let hop = 0; hop < 4; hop++) redirect(`/files-pri/T0ACME-${shared().id}/x.txt`);
  expect(await outcome(reader()(shared(), signal))).toContain("from one place to the next");
  expect(asked).toEqual([]);
});

test("tells a Slack that cannot be asked from a file that is not there", async () => {
  slack.faults.add("files.info", serverError());
  expect(await outcome(reader()(file, signal))).toMatch(/^file_unread/);
});
