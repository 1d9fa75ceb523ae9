/** PostgreSQL that stands still, is dead or may only be read: nothing is acknowledged meanwhile, and everything is answered once afterwards. */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { mention, type Said } from "../fakes/slack/people.ts";
import { openFakeSlack } from "../fakes/slack/slack.ts";
import { shownOf } from "../slack/world.ts";
import { clusterPrograms, openCluster, type Cluster } from "../soak/cluster.ts";
import { startParley } from "./parley.ts";

interface Way {
  readonly away: (cluster: Cluster) => Promise<void>;
  readonly back: (cluster: Cluster) => Promise<void> | void;
}
const ways: Readonly<Record<string, Way>> = {
  "every process of it stands still": { away: (cluster) => cluster.freeze(), back: (cluster) => cluster.thaw() },
  "every process of it is killed": { away: (cluster) => cluster.die(), back: (cluster) => cluster.start() },
  "it may only be read": { away: (cluster) => cluster.readOnly(true), back: (cluster) => cluster.readOnly(false) },
};
const ofTheStore = /^parley_(turns_waiting|turns_running|oldest_waiting_seconds) /m;

test.skipIf(clusterPrograms() === undefined && process.env["CI"] === undefined)(
  "while PostgreSQL is away nothing is acknowledged, health and metrics say so, and it all comes again",
  async ({ onTestFinished }) => {
    const cluster = await openCluster();
    onTestFinished(() => cluster.close());
    const slack = await openFakeSlack({ transport: "http" });
    onTestFinished(() => slack.close());
    const ownerKey = `PARLEY-API-${randomBytes(32).toString("hex")}`;
    const workspace = await startParley({ WORKSPACE_API_KEY: ownerKey }, { command: "workspace" });
    onTestFinished(() => workspace.close());
    const parley = await startParley({
      DATABASE_URL: cluster.url,
      WORKSPACE_BASE_URL: workspace.url,
      WORKSPACE_API_KEY: ownerKey,
      PARLEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      SLACK_BOT_TOKEN: slack.tokens.bot,
      SLACK_API_URL: slack.apiUrl,
      SLACK_SIGNING_SECRET: slack.tokens.signing,
    });
    onTestFinished(() => parley.close());
    const origin = new URL(parley.url).origin;
    slack.requestUrl = `${origin}/slack/events`;
    const look = async (path: string): Promise<{ status: number; text: string }> => {
      const response = await fetch(`${origin}${path}`);
      return { status: response.status, text: await response.text() };
    };
    const say = (words: string): Promise<Said> => slack.person("U0ANN").says("C0GENERAL", `${mention} ${words}`);
    const whole = (thread: string): number =>
      slack
        .answers("C0GENERAL", thread)
        .filter((message) => !shownOf(message).includes("Stop") && / \d+(\.\d+)? s /.test(shownOf(message))).length;
    const ready = async (): Promise<number> => (await look("/readyz")).status;
    await expect.poll(ready).toBe(200);

    const all: Said[] = [];
    for (const [how, { away, back }] of Object.entries(ways)) {
      await away(cluster);
      const said = await say(`hello while ${how}`);
      all.push(said);
      expect({ how, acknowledged: said.acknowledged }).toEqual({ how, acknowledged: false });
      await expect.poll(ready).toBe(503);
      expect((await look("/readyz")).text).toMatch(/"store":"the store (takes nothing in|has refused a write): /);
      expect((await look("/healthz")).status).toBe(200);
      const metrics = await look("/metrics");
      const readable = how === "it may only be read";
      expect({ how, status: metrics.status, told: ofTheStore.test(metrics.text) }).toEqual({ how, status: 200, told: readable });
      expect(metrics.text).toMatch(new RegExp(`^parley_store_answers ${readable ? 1 : 0}$`, "m"));
      await back(cluster);
      await expect.poll(ready).toBe(200);
      expect((await said.again()).acknowledged).toBe(true);
      await expect.poll(() => whole(said.ts)).toBe(1);
    }
    for (const { ts } of all) expect(slack.answers("C0GENERAL", ts)).toHaveLength(1);
  },
);
