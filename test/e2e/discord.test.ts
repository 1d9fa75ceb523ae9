/** Discord as `npm start` runs it: ready, killed, gone on with, and refused. */
import { afterEach, expect, test } from "vitest";
import { openFakeDiscord, type FakeDiscord } from "../fakes/discord/discord.ts";
import { startParley, type Parley } from "./parley.ts";

let parley: Parley | undefined;
let fake: FakeDiscord | undefined;
afterEach(async () => {
  await parley?.close();
  await fake?.close();
});

const open = async (token?: string): Promise<{ parley: Parley; fake: FakeDiscord }> => {
  fake = await openFakeDiscord();
  parley = await startParley({ DISCORD_BOT_TOKEN: token ?? fake.token, DISCORD_API_URL: fake.apiUrl, LOG_LEVEL: "info" });
  return { parley, fake };
};
const readiness = async (): Promise<string | undefined> => {
  const { checks } = (await (await fetch(`${parley?.url}/readyz`)).json()) as { checks: Record<string, string> };
  return checks["discord"];
};

test("a mention is answered, through a kill in the middle of it, in the same message; what was said meanwhile is answered after", async () => {
  const opened = await open();
  const guild = opened.fake.guild("Team");
  const general = opened.fake.text(guild, "general");
  const ann = opened.fake.person("Ann", [{ guild }]);
  await expect.poll(readiness).toBe("ready");
  const shown = (thread: string): string[] =>
    opened.fake
      .messages(thread)
      .filter(({ author }) => author.id === opened.fake.bot.id)
      .map(({ content }) => content);

  const said = ann.says(general, `${opened.fake.mention} show me markdown`);
  await expect.poll(() => shown(said.id).join("").length).toBeGreaterThan(60);
  await opened.parley.kill();
  const missed = ann.says(general, `${opened.fake.mention} are you there?`);
  await opened.parley.restart();
  const footer = /^-# .*\d s/m;
  await expect.poll(() => shown(said.id).at(-1)).toMatch(footer);
  await expect.poll(() => shown(missed.id).at(-1)).toMatch(footer);
  const [first = ""] = shown(said.id);
  expect(shown(said.id).filter((content) => content.slice(0, 40) === first.slice(0, 40))).toHaveLength(1);
  expect(opened.fake.commits.flatMap(({ pings }) => pings)).toEqual([]);
  expect(opened.parley.log()).not.toContain(opened.fake.token);
  expect(await opened.parley.stop()).toBe(0);
});

test("a piece of music is posted once, although the process is killed while it is made", async () => {
  const opened = await open();
  const guild = opened.fake.guild("Team");
  const general = opened.fake.text(guild, "general");
  const ann = opened.fake.person("Ann", [{ guild }]);
  await expect.poll(() => opened.fake.commands.get("")?.length ?? 0).toBeGreaterThan(0);
  await opened.fake.acknowledged(ann.runs(general, "music", { prompt: "a calm evening", seconds: "3", instrumental: "yes" }));
  const parent = () => opened.fake.messages(general)[0];
  await expect.poll(() => parent()?.content).toContain("a calm evening");
  await opened.parley.kill();
  await opened.parley.restart();
  await expect.poll(() => parent()?.content).toContain("3 s · instrumental");
  const attached = () => {
    const thread = opened.fake.channel(parent()?.id ?? "");
    return thread === undefined ? [] : opened.fake.messages(thread).flatMap(({ attachments }) => attachments);
  };
  await expect.poll(() => attached().length).toBe(1);
  // Whatever is posted for a turn is posted before it is closed.
  expect(await opened.parley.stop()).toBe(0);
  expect(attached()).toHaveLength(1);
  expect(opened.fake.messages(general)).toHaveLength(1);
});

test("a refused token keeps nothing else away, and is said in the log and at /readyz", async () => {
  const opened = await open("another.token");
  await expect.poll(readiness).toContain("refuses the token");
  expect((await fetch(opened.parley.url)).status).toBe(200);
  expect(opened.parley.log()).not.toContain("another.token");
});
