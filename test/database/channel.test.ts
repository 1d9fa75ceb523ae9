/** What one process tells the others over PostgreSQL, and what becomes of it when the connection that listens breaks or freezes. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openChannel, type Channel } from "../../src/database/channel.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { fakeClock, type FakeClock } from "../fakes/clock.ts";
import { hasPostgres, newSchema, serverUrl, type Schema } from "../store/postgres.ts";
import { openWay, type Way } from "./frozen.ts";

interface Listener {
  readonly channel: Channel;
  readonly heard: string[];
  /** How often texts may have been missed: once for each connection. */
  readonly connections: () => number;
  readonly warned: string[];
}

describe.skipIf(!hasPostgres)("a channel", () => {
  let clock: FakeClock;
  let schema: Schema;
  let way: Way;
  const ends: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    clock = fakeClock();
    schema = await newSchema();
    way = await openWay(serverUrl);
  });
  afterEach(async () => {
    way.thaw();
    for (const end of ends.splice(0).toReversed()) await end();
    await way.close();
    await schema.drop();
  });

  const open = async (listensOver: string, to: string = schema.url): Promise<Listener> => {
    const db = await openPostgres(to, { deadlineMs: 1_000, connections: 2 });
    const heard: string[] = [];
    const warned: string[] = [];
    let connections = 0;
    const channel = openChannel({ db, url: listensOver, clock, log: { warn: (_fields, text) => void warned.push(text) } });
    channel.listen(
      (text) => heard.push(text),
      () => connections++,
    );
    ends.push(async () => {
      await channel.close();
      await db.destroy();
    });
    await expect.poll(() => connections).toBe(1);
    return { channel, heard, connections: () => connections, warned };
  };
  /** Time goes on until `holds`: the database answers in its own. */
  const until = async (holds: () => boolean): Promise<void> => {
    await expect
      .poll(
        async () => {
          if (!holds()) await clock.advance(250);
          return holds();
        },
        { interval: 20 },
      )
      .toBe(true);
  };

  test("is heard by every process of its schema, the sender too, and by no other", async () => {
    const other = await newSchema();
    ends.push(() => other.drop());
    const [one, two, stranger] = [await open(schema.url), await open(schema.url), await open(other.url, other.url)];
    await one.channel.send("hello");
    await stranger.channel.send("elsewhere");
    await expect.poll(() => [one.heard, two.heard, stranger.heard]).toEqual([["hello"], ["hello"], ["elsewhere"]]);
  });

  test("listens again over a new connection when its own is cut, and says that something may be missed", async () => {
    const [teller, listener] = [await open(schema.url), await open(way.through(schema.url))];
    way.cut();
    await expect.poll(() => listener.warned).toHaveLength(1);
    await teller.channel.send("nobody listens");
    await until(() => listener.connections() === 2);
    await teller.channel.send("again");
    await expect.poll(() => listener.heard).toEqual(["again"]);
  });

  test("finds out that its connection froze, tries until the server answers, and listens again", async () => {
    const [teller, listener] = [await open(schema.url), await open(way.through(schema.url))];
    way.freeze();
    await teller.channel.send("nobody listens");
    // It asks now and then whether it is still there, and then whether it is there again.
    await until(() => listener.warned.length >= 2);
    expect(listener.connections()).toBe(1);
    way.thaw();
    await until(() => listener.connections() === 2);
    await teller.channel.send("again");
    await expect.poll(() => listener.heard.at(-1)).toBe("again");
  });

  test("leaves nothing behind when it is closed, whatever it is doing", async () => {
    const listener = await open(way.through(schema.url));
    way.freeze();
    await until(() => listener.warned.length >= 1);
    await listener.channel.close();
    expect(clock.pending).toBe(0);
  });
});
