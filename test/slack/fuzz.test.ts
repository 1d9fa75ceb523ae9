/** Whatever Slack's signed requests hold, Parley answers them, posts nothing astray, and goes on. `PROPERTY_RUNS` says how many are tried. */
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { fuzzCases, mutate } from "../fakes/mutations.ts";
import { signatureOf } from "../fakes/slack/delivery.ts";
import { mention } from "../fakes/slack/people.ts";
import { createRandom } from "../soak/random.ts";
import { openWorld, type World } from "./world.ts";

const seed = 20_261;
let world: World;
afterEach(() => world.close());

interface Recorded {
  readonly type: string;
  readonly payload: unknown;
}

/** What Slack sends when people do what they do, taken down on its way. */
async function record({ slack }: World): Promise<readonly Recorded[]> {
  const recorded: Recorded[] = [];
  const taker = createServer((request, response) => {
    const take = async (): Promise<void> => {
      const type = request.headers["content-type"] ?? "";
      const body = await text(request);
      const form = new URLSearchParams(body);
      recorded.push({ type, payload: type === "application/json" ? JSON.parse(body) : Object.fromEntries(form) });
      response.end();
    };
    take().catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(taker, "listening");
  const parley = slack.requestUrl;
  slack.requestUrl = `http://127.0.0.1:${(taker.address() as AddressInfo).port}/`;
  const ann = slack.person("U0ANN");
  const { ts } = await ann.says("C0GENERAL", `${mention} *hello* <https://example.org|there> :wave:`);
  await ann.says("D0ANN", "a file", { files: [{ name: "a.txt", bytes: Buffer.from("a") }] });
  await ann.edits("C0GENERAL", ts, `${mention} hello again`);
  await ann.slash("C0GENERAL", "help");
  await ann.shortcut("parley_summarise", { channel: "C0GENERAL", ts });
  await ann.opensHome();
  await ann.deletes("C0GENERAL", ts);
  slack.requestUrl = parley;
  taker.close();
  await once(taker, "close");
  return recorded;
}

it("falls over nothing, and posts only where it was spoken to", { timeout: 300_000 + fuzzCases * 20 }, async () => {
  world = await openWorld("http");
  const { slack, workspace } = world;
  // As in a conversation of a team: turns end without an answer, so that none pile up.
  workspace.answers = false;
  const recorded = await record(world);
  expect(recorded.length).toBeGreaterThan(7);
  const random = createRandom(seed);
  const statuses = new Map<number, number>();
  for (let index = 0; index < fuzzCases; index++) {
    const { type, payload } = random.pick(recorded as [Recorded, ...Recorded[]]);
    const body = bodyOf(type, payload, () => random.next());
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const { status } = await fetch(slack.requestUrl, {
      method: "POST",
      body,
      headers: {
        "content-type": type,
        "x-slack-request-timestamp": timestamp,
        "x-slack-signature": signatureOf(body, timestamp),
      },
      signal: AbortSignal.timeout(60_000),
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses.keys()].filter((status) => ![200, 400, 413].includes(status))).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(0);
  const spokenIn = ["C0GENERAL", "D0ANN"];
  expect(slack.state.messages.filter(({ bot, channel }) => bot && !spokenIn.includes(channel))).toEqual([]);
  workspace.answers = true;
  const { ts } = await slack.person("U0ANN").says("C0GENERAL", `${mention} still there?`);
  await world.until(
    () => workspace.held.size > 0 && [...workspace.held.values()].some((list) => list.some(({ isUser }) => !isUser)),
  );
  await world.answers("Yes, still here.");
  await world.answered("C0GENERAL", ts, "Yes, still here.");
});

/** One field changed: of the JSON, of the form, or of the JSON within the form. */
function bodyOf(type: string, payload: unknown, next: () => number): string {
  if (type === "application/json") return JSON.stringify(mutate(payload, next));
  const fields = payload as Record<string, string>;
  const inner = fields["payload"];
  if (inner !== undefined && next() < 0.8)
    return new URLSearchParams({ payload: JSON.stringify(mutate(JSON.parse(inner), next)) }).toString();
  const changed = mutate(fields, next);
  const entries = typeof changed === "object" && changed !== null ? Object.entries(changed) : [];
  return new URLSearchParams(Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))).toString();
}
