/** The suite's check of itself: with a safeguard taken out, a soak must fail, and for the right reason. */
import type { Patch } from "./patches.ts";
import { soak, type SoakOptions } from "./run.ts";
import { tableOf } from "./table.ts";
import type { Verdict } from "./oracle.ts";

interface Sabotage {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** What must be found. */
  readonly shows: (verdict: Verdict) => boolean;
  readonly options: Partial<SoakOptions>;
}

/** Longer than a lease: another replica takes the turns of the frozen one, which then wakes. */
const frozen: Partial<SoakOptions> = { store: "postgres", replicas: 2, freezes: 3, kills: 0, minutes: 1 };
const sound = ({ lost, duplicate, surplus, outOfOrder, orphaned, askedTwice }: Verdict): boolean =>
  lost.length + duplicate.length + surplus + outOfOrder.length + orphaned.length + askedTwice.length === 0;

const sabotages: readonly Sabotage[] = [
  { name: "nothing taken out", patches: [], shows: sound, options: {} },
  { name: "nothing taken out, and replicas frozen", patches: [], shows: sound, options: frozen },
  {
    name: "deduplication off",
    patches: [
      {
        file: "src/core/engine.ts",
        find: "const stored = await store.put(inbound, lane, clock.now());",
        replace:
          "inbound = { ...inbound, key: `${inbound.key}:${Math.random()}` };\n    const stored = await store.put(inbound, lane, clock.now());",
      },
    ],
    // A mention in Slack comes as two events.
    shows: ({ duplicate, surplus }) => duplicate.length > 0 && surplus > 0,
    options: {},
  },
  {
    name: "the SDKs' own retries on",
    patches: [
      {
        file: "adapters/slack/outbound/web.ts",
        find: "retryConfig: { retries: 0 }",
        replace: "retryConfig: { retries: 3, minTimeout: 50, maxTimeout: 100 }",
      },
    ],
    shows: ({ duplicate, surplus }) => duplicate.length > 0 || surplus > 0,
    options: { faults: 0.4 },
  },
  {
    name: "fences off",
    patches: [
      {
        file: "src/store/turns.ts",
        find: '      .where("fence", "=", turn.fence)\n      .where("owner", "is not", null)\n',
        replace: "",
      },
      {
        file: "src/core/turns/run.ts",
        find: 'if (left <= 0) throw new Fault("lease_lost", "too little of the lease is left for a write");',
        replace: "",
      },
      {
        file: "src/core/turns/run.ts",
        find: "AbortSignal.timeout(Math.min(left, leaseTimes.write))",
        replace: "AbortSignal.timeout(leaseTimes.write)",
      },
    ],
    shows: ({ duplicate, surplus, askedTwice, orphaned }) => duplicate.length + surplus + askedTwice.length + orphaned.length > 0,
    options: frozen,
  },
];

/** Says for each sabotage whether the suite found it out. @returns whether all were */
export async function checkItself(seed: number, say: (line: string) => void): Promise<boolean> {
  let all = true;
  for (const { name, patches, shows, options } of sabotages) {
    const result = await soak({
      threads: 12,
      turns: 5,
      store: "sqlite",
      replicas: 1,
      faults: 0.1,
      kills: 1,
      freezes: 0,
      databaseRestarts: 0,
      minutes: 0.4,
      seed,
      ...options,
      patches,
    });
    const found = shows(result.verdict);
    all &&= found;
    say(`\n== ${name}: ${found ? "as expected" : "NOT FOUND OUT"}\n\n${tableOf(result)}`);
  }
  return all;
}
