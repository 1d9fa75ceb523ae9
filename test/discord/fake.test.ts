/** The fake Discord is as strict as its documents say: what the adapter's tests rest on. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFakeDiscord, type FakeChannel, type FakeDiscord, type Person } from "../fakes/discord/discord.ts";

describe("the fake Discord", () => {
  let now = 1_790_000_000_000;
  let fake: FakeDiscord;
  let general: FakeChannel;
  let ann: Person;
  beforeEach(async () => {
    fake = await openFakeDiscord({ now: () => now, acknowledgeMs: 3_000 });
    const guild = fake.guild("Team");
    general = fake.text(guild, "general");
    ann = fake.person("Ann", [{ guild }]);
  });
  afterEach(() => fake.close());

  const call = async (method: string, path: string, body?: object, authorization = `Bot ${fake.token}`) => {
    const answer = await fetch(`${fake.apiUrl}/v10${path}`, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    // oxlint-disable-next-line typescript/no-explicit-any
    return { status: answer.status, headers: answer.headers, body: (text === "" ? {} : JSON.parse(text)) as any };
  };
  const post = (body: object) => call("POST", `/channels/${general.id}/messages`, body);

  it("refuses a wrong token, an unknown channel and a body that breaks the rules", async () => {
    expect((await call("GET", "/users/@me", undefined, "Bot no")).status).toBe(401);
    expect((await call("POST", "/channels/123/messages", { content: "x" })).body.code).toBe(10003);
    expect((await post({ content: "x".repeat(2001) })).body.code).toBe(50035);
    expect((await post({ content: "x", nonce: "n".repeat(26) })).body.code).toBe(50035);
    expect((await post({ content: "x", unheard_of: 1 })).body.code).toBe(50035);
    expect((await post({ content: " " })).body.code).toBe(50006);
    now += 5_000;
    general.denied.add("send");
    expect((await post({ content: "x" })).body.code).toBe(50013);
    general.denied.add("view");
    expect((await post({ content: "x" })).body.code).toBe(50001);
  });

  it("makes one message of a nonce that is to be enforced", async () => {
    const once = { content: "x", nonce: "n", enforce_nonce: true };
    const { id } = (await post(once)).body;
    expect((await post(once)).body.id).toBe(id);
    expect((await post({ content: "x", nonce: "n" })).body.id).not.toBe(id);
  });

  it("pings by default, on an edit too, and nobody with an empty list", async () => {
    const { body } = await post({ content: "@everyone", allowed_mentions: { parse: [] } });
    await call("PATCH", `/channels/${general.id}/messages/${body.id}`, { content: `<@${ann.user.id}>` });
    expect(fake.commits.map(({ pings }) => pings)).toEqual([[], [ann.user.id]]);
  });

  it("counts by route and channel, tells how much is left, and refuses what is too much", async () => {
    const left: (string | null)[] = [];
    for (let n = 0; n < 5; n++) left.push((await post({ content: "x" })).headers.get("x-ratelimit-remaining"));
    expect(left).toEqual(["4", "3", "2", "1", "0"]);
    const refused = await post({ content: "x" });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ retry_after: 5, global: false });
    expect(refused.headers.get("x-ratelimit-scope")).toBe("user");
    expect(fake.refusedRequests).toBe(1);
    now += 5_000;
    expect((await post({ content: "x" })).status).toBe(200);
  });

  it("takes few edits of old messages, and none in an archived thread", async () => {
    const { body } = await post({ content: "x" });
    const edit = () => call("PATCH", `/channels/${general.id}/messages/${body.id}`, { content: "y" });
    now += 3_600_001;
    for (let n = 0; n < 30; n++) {
      expect((await edit()).status).toBe(200);
      now += 5_000;
    }
    expect((await edit()).body.code).toBe(30046);
    const made = await call("POST", `/channels/${general.id}/messages/${body.id}/threads`, { name: "T" });
    expect(made.status).toBe(201);
    expect((await call("POST", `/channels/${general.id}/messages/${body.id}/threads`, { name: "T" })).body.code).toBe(160004);
    const inside = await call("POST", `/channels/${body.id}/messages`, { content: "x" });
    await call("PATCH", `/channels/${body.id}`, { archived: true });
    expect((await call("PATCH", `/channels/${body.id}/messages/${inside.body.id}`, { content: "y" })).body.code).toBe(50083);
  });

  it("takes one acknowledgement within three seconds, and a token for fifteen minutes", async () => {
    await call("PUT", `/applications/${fake.bot.id}/commands`, [{ name: "help", description: "Help" }]);
    const run = ann.runs(general, "help");
    const callback = () => call("POST", `/interactions/${run.id}/${run.token}/callback`, { type: 5, data: { flags: 64 } });
    const original = () => call("PATCH", `/webhooks/${fake.bot.id}/${run.token}/messages/@original`, { content: "x" });
    expect((await original()).body.code).toBe(10015);
    expect((await callback()).status).toBe(204);
    expect((await callback()).body.code).toBe(40060);
    expect((await original()).status).toBe(200);
    expect(fake.whispers(ann).map(({ content }) => content)).toEqual(["x"]);
    expect(fake.messages(general)).toEqual([]);
    now += 15 * 60_000 + 1;
    expect((await original()).body.code).toBe(50027);
    const late = ann.runs(general, "help");
    now += 3_001;
    expect((await call("POST", `/interactions/${late.id}/${late.token}/callback`, { type: 5 })).body.code).toBe(10062);
  });
});
