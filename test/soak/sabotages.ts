/** Safeguards taken out, for the suite's check of itself. */
import { join } from "node:path";
import type { Patch } from "./patches.ts";

/** A mention in Slack comes as two events; a socket that breaks brings an event again. */
export const noDeduplication: readonly Patch[] = [
  {
    file: "src/core/receiving.ts",
    find: "const stored = await store.put(inbound, lane, clock.now());",
    replace:
      "inbound = { ...inbound, key: `${inbound.key}:${Math.random()}` };\n    const stored = await store.put(inbound, lane, clock.now());",
  },
];

/** Slack's client then repeats a post whose answer was lost. */
export const slackRetries: readonly Patch[] = [
  {
    file: "adapters/slack/outbound/web.ts",
    find: "retryConfig: { retries: 0 }",
    replace: "retryConfig: { retries: 3, minTimeout: 50, maxTimeout: 100 }",
  },
];

/** So does discord.js. */
export const discordRetries: readonly Patch[] = [
  { file: "adapters/discord/outbound/rest.ts", find: "retries: 0,", replace: "retries: 3," },
];

/** Discord does not know a message again that it is sent twice. */
export const noNonce: readonly Patch[] = [
  {
    file: "adapters/discord/outbound/create.ts",
    find: "{ ...body, nonce: nonceOf(key, attempt), enforce_nonce: true }",
    replace: "{ ...body }",
  },
];

/** What an owner writes into the store is taken after another has its turn, too. */
export const noStoreFence: readonly Patch[] = [
  {
    file: "src/store/turns.ts",
    find: '      .where("fence", "=", turn.fence)\n      .where("owner", "is not", null)\n      .where("closed_at", "is", null);',
    replace: ";",
  },
];

/** An owner writes to the platform after its lease has ended, too. */
export const noPermit: readonly Patch[] = [
  {
    file: "src/core/turns/lease.ts",
    find: 'if (left <= 0) throw new LeaseLost("too little of the lease is left for a write");',
    replace: "",
  },
  {
    file: "src/core/turns/lease.ts",
    find: "AbortSignal.timeout(Math.min(left, leaseTimes.write))",
    replace: "AbortSignal.timeout(leaseTimes.write)",
  },
];

/** An owner asks, runs and begins what it had noted without a look at its lease. */
export const noPermitToCall: readonly Patch[] = [
  { file: "src/core/turns/permitted.ts", find: "() => void lease.permit()", replace: "() => {}" },
];

/** What is kept beside a turn is written by an owner that has it no longer, too. */
export const noPermitToKeep: readonly Patch[] = [
  { file: "src/core/turns/permitted.ts", find: "            lease.permit();\n", replace: "" },
];

/** What a turn has spent is counted by an owner that has it no longer, too. */
export const noPermitToCount: readonly Patch[] = [
  { file: "src/core/turns/execute.ts", find: "      lease.permit();\n", replace: "      lease.over.throwIfAborted();\n" },
];

/** Longer than a lease, what a successor waits beyond it, and what it looks for before it sends, in ms. */
const pauseMs = 60_000;

/**
 * No safeguard, but the harm itself: of all processes that are started with these, the first that is about to send a question
 * stands still right there, and goes on by itself when another has its turn.
 * @param folder empty, and there for them alone
 */
export function pausedBeforeSending(folder: string): readonly Patch[] {
  const once = JSON.stringify(join(folder, "paused"));
  return [
    {
      file: "src/core/turns/send.ts",
      find: "  const until = clock.now() + reachMs;",
      replace:
        `  try { process.getBuiltinModule("node:fs").mkdirSync(${once}); ` +
        `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${pauseMs}); } catch {}\n` +
        "  const until = clock.now() + reachMs;",
    },
  ];
}

export const sabotages = {
  noDeduplication,
  slackRetries,
  discordRetries,
  noNonce,
  noStoreFence,
  noPermit,
  noPermitToCall,
  noPermitToKeep,
  noPermitToCount,
} as const;
