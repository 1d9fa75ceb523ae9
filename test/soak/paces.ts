/** The platforms' rates made faster for the soak, at the fakes and at Parley alike: at the documented ones it would take a day. */
import type { Patch } from "./patches.ts";

/** So many times as fast as documented. */
export const platformSpeed = 20;

/**
 * Slack sends an event that is not acknowledged within 3 s again at once, a minute later and five minutes later, and then no more.
 * The two longer waits are as much shorter as the rates are faster; the 3 s stay, as the time to acknowledge in is Parley's own.
 * What none of the four tries brings in has to be made up for from the history.
 */
export const slackTries = { ackMs: 3_000, tries: 4, tryWaits: [0, 60_000 / platformSpeed, 300_000 / platformSpeed] } as const;

const limits = "adapters/slack/outbound/limits.ts";
/** Discord tells its rates; Slack's stand in Parley's source. */
export const fasterSlack: readonly Patch[] = [
  { file: limits, find: "const minute = 60_500;", replace: `const minute = ${60_500 / platformSpeed};` },
  {
    file: limits,
    find: "const postsInChannel = { count: 1, windowMs: 1_000, burst: 1 };",
    replace: `const postsInChannel = { count: 1, windowMs: ${1_000 / platformSpeed}, burst: 1 };`,
  },
  {
    file: limits,
    find: "key: `${key}:second`, count: 1, windowMs: 1_000, burst: 1",
    replace: `key: \`\${key}:second\`, count: 1, windowMs: ${1_000 / platformSpeed}, burst: 1`,
  },
  {
    file: "adapters/slack/inbound/missed.ts",
    find: "const betweenMs = 1_500;",
    replace: `const betweenMs = ${1_500 / platformSpeed};`,
  },
];
