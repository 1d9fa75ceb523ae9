/** Nothing that was said to Parley is lost or answered twice, whatever becomes of the connection, the inbox or the process. */
import { afterEach, describe, expect, it } from "vitest";
import { openWorld, type World, type WorldOptions } from "./world.ts";

describe("on Discord, through trouble", () => {
  let world: World;
  afterEach(() => world.close());
  const open = async (options: WorldOptions = {}): Promise<World> => (world = await openWorld(options));

  it("resumes after the connection was cut, and takes 50 replayed events once each", async () => {
    const { fake, ann, until, received } = await open();
    const direct = fake.direct(ann);
    ann.says(direct, "before");
    await until(() => received.length === 1);
    fake.gateway.drop();
    for (let n = 1; n <= 50; n++) ann.says(direct, `missed ${n}`);
    await until(() => received.length >= 51);
    expect(fake.gateway.resumes).toBe(1);
    expect(fake.gateway.identifies).toBe(1);
    expect(received.map((one) => (one.kind === "message" ? one.runs : []))).toEqual(
      ["before", ...Array.from({ length: 50 }, (_, n) => `missed ${n + 1}`)].map((typed) => [{ typed }]),
    );
    await until(() => world.platform.health() === null);
  });

  it("fetches what it missed when its session could not be resumed, and answers it once", async () => {
    const { fake, general, ann, until, received, restart, log } = await open();
    ann.says(general, `${fake.mention} first`);
    await until(() => received.length === 1);
    // How far it has heard is noted at the end of a process.
    await restart();
    await until(() => log.some((line) => line.includes("looked through the messages")));
    fake.gateway.forgetSessions();
    fake.gateway.drop();
    ann.says(general, `${fake.mention} missed in the channel`);
    ann.says(fake.direct(ann), "missed in a direct message");
    ann.says(general, "not for Parley");
    const texts = () =>
      new Set(
        received.flatMap((one) => (one.kind === "message" ? one.runs.map((run) => ("typed" in run ? run.typed : "")) : [])),
      );
    await until(() => texts().has("missed in the channel"));
    expect([...texts()]).not.toContain("not for Parley");
    expect(fake.gateway.identifies).toBe(3);
  });

  it("answers what was said while it was down, once, and what it had answered not again", async () => {
    const { fake, general, ann, ben, answers, shows, restart, asked, until } = await open();
    const early = ann.says(general, `${fake.mention} before`);
    await answers("Before.");
    await shows(early.id, "Before.");
    const thread = fake.channel(early.id);
    const direct = fake.direct(ann);
    ann.says(direct, "hello");
    await answers("Hello.");
    await shows(direct, "Hello.");
    let missed = early;
    await restart(() => {
      ben.says(thread!, "missed follow-up");
      missed = ben.says(general, `${fake.mention} missed mention`);
      ann.says(direct, "missed directly");
      ann.says(general, "chatter");
    });
    const questions = new Set([await answers("A."), await answers("B."), await answers("C.")]);
    expect(questions).toEqual(new Set(["missed follow-up", "missed mention", "missed directly"]));
    await until(() => fake.channel(missed.id));
    await until(() => asked().length === 5);
  });

  it("answers what was said while it was down also when the store was away as it came back", async () => {
    const { fake, general, ann, answers, restart, failMarks } = await open();
    const early = ann.says(general, `${fake.mention} before`);
    await answers("Before.");
    await restart(() => {
      ann.says(general, `${fake.mention} missed mention`);
      failMarks(2);
    });
    expect(await answers("A.")).toBe("missed mention");
    expect(fake.channel(early.id)).toBeDefined();
  });

  it("takes what it missed in a place before what is said there afterwards", async () => {
    const { fake, general, ann, answers, shows, restart, received, until } = await open();
    const said = ann.says(general, `${fake.mention} before`);
    await answers("Before.");
    await shows(said.id, "Before.");
    const thread = fake.channel(said.id)!;
    await restart(() => {
      ann.says(thread, "missed");
      // The first look into a channel fails, so that what comes meanwhile could overtake.
      for (let times = 0; times < 3; times++)
        fake.order("GET /channels/:channel/messages", { status: 502, body: "<html>bad gateway</html>" });
    });
    ann.says(thread, "afterwards");
    const texts = () =>
      received.flatMap((one) => (one.kind === "message" ? one.runs.map((run) => ("typed" in run ? run.typed : "")) : []));
    await until(() => texts().includes("afterwards"));
    expect([...new Set(texts())].filter((text) => text !== "before")).toEqual(["missed", "afterwards"]);
  });

  it("answers of what it missed only what those wrote whom it is there for", async () => {
    const allow = { guilds: [], channels: [], roles: [] as string[], users: [] };
    const { fake, general, guild, ann, answers, restart, asked } = await open({ adapter: { allow } });
    const crew = fake.role(guild, "crew");
    allow.roles.push(crew);
    const cleo = fake.person("Cleo", [{ guild, roles: [crew] }]);
    await restart(() => {
      ann.says(general, `${fake.mention} let me in`);
      cleo.says(general, `${fake.mention} hello`);
    });
    await answers("Hello Cleo.");
    expect(asked()).toEqual(["hello"]);
  });

  it("leaves what it missed alone where that is wanted", async () => {
    const { fake, general, ann, restart, answers, asked } = await open({ adapter: { catchUp: false } });
    await restart(() => void ann.says(general, `${fake.mention} missed`));
    ann.says(general, `${fake.mention} now`);
    await answers("Now.");
    expect(asked()).toEqual(["now"]);
  });

  it("keeps what the inbox cannot take until it can, in order", async () => {
    const { fake, ann, failInbox, until, received, log } = await open();
    const direct = fake.direct(ann);
    failInbox(new Error("disk full"));
    ann.says(direct, "one");
    ann.says(direct, "two");
    await until(() => log.some((line) => line.includes("could not be taken in yet")));
    expect(received).toEqual([]);
    failInbox(null);
    await until(() => received.length === 2);
    expect(received).toMatchObject([{ runs: [{ typed: "one" }] }, { runs: [{ typed: "two" }] }]);
  });

  it("hears all shards that Discord recommends, and resumes each of them", async () => {
    const { fake, until, received, guild, general, ann } = await open({ fake: { shards: 2 } });
    const shardOf = ({ id }: { readonly id: string }): number => Number((BigInt(id) >> 22n) % 2n);
    let other = fake.guild("Other team");
    while (shardOf(other) === shardOf(guild)) other = fake.guild("Other team");
    const away = fake.text(other, "away");
    const ben = fake.person("Benny", [{ guild: other }]);
    expect(fake.gateway.identifies).toBe(2);
    const words = (): string[] =>
      received.flatMap((one) => (one.kind === "message" ? one.runs.map((run) => ("typed" in run ? run.typed : "")) : []));
    ann.says(general, `${fake.mention} here`);
    ben.says(away, `${fake.mention} there`);
    await until(() => words().length === 2);
    fake.gateway.drop();
    ann.says(general, `${fake.mention} here, missed`);
    ben.says(away, `${fake.mention} there, missed`);
    await until(() => words().length === 4);
    expect(words().toSorted()).toEqual(["here", "here, missed", "there", "there, missed"]);
    expect(fake.gateway.resumes).toBe(2);
    expect(fake.gateway.identifies).toBe(2);
    await until(() => world.platform.health() === null);
  });

  it("leaves a connection on which Discord does not say hello, and makes another", async () => {
    const { fake, ann, until, received } = await open({
      adapter: { helloMs: 1_000 },
      before: (one) => one.gateway.sayNothing(1),
    });
    expect(fake.gateway.identifies).toBe(1);
    ann.says(fake.direct(ann), "hello");
    await until(() => received.length === 1);
  });

  it("reconnects when Discord asks for it, and survives frames that mean nothing", async () => {
    const { fake, ann, until, received } = await open();
    const direct = fake.direct(ann);
    fake.gateway.raw(
      "null",
      "{",
      '{"op":0,"t":"MESSAGE_CREATE","s":1,"d":null}',
      '{"op":0,"t":"CHANNEL_CREATE","s":1,"d":{}}',
      "[]",
      Buffer.from([0x00, 0xff, 0xfe]),
      Buffer.from('{"op":0}'),
      JSON.stringify({ op: 0, t: "MESSAGE_CREATE", s: 1, d: { content: "x".repeat(5 * 1024 * 1024) } }),
    );
    fake.gateway.askToReconnect();
    await until(() => fake.gateway.resumes === 1 && world.platform.health() === null);
    ann.says(direct, "still there?");
    await until(() => received.length > 0);
    expect(received).toMatchObject([{ runs: [{ typed: "still there?" }] }]);
  });

  it("begins anew without the Message Content intent when that is taken away", async () => {
    const { fake, general, ann, until, received } = await open();
    fake.grantContent(false);
    fake.gateway.forgetSessions();
    fake.gateway.drop(4014);
    await until(() => fake.gateway.identifies === 2 && world.platform.health() === null);
    ann.says(general, `${fake.mention} can you hear me?`);
    await until(() => received.length > 0);
    expect(received).toMatchObject([{ runs: [{ typed: "can you hear me?" }] }]);
  });

  it("says why it is not ready", async () => {
    const { fake, until } = await open();
    fake.gateway.refuseConnections(true);
    fake.gateway.drop();
    expect(await until(() => world.platform.health())).toBe("connecting to Discord");
    fake.gateway.refuseConnections(false);
    await until(() => world.platform.health() === null);
    expect(world.platform.health()).toBeNull();
  });

  it("forgets a guild that it was removed from, but not one that is only out", async () => {
    const { fake, general, guild, ann, until, received, answers, shows } = await open();
    const said = ann.says(general, `${fake.mention} remember this`);
    await answers("I do.");
    await shows(said.id, "I do.");
    fake.gateway.dispatch({ type: "GUILD_DELETE", data: { id: guild.id, unavailable: true }, guild: guild.id, intent: 1 });
    fake.gateway.dispatch({ type: "GUILD_DELETE", data: { id: guild.id }, guild: guild.id, intent: 1 });
    await until(() => received.some(({ kind }) => kind === "notice"));
    expect(received.filter(({ kind }) => kind === "notice")).toMatchObject([{ notice: "removed", place: { tenant: guild.id } }]);
  });
});
