/** `npm run soak`: the long run, and the suite's check of itself. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { reasonOf } from "../../src/errors.ts";
import { clusterPrograms } from "./cluster.ts";
import { soak } from "./run.ts";
import { checkItself } from "./self-check.ts";
import { passes, tableOf } from "./table.ts";

const usage = `npm run soak -- [OPTION VALUE]…
  --threads 200, --turns 50       threads, and questions in each
  --minutes 20, --steady 5        with harm, and then without kills
  --kills 100, --freezes 5        of replicas
  --database-restarts 20, --database-cuts 10, --database-freezes 10
  --faults 0.1                    share of the requests that are spoiled
  --store postgres                or sqlite, with one replica
  --replicas 2                    processes at once
  --seed NUMBER                   of a run that is to be repeated
  --self-check                    takes out one safeguard after the other, each of which has to be missed`;

function fail(reason: string): never {
  console.error(`${reason}\n\n${usage}`);
  process.exit(2);
}

function read() {
  try {
    return parseArgs({
      options: {
        threads: { type: "string", default: "200" },
        turns: { type: "string", default: "50" },
        store: { type: "string", default: "postgres" },
        replicas: { type: "string" },
        faults: { type: "string", default: "0.1" },
        kills: { type: "string", default: "100" },
        freezes: { type: "string", default: "5" },
        "database-restarts": { type: "string", default: "20" },
        "database-cuts": { type: "string", default: "10" },
        "database-freezes": { type: "string", default: "10" },
        minutes: { type: "string", default: "20" },
        steady: { type: "string", default: "5" },
        "self-check": { type: "boolean", default: false },
        help: { type: "boolean", default: false },
        seed: { type: "string", default: String(Math.floor(Math.random() * 4_294_967_296)) },
      },
    }).values;
  } catch (thrown) {
    return fail(reasonOf(thrown));
  }
}
const values = read();
if (values.help) {
  console.log(usage);
  process.exit();
}

const numberOf = (name: Exclude<keyof typeof values, "store" | "self-check" | "help">, fallback?: number): number => {
  const given = values[name];
  const number = given === undefined ? fallback : Number(given);
  return number !== undefined && Number.isFinite(number) && number >= 0
    ? number
    : fail(`--${name}: expected a number, got ${given}`);
};

const { store } = values;
if (store !== "sqlite" && store !== "postgres") fail(`--store: expected sqlite or postgres, got ${store}`);
if (store === "postgres" && clusterPrograms() === undefined)
  fail("expected PostgreSQL's programs in /usr/lib/postgresql/*/bin or in PG_BIN; --store sqlite runs without, on one replica");
const seed = numberOf("seed");
console.log(`seed ${seed}`);
if (values["self-check"]) process.exit((await checkItself(seed, (line) => console.log(line))) ? 0 : 1);
const result = await soak({
  threads: numberOf("threads"),
  turns: numberOf("turns"),
  store,
  replicas: numberOf("replicas", store === "postgres" ? 2 : 1),
  faults: numberOf("faults"),
  kills: numberOf("kills"),
  freezes: numberOf("freezes"),
  databaseRestarts: numberOf("database-restarts"),
  databaseCuts: numberOf("database-cuts"),
  databaseFreezes: numberOf("database-freezes"),
  minutes: numberOf("minutes"),
  steadyMinutes: numberOf("steady"),
  seed,
  say: (line) => console.log(line),
});
console.log(`\n${tableOf(result)}\n`);
if (!passes(result)) {
  const folder = mkdtempSync(join(tmpdir(), "parley-soak-"));
  for (const { name, parley } of result.replicas) writeFileSync(join(folder, `${name}.log`), parley.log());
  console.log(`What the replicas logged: ${folder}\n`);
}
process.exit(passes(result) ? 0 : 1);
