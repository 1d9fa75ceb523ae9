/** What Discord is told of Parley is what the code needs, and what the documents list. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { definitionsOf } from "../../adapters/discord/commands/definitions.ts";
import { checkDiscord } from "../../adapters/discord/doctor.ts";
import { discordIntents, discordManifest, discordPermissions } from "../../adapters/discord/manifest.ts";
import { commands } from "../../src/core/commands/index.ts";
import { openFakeDiscord, type FakeDiscord } from "../fakes/discord/discord.ts";
import { openWorld } from "./world.ts";

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

describe("the manifest for Discord", () => {
  it("is the one in the manifest folder: npm run parley -- manifest discord > manifest/discord.json", () => {
    expect(JSON.parse(read("manifest/discord.json"))).toEqual(JSON.parse(JSON.stringify(discordManifest(commands))));
  });

  it("has no more commands in a message's menu than Discord takes", () => {
    const menus = definitionsOf(commands).filter(({ type }) => type === 3);
    expect(menus.map(({ name }) => name)).toEqual(["Ask Parley", "Summarise from here", "Edit picture", "Transcribe"]);
    expect(menus.length).toBeLessThanOrEqual(5);
  });

  it("asks for the permissions and intents that the README gives reasons for", () => {
    const readme = read("README.md");
    for (const { name, why } of discordPermissions) expect(readme).toMatch(new RegExp(`\\| \`${name}\` +\\| ${why} +\\|`));
    for (const [name, why] of Object.entries(discordIntents))
      expect(readme).toMatch(new RegExp(`\\| \`${name}\` +\\| ${why} +\\|`));
  });

  it("names the intents that Parley connects with", async () => {
    const world = await openWorld();
    // https://docs.discord.com/developers/events/gateway#list-of-intents
    const bits: Readonly<Record<string, number>> = {
      GUILDS: 1,
      GUILD_MESSAGES: 1 << 9,
      DIRECT_MESSAGES: 1 << 12,
      MESSAGE_CONTENT: 1 << 15,
    };
    const wanted = Object.keys(discordIntents).reduce((sum, name) => sum | (bits[name] ?? 0), 0);
    expect(world.fake.gateway.seenIntents).toBe(wanted);
    await world.close();
  });
});

describe("parley doctor, on Discord", () => {
  const check = async (fake: FakeDiscord, token = fake.token, guild: string | null = null): Promise<string[]> => {
    const findings = await checkDiscord({ token, apiUrl: fake.apiUrl, guild }, commands);
    return findings.map(({ ok, text }) => `${ok ? "ok" : "FIX"} ${text}`);
  };

  it("checks token, intents and commands, and changes nothing", async () => {
    const fake = await openFakeDiscord();
    fake.guild("Team");
    expect(await check(fake)).toEqual([
      expect.stringMatching(/^ok .*as Parley in 1 servers/),
      expect.stringMatching(/^ok .*Message Content intent is granted/),
      expect.stringMatching(/^ok .*will be registered everywhere/),
    ]);
    fake.grantContent(false);
    expect((await check(fake))[1]).toMatch(/^FIX .*Message Content intent is not granted/);
    expect(await check(fake, "another-token")).toEqual([expect.stringMatching(/^FIX .*DISCORD_BOT_TOKEN/)]);
    expect((await check(fake, fake.token, "12345"))[2]).toMatch(/^FIX .*in the server 12345/);
    expect(fake.commits.every(({ method }) => method === "GET")).toBe(true);
    await fake.close();
  });
});
