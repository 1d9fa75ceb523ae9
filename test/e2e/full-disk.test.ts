/** A disk that is full, really: the data folder is a small disk of its own. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mention, type Said } from "../fakes/slack/people.ts";
import { openFakeSlack } from "../fakes/slack/slack.ts";
import { diskMaker, diskSharer, startParley, type Parley } from "./parley.ts";

const [unshare, ...flags] = diskMaker;
// Some machines let nobody make a mount; where CI is set, that is a failure.
const withoutDisks = spawnSync(unshare, [...flags, "true"]).status !== 0 && !process.env["CI"];

const send = async (parley: Parley, id: string, text: string): Promise<{ status: number; error: string }> => {
  const response = await fetch(`${parley.url}/console/api/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id, channel: "general", thread: null, text, files: [] }),
  });
  const body = (await response.json()) as { error?: string };
  return { status: response.status, error: body.error ?? "" };
};

const texts = async (parley: Parley): Promise<string[]> => {
  const response = await fetch(`${parley.url}/console/api/channels/general/messages`);
  const { messages } = (await response.json()) as { messages: Array<{ text: string }> };
  return messages.map(({ text }) => text);
};

const readiness = async (parley: Parley): Promise<{ status: number; store: string }> => {
  const response = await fetch(`${parley.url}/readyz`);
  const { checks } = (await response.json()) as { checks: Record<string, string> };
  return { status: response.status, store: checks["store"] ?? "" };
};
const sick = { status: 503, store: expect.stringMatching(/^the store .*full/) as unknown };
const well = { status: 200, store: "ready" };
const becomesReady = async (parley: Parley): Promise<void> => {
  await expect.poll(() => readiness(parley)).toEqual(well);
};

/** The disk as that process sees it. */
const seen = (parley: Parley, name: string): string => join(`/proc/${parley.pid()}/root`, parley.dataDir, name);
/** Takes `bytes` of it. */
const fill = (parley: Parley, bytes: number): void => writeFileSync(seen(parley, "filler"), Buffer.alloc(bytes));
const emptied = (parley: Parley): void => rmSync(seen(parley, "filler"));
/** What SQLite itself says of every page of the store, and the keys of the messages in it; asked beside that process, on its disk. */
function storeOf(parley: Parley): { check: unknown; keys: string[] } {
  const script = `
    const db = new (require("node:sqlite").DatabaseSync)(process.argv[1], { timeout: 5_000 });
    const check = db.prepare("pragma integrity_check").all();
    const keys = db.prepare("select key from turns where kind = 'message'").all().map(({ key }) => key);
    console.log(JSON.stringify({ check, keys }));`;
  const [program, ...beside] = diskSharer(parley.pid());
  const args = [...beside, process.execPath, "-e", script, join(parley.dataDir, "parley.sqlite")];
  const asked = spawnSync(program, args, { encoding: "utf8" });
  if (asked.status !== 0) throw new Error(asked.stderr);
  return JSON.parse(asked.stdout) as { check: unknown; keys: string[] };
}
const sound = [{ integrity_check: "ok" }];

describe.skipIf(withoutDisks)("a full disk", () => {
  test("refuses a message visibly, is not ready, loses nothing, and takes the same message once there is room", async ({
    onTestFinished,
  }) => {
    const parley = await startParley({}, { disk: "4m" });
    onTestFinished(() => parley.close());
    expect(await send(parley, randomUUID(), "before")).toMatchObject({ status: 200 });
    expect(await readiness(parley)).toEqual(well);

    expect(() => fill(parley, 8 * 1024 * 1024)).toThrow(/ENOSPC/);
    const id = randomUUID();
    const words = "too much ".repeat(10_000);
    const refused = await send(parley, id, words);
    expect(refused).toMatchObject({ status: 503, error: expect.stringMatching(/disk is full.*text is still here/) as unknown });
    expect(await texts(parley)).toEqual(["before"]);
    expect(await readiness(parley)).toEqual(sick);
    expect((await fetch(`${parley.url}/healthz`)).status).toBe(200);

    emptied(parley);
    await becomesReady(parley);
    expect(await send(parley, id, words)).toMatchObject({ status: 200 });
    expect(await send(parley, id, words)).toMatchObject({ status: 200 });
    expect(await texts(parley)).toEqual(["before", words]);
    expect(storeOf(parley).check).toEqual(sound);
  });

  test("with 1 MB left fills up under Slack's events: what it has no room for is not acknowledged, and comes again", async ({
    onTestFinished,
  }) => {
    const slack = await openFakeSlack({ transport: "http" });
    onTestFinished(() => slack.close());
    const { bot, signing } = slack.tokens;
    const env = { SLACK_BOT_TOKEN: bot, SLACK_API_URL: slack.apiUrl, SLACK_SIGNING_SECRET: signing };
    const parley = await startParley(env, { disk: "6m" });
    onTestFinished(() => parley.close());
    slack.requestUrl = `${parley.url}/slack/events`;
    await becomesReady(parley);

    const { bavail, bsize } = statfsSync(seen(parley, "."));
    fill(parley, bavail * bsize - 1024 * 1024);
    const all: Said[] = [];
    const say = async (): Promise<boolean> => {
      const said = await slack.person("U0ANN").says("C0GENERAL", `${mention} ${"too much ".repeat(3_000)}`);
      all.push(said);
      return said.acknowledged;
    };
    for (let more = true; more;) more = await say();
    expect(all.length).toBeGreaterThan(1);
    expect(await readiness(parley)).toEqual(sick);
    const kept = storeOf(parley);
    expect(kept.check).toEqual(sound);
    for (const { ts } of all.filter(({ acknowledged }) => acknowledged))
      expect(kept.keys.filter((key) => key.includes(ts))).toHaveLength(1);

    emptied(parley);
    await becomesReady(parley);
    const again = await Promise.all(all.map((said) => said.again()));
    expect(again.every(({ acknowledged }) => acknowledged)).toBe(true);
    const after = storeOf(parley);
    expect(after.check).toEqual(sound);
    for (const { ts } of all) expect(after.keys.filter((key) => key.includes(ts))).toHaveLength(1);
    expect(after.keys).toHaveLength(all.length);
  });
});
