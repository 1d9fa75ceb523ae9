/** What is counted while people ask, fail, press and are refused has numbers and Parley's own words in it, and nothing of theirs. */
import { afterEach, expect, it } from "vitest";
import { openWorld as openConsole } from "../console/world.ts";
import { openWorld as openDiscord } from "../discord/world.ts";
import { mention } from "../fakes/slack/people.ts";
import type { FakeWorkspace } from "../fakes/workspace.ts";
import { WorkspaceFault } from "../../src/errors.ts";
import { createMetrics } from "../../src/metrics.ts";
import { openWorld as openSlack, shownOf } from "../slack/world.ts";
import { wordsOf } from "../console/world.ts";
import { keys } from "./wire.ts";

let close: () => Promise<void> = () => Promise.resolve();
afterEach(() => close());

const metrics = () => createMetrics(() => Promise.resolve({ waiting: 1, running: 1, oldestWaitingMs: 1 }));
const failsOnce = (workspace: FakeWorkspace): void =>
  workspace.fail("start", {
    when: "before",
    fault: new WorkspaceFault("rejected", "canary-reason", { status: 400, correlationId: "canary-ref" }),
  });

/** Every value of a label, beside Parley's own words. */
const known: Readonly<Record<string, RegExp>> = {
  platform: /^(slack|discord|console)$/,
  kind: /^(message|command|action|rejected)$/,
  outcome: /^(answered|done|failed|refused)$/,
};
const clean = { counts: true, secrets: [], strange: [] };
async function lookInto(of: ReturnType<typeof metrics>, secrets: readonly string[]): Promise<typeof clean | object> {
  const text = await of.text();
  const counted = (outcome: string): boolean =>
    new RegExp(`^parley_turns_closed_total\\{[^}]*outcome="${outcome}"[^}]*\\} [1-9]`, "m").test(text);
  const labels = [...text.matchAll(/^parley_\w+\{([^}]*)\}/gm)].flatMap(([, all = ""]) => [...all.matchAll(/(\w+)="([^"]*)"/g)]);
  return {
    counts: counted("failed") && counted("answered"),
    secrets: ["canary", ...Object.values(keys), ...secrets].filter((secret) => text.includes(secret)),
    strange: labels.filter(([, name = "", value = ""]) => !(known[name] ?? /^[\d.+Inf]+$/).test(value)).map(([all]) => all),
  };
}

it("in Slack", async () => {
  const counted = metrics();
  const world = await openSlack("http", { metrics: counted });
  close = () => world.close();
  const { slack, until, answers, answered, people, workspace } = world;
  await people.links.put({ platform: "slack", tenant: "T0ACME", person: "U0ANN" }, keys.own, 1);
  const ann = slack.person("U0ANN");
  failsOnce(workspace);
  const first = await ann.says("C0GENERAL", `${mention} canary-question`);
  const failed = await until(() => slack.answers("C0GENERAL", first.ts).find((one) => shownOf(one).includes("did not accept")));
  const second = await ann.says("C0GENERAL", `${mention} canary-second`);
  await answers("canary-answer");
  await answered("C0GENERAL", second.ts, "canary-answer");
  await ann.slash("C0GENERAL", "agents");
  await slack.person("U0OTHER").says("C0GENERAL", `${mention} canary-stranger`);
  for (const person of ["U0ANN", "U0OTHER"]) await until(() => slack.state.ephemerals.find(({ user }) => user === person));
  await ann.clicks("C0GENERAL", failed.ts, "parley_retry");
  await answers("canary-again");
  await answered("C0GENERAL", first.ts, "canary-again");
  expect(await lookInto(counted, ["U0ANN", "U0OTHER", "T0ACME", "C0GENERAL", "general", "Ann", first.ts])).toEqual(clean);
});

it("on Discord", async () => {
  const counted = metrics();
  const world = await openDiscord({ metrics: counted });
  close = () => world.close();
  const { fake, guild, general, ann, answers, shows, until, people, workspace } = world;
  await people.links.put({ platform: "discord", tenant: "@me", person: ann.user.id }, keys.own, 1);
  failsOnce(workspace);
  const first = ann.says(general, `${fake.mention} canary-question`);
  await shows(first.id, "did not accept");
  const second = ann.says(general, `${fake.mention} canary-second`);
  await answers("canary-answer");
  await shows(second.id, "canary-answer");
  ann.runs(general, "agents");
  await until(() => fake.whispers(ann).length > 0);
  expect(await lookInto(counted, [ann.user.id, guild.id, general.id, first.id, second.id, "general", "Ann"])).toEqual(clean);
});

it("on the console", async () => {
  const counted = metrics();
  const world = await openConsole({ metrics: counted });
  close = () => world.close();
  const { answers, soon, workspace } = world;
  const shows = (thread: string, words: string) =>
    soon(async () => (await world.shown({ thread })).find((one) => wordsOf(one).includes(words)));
  failsOnce(workspace);
  const first = await world.says("@parley canary-question");
  await shows(first, "did not accept");
  const second = await world.says("@parley canary-second");
  await answers("canary-answer");
  await shows(second, "canary-answer");
  await world.says("/agents");
  await soon(async () => (await world.whispers())[0]);
  expect(await lookInto(counted, [first, second, "general", "local"])).toEqual(clean);
});
