/** Senders that mean harm: forged signatures in numbers, and connections that are held open for nothing. */
import { afterEach, expect, it } from "vitest";
import { signatureOf } from "../fakes/slack/delivery.ts";
import { mention } from "../fakes/slack/people.ts";
import { createRandom } from "../soak/random.ts";
import { isSigned } from "../../adapters/slack/transport/signature.ts";
import { trickle } from "./trickle.ts";
import { openWorld, type World } from "./world.ts";

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const secret = "fake-signing-secret";
const flipped = (text: string, at: number): string =>
  text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);

it("takes none of 10,000 requests of which a bit was changed after they were signed", () => {
  const random = createRandom(1);
  const now = 1_700_000_000_000;
  let accepted = 0;
  let unchanged = 0;
  for (let index = 0; index < 10_000; index++) {
    const body = JSON.stringify({ type: "event_callback", event: { type: "app_mention", ts: String(random.next()) } });
    const timestamp = String(now / 1_000);
    const signature = signatureOf(body, timestamp, secret);
    const forged = [
      [flipped(body, random.below(body.length)), timestamp, signature],
      [body, flipped(timestamp, random.below(timestamp.length)), signature],
      [body, timestamp, flipped(signature, random.below(signature.length))],
      [body, timestamp, signature.slice(0, random.below(signature.length))],
      [body, timestamp, signatureOf(body, timestamp, `${secret}x`)],
      [body, timestamp, `${signature}, ${signature}`],
    ] as const;
    const [sent, at, signed] = forged[index % forged.length]!;
    const headers = new Headers({ "x-slack-request-timestamp": at, "x-slack-signature": signed });
    if (isSigned(headers, sent, secret, now)) accepted++;
    // What was not changed is taken: the figure would otherwise prove nothing.
    const own = new Headers({ "x-slack-request-timestamp": timestamp, "x-slack-signature": signature });
    if (isSigned(own, body, secret, now)) unchanged++;
  }
  expect({ accepted, unchanged }).toEqual({ accepted: 0, unchanged: 10_000 });
});

it("acknowledges people's events while a thousand connections trickle", async () => {
  world = await openWorld("http");
  const { slack } = world;
  const trickling = trickle(Number(new URL(slack.requestUrl).port), 1_000);
  try {
    await expect.poll(() => trickling.open).toBe(1_000);
    const acknowledged: boolean[] = [];
    for (let index = 0; index < 20; index++) {
      const said = await slack.person("U0ANN").says("C0GENERAL", `${mention} question ${index}`);
      // Each is sent once.
      acknowledged.push(said.acknowledged);
    }
    expect(acknowledged).toEqual(acknowledged.map(() => true));
  } finally {
    trickling.end();
  }
});
