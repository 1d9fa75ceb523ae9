/** 2,000 signed events in 10 seconds: how long each waits for its acknowledgement, and whether any is lost or doubled. */
import { burst } from "../test/slack/burst.ts";
import { openWorld } from "../test/slack/world.ts";

const events = 2_000;
const perSecond = 200;

// As Slack: what is not acknowledged within 3 s is not.
const world = await openWorld("http", { slack: { ackMs: 3_000 } });
const { waits, unacknowledged, keys } = await burst(world, events, perSecond);
const stored = await world.stored();
await world.close();

const at = (share: number): number => Math.round(waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0);
const lost = keys.filter((key) => !stored.includes(key)).length;
const doubled = stored.length - new Set(stored).size;
const figures = { events, perSecond, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), unacknowledged, lost, doubled };
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
const met = figures.p99Ms < 500 && figures.maxMs < 3_000 && unacknowledged === 0 && lost === 0 && doubled === 0;
if (!met) process.stderr.write("a bar is missed: p99 under 500 ms, all under 3 s, none unacknowledged, lost or doubled\n");
process.exit(met ? 0 : 1);
