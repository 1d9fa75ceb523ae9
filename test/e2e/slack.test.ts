/** Parley as `npm start` runs it, with Slack: configured by its variables, answering, killed, and gone on with. */
import { afterEach, describe, expect, test } from "vitest";
import { mention } from "../fakes/slack/people.ts";
import { openFakeSlack, type FakeSlack } from "../fakes/slack/slack.ts";
import { until } from "../slack/adapter.ts";
import { shownOf, transports, type Transport } from "../slack/world.ts";
import { startParley, type Parley } from "./parley.ts";

describe("npm start with Slack", () => {
  let slack: FakeSlack;
  let parley: Parley;
  afterEach(async () => {
    await parley?.close();
    await slack?.close();
  });
  const start = async (transport: Transport): Promise<void> => {
    slack = await openFakeSlack({ transport });
    const { bot, app, signing } = slack.tokens;
    parley = await startParley({
      SLACK_BOT_TOKEN: bot,
      SLACK_API_URL: slack.apiUrl,
      ...(transport === "socket" ? { SLACK_APP_TOKEN: app } : { SLACK_SIGNING_SECRET: signing, HOST: "0.0.0.0" }),
    });
    // By HTTP on every address, where Slack's requests and health are all that is served.
    slack.requestUrl = `${parley.url.replace("0.0.0.0", "127.0.0.1")}/slack/events`;
  };
  const shown = (thread: string): string[] => slack.answers("C0GENERAL", thread).map((message) => shownOf(message));

  test.each(transports)("is ready, and answers from the embedded workspace in the thread, by %s", async (transport) => {
    await start(transport);
    const readiness = async () =>
      ((await (await fetch(`${parley.url}/readyz`)).json()) as { checks: Record<string, string> }).checks["slack"];
    await expect.poll(readiness).toBe("ready");
    const { ts } = await slack.person("U0ANN").says("C0GENERAL", `${mention} what can you do?`);
    await until(() => shown(ts).some((text) => text.includes("OPENAI_API_KEY")));
    expect(shown(ts)).toHaveLength(1);
    expect(parley.log()).not.toContain(slack.tokens.bot);
  });

  test("posts a piece of music once, although it is killed while that is made", async () => {
    await start("socket");
    await slack.person("U0ANN").slash("C0GENERAL", "music a calm evening seconds:3 instrumental:yes");
    const parent = await until(() => slack.answers("C0GENERAL").find((message) => shownOf(message).includes("a calm evening")));
    await parley.kill();
    await parley.restart();
    const attached = () => slack.answers("C0GENERAL").filter(({ files }) => files.length > 0);
    await until(() => attached().length > 0 && shownOf(parent).includes("3 s · instrumental"));
    expect(attached().map(({ thread_ts: thread }) => thread)).toEqual([parent.ts]);
    expect(slack.answers("C0GENERAL")).toHaveLength(2);
  });

  test("goes on in the same message after a kill in the middle of an answer", async () => {
    await start("socket");
    const { ts } = await slack.person("U0ANN").says("C0GENERAL", `${mention} write 60 words`);
    await until(() => shown(ts).some((text) => text.includes("offline model") && text.includes("Stop")));
    const [before] = slack.answers("C0GENERAL", ts);
    await parley.kill();
    await parley.restart();
    const whole = await until(() => shown(ts).find((text) => !text.includes("Stop") && text.split(/\s+/).length > 60));
    expect(whole).not.toMatch(/failed|interrupted|went wrong/i);
    expect(slack.answers("C0GENERAL", ts).map((message) => message.ts)).toEqual([before?.ts]);
  });
});
