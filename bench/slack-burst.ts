/** Signed events in a burst, and beside a thousand connections that trickle: how long each waits for its acknowledgement, and whether any is lost or doubled. */
import { burst } from "../test/slack/burst.ts";
import { trickle } from "../test/slack/trickle.ts";
import { openWorld } from "../test/slack/world.ts";

interface Scene {
  readonly events: number;
  readonly perSecond: number;
  /** Connections whose requests never end. */
  readonly trickling: number;
}
const scenes: readonly Scene[] = [
  { events: 2_000, perSecond: 200, trickling: 0 },
  { events: 400, perSecond: 40, trickling: 1_000 },
];

async function run({ events, perSecond, trickling }: Scene) {
  // As Slack: what is not acknowledged within 3 s is not.
  const world = await openWorld("http", { slack: { ackMs: 3_000 } });
  const slow = trickle(Number(new URL(world.slack.requestUrl).port), trickling);
  while (slow.open < trickling) await new Promise((resolve) => setTimeout(resolve, 10));
  const { waits, unacknowledged, keys } = await burst(world, events, perSecond);
  slow.end();
  const stored = await world.stored();
  await world.close();
  const at = (share: number): number => Math.round(waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0);
  const lost = keys.filter((key) => !stored.includes(key)).length;
  const doubled = stored.length - new Set(stored).size;
  return { events, perSecond, trickling, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), unacknowledged, lost, doubled };
}

let met = true;
for (const scene of scenes) {
  const figures = await run(scene);
  const { p99Ms, maxMs, unacknowledged, lost, doubled } = figures;
  met &&= p99Ms < 500 && maxMs < 3_000 && unacknowledged === 0 && lost === 0 && doubled === 0;
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
}
if (!met) process.stderr.write("a bar is missed: p99 under 500 ms, all under 3 s, none unacknowledged, lost or doubled\n");
process.exit(met ? 0 : 1);
