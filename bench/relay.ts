/**
 * What relay, renderer and pacer can do: many replies streaming at once over a platform with one budget of writes.
 *
 * Each reply grows to 12,000 characters of mixed Markdown by 40 whole-message updates a second, on a platform that takes 100
 * writes a second in all, answers after 100 ms, and has room for a whole reply in one message. All replies begin at once.
 * The least possible is the k-th first words at k/rate, and every text shown within N/rate, each plus the round trip.
 *
 * `npm run bench` measures 100, 500 and 2,000 replies and 100,000 idle threads, each in a process of its own, and ends with 1
 * when 500 replies miss a bar; the other sizes show how each figure grows. `npm run bench -- 500` measures that size alone.
 * About a minute for each size, on a machine that is otherwise idle: what others take of its cores is missed here.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { bars, table, type Idle, type Streaming } from "./figures.ts";
import { measureIdle } from "./idle.ts";
import { measureStreaming } from "./streaming.ts";

const barred = 500;
const sizes = [100, barred, 2_000];

/** Runs this file in a process of its own, so that no run warms up or fills the memory of another. */
async function apart<T>(measure: string): Promise<T> {
  const child = spawn(process.execPath, ["--expose-gc", fileURLToPath(import.meta.url), "measure", measure], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  return JSON.parse(output) as T;
}

async function main(size: string | undefined): Promise<void> {
  const runs: Streaming[] = [];
  for (const replies of size === undefined ? sizes : [Number(size)]) runs.push(await apart<Streaming>(String(replies)));
  const idle = size === undefined ? await apart<Idle>("idle") : undefined;
  console.log(JSON.stringify({ runs, ...(idle === undefined ? {} : { idle }) }, null, 2));
  console.log(`\n${table(runs)}\n`);
  if (idle !== undefined)
    console.log(`${idle.threads} idle threads: ${idle.residentPerThreadBytes.toFixed(0)} bytes resident each\n`);
  for (const run of runs.filter(({ replies }) => replies === barred)) {
    for (const [name, holds] of bars) {
      console.log(`${holds(run) ? "holds " : "MISSED"}  ${name}`);
      if (!holds(run)) process.exitCode = 1;
    }
  }
}

const [command, argument] = process.argv.slice(2);
if (command !== "measure") await main(command);
else console.log(JSON.stringify(argument === "idle" ? await measureIdle() : await measureStreaming(Number(argument))));
