import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { emptyDocument, paragraph } from "../../src/core/document.ts";
import { fakeClock } from "../fakes/clock.ts";
import { call, openHost, say, type Host } from "./host.ts";

const signal = new AbortController().signal;
const general = { platform: "console", tenant: "local", channel: "general", thread: null };
const answer = (text: string) => ({ ...emptyDocument, blocks: [paragraph(text)] });

// Frames are JSON that the page reads without types.
// oxlint-disable-next-line typescript/no-explicit-any
type Frame = any;

interface Reader {
  readonly frames: Frame[];
  readonly socket: WebSocket;
  /** Events of all frames so far. */
  events(): Frame[];
  /** Resolves once `found` is true of an event. */
  until(found: (event: Frame) => boolean): Promise<Frame>;
}

describe("the live feed", () => {
  let host: Host;
  const sockets: WebSocket[] = [];
  beforeEach(async () => void (host = await openHost()));
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate();
    await host.close();
  });

  async function connect(query = "", headers: Record<string, string> = {}): Promise<Reader> {
    const socket = new WebSocket(`${host.url.replace("http", "ws")}/console/ws${query}`, { headers });
    sockets.push(socket);
    const frames: Frame[] = [];
    let wake = (): void => undefined;
    socket.on("message", (data: Buffer) => {
      frames.push(JSON.parse(data.toString("utf8")));
      wake();
    });
    await new Promise<void>((resolve, reject) => {
      wake = resolve;
      socket.on("error", reject);
    });
    const events = () => frames.flatMap((frame) => (frame.type === "events" ? frame.events : []));
    return {
      frames,
      socket,
      events,
      async until(found) {
        for (;;) {
          const event = events().find(found);
          if (event !== undefined) return event;
          await new Promise<void>((resolve) => (wake = resolve));
        }
      },
    };
  }

  const isText = (text: string) => (event: Frame) => JSON.stringify(event.message ?? {}).includes(text);

  it("tells every page of new messages, edits, threads, removals, channels, names and whispers", async () => {
    const [a, b] = await Promise.all([connect(), connect()]);
    const root = (await say(host, "said")).body.message.id as string;
    const { platform } = host.console;
    const posted = await platform.post({ ...general, thread: root }, answer("one"), "k", signal);
    await platform.edit(posted, answer("two"), signal);
    await platform.remove(posted, signal);
    await call(host, "POST", "/channels", { name: "news" });
    await call(host, "PUT", "/person", { name: "Anna" });
    await platform.whisper(general, { id: "you", name: "Anna" }, answer("psst"), signal);
    for (const page of [a, b]) {
      await page.until((event) => event.type === "whisper");
      expect(page.events()).toContainEqual(expect.objectContaining({ type: "channel" }));
      expect(page.events()).toContainEqual(expect.objectContaining({ type: "person", name: "Anna" }));
      const last = page.events().findLast((event) => event.message?.id === posted.id);
      expect(last.message).toMatchObject({ removed: true, document: null });
      const seen = page.events().findLast((event) => event.message?.id === root);
      expect(seen.message.replies.count).toBe(0);
      const numbers = page.events().map((event) => event.seq as number);
      expect(numbers).toEqual(numbers.toSorted((x, y) => x - y));
    }
  });

  it("fills the gap of a page that was away, with the newest state only", async () => {
    const first = await connect();
    const posted = await host.console.platform.post(general, answer("one"), "k", signal);
    const { seq } = await first.until(isText("one"));
    first.socket.close();
    await once(first.socket, "close");
    for (const text of ["two", "three"]) await host.console.platform.edit(posted, answer(text), signal);
    const again = await connect(`?run=${String(first.frames[0].run)}&since=${String(seq)}`);
    await again.until(isText("three"));
    expect(again.frames[0]).toMatchObject({ type: "hello", resumed: true });
    expect(again.events()).toHaveLength(1);
  });

  it("has a page read everything again after a restart, and after too long an absence", async () => {
    const first = await connect();
    const { run } = first.frames[0];
    for (let count = 0; count < 310; count++) {
      await host.console.platform.whisper(general, { id: "you", name: "x" }, answer(String(count)), signal);
    }
    expect((await connect(`?run=${String(run)}&since=0`)).frames[0].resumed).toBe(false);
    host = await host.restart();
    expect((await connect(`?run=${String(run)}&since=310`)).frames[0].resumed).toBe(false);
    expect((await connect("?run=&since=")).frames[0].resumed).toBe(false);
  });

  it("skips states that a slow page could not take, and ends with the newest", async () => {
    const slow = await connect();
    const posted = await host.console.platform.post(general, answer("start"), "k", signal);
    await slow.until(isText("start"));
    slow.socket.pause();
    const large = "x".repeat(200_000);
    for (let count = 1; count <= 60; count++)
      await host.console.platform.edit(posted, answer(`${large}-${String(count)}-`), signal);
    slow.socket.resume();
    await slow.until(isText("-60-"));
    expect(slow.events().length).toBeLessThan(50);
  });

  it("keeps whispers for pages that load later, until they are dismissed", async () => {
    await host.console.platform.whisper(general, { id: "you", name: "x" }, answer("psst"), signal);
    const { whispers } = (await call(host, "GET", "/state")).body;
    expect(whispers).toMatchObject([{ channel: "general", document: answer("psst") }]);
    expect((await call(host, "DELETE", `/whispers/${String(whispers[0].id)}`)).status).toBe(204);
    expect((await call(host, "GET", "/state")).body.whispers).toEqual([]);
  });
});

describe("the live feed's heartbeat", () => {
  it("gives signs of life, drops a page that gives none, and leaves no timer behind", async () => {
    const clock = fakeClock();
    const host = await openHost({ clock });
    try {
      const socket = new WebSocket(`${host.url.replace("http", "ws")}/console/ws`);
      const frames: string[] = [];
      socket.on("message", (data: Buffer) => frames.push(data.toString("utf8")));
      await once(socket, "message");
      await clock.advance(15_000);
      await expect.poll(() => frames).toContain('{"type":"beat"}');
      const closed = once(socket, "close");
      await clock.advance(15_000);
      await closed;
      await expect.poll(() => clock.pending).toBe(0);
    } finally {
      await host.close();
    }
  });
});
