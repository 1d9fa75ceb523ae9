/** `npm run soak`: the long run, and the suite's check of itself. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clusterPrograms } from "./cluster.ts";
import { soak } from "./run.ts";
import { checkItself } from "./self-check.ts";
import { passes, tableOf } from "./table.ts";

const { values } = parseArgs({
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
    seed: { type: "string", default: String(Math.floor(Math.random() * 4_294_967_296)) },
  },
});

const numberOf = (name: Exclude<keyof typeof values, "store" | "self-check">, fallback?: number): number => {
  const given = values[name];
  const number = given === undefined ? fallback : Number(given);
  if (number === undefined || !Number.isFinite(number) || number < 0)
    throw new Error(`--${name}: expected a number, got ${given}`);
  return number;
};

const { store } = values;
if (store !== "sqlite" && store !== "postgres") throw new Error(`--store: expected sqlite or postgres, got ${store}`);
if (store === "postgres" && clusterPrograms() === undefined)
  throw new Error(
    "expected PostgreSQL's programs in /usr/lib/postgresql/*/bin or in PG_BIN; --store sqlite runs without, on one replica",
  );
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
