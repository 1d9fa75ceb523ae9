/** Files that come in: the token goes to Slack's own hosts and to nobody else, and nothing without an end is read. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGzip } from "node:zlib";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
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

// Memory that nobody holds any more, which would be given back at some time, is not what is counted.
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const mebibyte = 1024 * 1024;
const tenGigabytes = 10_000 * mebibyte;
const zeros = Buffer.alloc(mebibyte);
const endless = (): Readable => Readable.from(Array.from({ length: 10_000 }, () => zeros));

test.for([
  ["10 GB that say they are a byte", {}, endless],
  ["10 GB that say how much they are", { "content-length": String(tenGigabytes) }, endless],
  ["10 GB packed into 10 MB", { "content-encoding": "gzip" }, () => endless().pipe(createGzip())],
] as const)("%s are cut at 100 MiB, and never held in memory", async ([, headers, content]) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/plain", ...headers });
    // The reader hangs up in the middle of it.
    pipeline(content(), response, () => {});
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  says({ id: "F0X", size: 1, url_private: `${origin}/x` });
  const web = createWeb({ token: slack.tokens.bot, apiUrl: slack.apiUrl, clock: systemClock });
  const read = createFileReader({ web, token: slack.tokens.bot, extraOrigin: origin });
  let bytes = 0;
  let most = 0;
  let collected = 0;
  collect();
  const before = process.memoryUsage.rss();
  const reading = async (): Promise<void> => {
    for await (const chunk of await read(file, signal)) {
      bytes += chunk.byteLength;
      if (bytes - collected < 8 * mebibyte) continue;
      collected = bytes;
      collect();
      most = Math.max(most, process.memoryUsage.rss() - before);
    }
  };
  await expect(reading()).rejects.toThrow("it is larger than 100 MiB");
  expect(bytes).toBeLessThanOrEqual(100 * mebibyte);
  expect(bytes).toBeGreaterThan(99 * mebibyte);
  expect(most).toBeLessThanOrEqual(64 * mebibyte);
});
