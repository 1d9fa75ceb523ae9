/** What the documents list is what there is: commands, variables, metrics, command lines, files. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { stopMs } from "../src/app.ts";
import { auditUsage } from "../src/cli/audit.ts";
import { backupUsage } from "../src/cli/backup.ts";
import { keysUsage } from "../src/cli/keys.ts";
import { help } from "../src/cli/help.ts";
import { moveStoreUsage } from "../src/cli/move-store.ts";
import { quotaUsage } from "../src/cli/quota.ts";
import { rotateUsage } from "../src/cli/rotate-encryption.ts";
import { rulesUsage } from "../src/cli/rules.ts";
import { sharingUsage } from "../src/cli/sharing.ts";
import { readConfig, secretNames, variables } from "../src/config.ts";
import { commands } from "../src/core/commands/index.ts";
import { usage } from "../src/core/commands/table.ts";
import { outcomes } from "../src/core/turns/store.ts";
import { createMetrics } from "../src/metrics.ts";
import { peopleRows, threadRows } from "./people-doc.ts";
import { pausedControls, sceneControls, soakControls } from "./soak/self-check-controls.ts";

const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const read = (name: string): string => readFileSync(pathOf(name), "utf8");
const readme = read("README.md");

/** Rows of the Markdown table whose head begins with `head`; code marks and padding taken off. */
function tableOf(text: string, head: string): string[][] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith("|") && cells(line)[0] === head);
  expect(start).toBeGreaterThan(-1);
  const end = lines.findIndex((line, at) => at > start && !line.startsWith("|"));
  return lines.slice(start + 2, end).map(cells);
}
const cells = (line: string): string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("`", ""));
const blocksOf = (text: string): string[] => [...text.matchAll(/^```\w*\n([^]*?)\n```$/gm)].map(([, body = ""]) => body);

describe("docs/people.md", () => {
  const people = read("docs/people.md");
  test("shows the table of permissions, cell by cell", () => {
    expect(tableOf(people, "Who")).toEqual(peopleRows());
  });
  test("shows what may be done with a conversation, by whose it is", () => {
    expect(tableOf(people, "Begun with")).toEqual(threadRows());
  });
});

describe("the README", () => {
  test("begins with what Parley is for, its picture, and two commands", () => {
    const opening = readme.slice(0, readme.indexOf("\n## "));
    expect(opening.indexOf("brings a team's AI workspace into the chats")).toBeLessThan(opening.indexOf("<picture>"));
    expect(blocksOf(opening)).toEqual(["npm ci && npm start", "npm ci && npm test"]);
  });

  test("lists every command of the table, in its order", () => {
    expect(tableOf(readme, "Command")).toEqual(commands.map((command) => [usage(command), command.help]));
  });

  test("lists every variable with its default and meaning", () => {
    expect(tableOf(readme, "Variable")).toEqual(variables.map(({ name, fallback, help: meaning }) => [name, fallback, meaning]));
  });

  test("names every variable that may be in a file", () => {
    const [, names = ""] = /may be in a file instead, named by `NAME_FILE`: ([^.]*)\./.exec(readme) ?? [];
    expect(names.split(", ").map((name) => name.replaceAll("`", ""))).toEqual(secretNames);
  });

  test("lists every metric of Parley's own", async () => {
    const metrics = createMetrics(() => Promise.resolve({ waiting: 0, running: 0, oldestWaitingMs: 0 }));
    const told = [...(await metrics.text()).matchAll(/^# HELP (parley_\S+) (.*)$/gm)].map(([, name, meaning]) => [name, meaning]);
    expect(told.length).toBeGreaterThan(5);
    expect(tableOf(readme, "Metric")).toEqual(told);
  });

  test("says what each outcome of a turn means", () => {
    expect(tableOf(readme, "Outcome")).toEqual(Object.entries(outcomes));
  });

  test("shows the command line's usage as the command line does", () => {
    expect(blocksOf(readme)).toContain(auditUsage.join("\n"));
    expect(blocksOf(readme)).toContain([backupUsage, rotateUsage, moveStoreUsage].join("\n"));
    expect(blocksOf(readme)).toContain([...keysUsage, ...quotaUsage, ...rulesUsage, ...sharingUsage].join("\n"));
  });
});

describe("the other lists", () => {
  test(".env.example has every variable with its default and meaning, and sets none", () => {
    const [, ...entries] = read(".env.example").trimEnd().split("\n\n");
    expect(entries).toEqual(variables.map(({ name, fallback, help: meaning }) => `# ${meaning} (${fallback})\n# ${name}=`));
  });

  test("every variable of the list is read, and no other", () => {
    const asked = new Set<string>();
    readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }));
    const files = secretNames.map((name) => `${name}_FILE`);
    expect([...asked].toSorted()).toEqual([...variables.map(({ name }) => name), ...files].toSorted());
  });

  test("help shows every command line and every variable", () => {
    for (const line of [...keysUsage, ...quotaUsage, ...rulesUsage, ...sharingUsage]) expect(help()).toContain(line);
    for (const { name } of variables) expect(help()).toMatch(new RegExp(`^  ${name} `, "m"));
    for (const line of [...auditUsage, backupUsage, rotateUsage, moveStoreUsage]) expect(help()).toContain(line);
    for (const name of ["start", "workspace", "doctor", "help"]) expect(help()).toMatch(new RegExp(`^  ${name} `, "m"));
  });

  test.for(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])("%s links only to what is there", (name) => {
    const text = read(name);
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
      ([, link, picture]) => link ?? picture ?? "",
    );
    const files = targets.filter((target) => !/^(https?:|#)/.test(target));
    expect(files.filter((file) => !existsSync(pathOf(file)))).toEqual([]);
    const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, "")
        .replaceAll(" ", "-"),
    );
    expect(targets.filter((target) => target.startsWith("#") && !anchors.includes(target.slice(1)))).toEqual([]);
  });

  test("npm scripts that the documents name are there", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = ["README.md", "CONTRIBUTING.md", ".ci/run"].flatMap((name) =>
      [...read(name).matchAll(/npm (?:run (?:--\S+ )?(\w+)|(start|test)\b)/g)].map(([, run, own]) => run ?? own ?? ""),
    );
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
    expect(scripts["test"]).toBe("vitest run");
  });

  test("the licence is the one that package.json names", () => {
    expect(read("package.json")).toContain('"license": "Apache-2.0"');
    expect(read("LICENSE")).toMatch(/^\s*Apache License\s+Version 2\.0, January 2004[^]*END OF TERMS AND CONDITIONS/);
  });
});

describe("the list of faults", () => {
  const held = tableOf(read("docs/faults.md"), "What goes wrong").map(([what = "", by = ""]) => ({
    what,
    tests: [...by.matchAll(/(test\/\S+\.test\.ts): “([^”]+)”/g)].map(([, file = "", name = ""]) => ({ file, name })),
  }));

  test("has at least one test for each, and each is there under its name", () => {
    expect(held.length).toBeGreaterThan(35);
    expect(held.filter(({ tests }) => tests.length === 0)).toEqual([]);
    const named = held.flatMap(({ tests }) => tests);
    expect(named.filter(({ file, name }) => !existsSync(pathOf(file)) || !read(file).includes(name))).toEqual([]);
  });

  test("has what the suite's check of itself takes out, each by its name", () => {
    const named = [...pausedControls, ...sceneControls, ...soakControls].map(({ name }) => name);
    expect(tableOf(read("docs/faults.md"), "Taken out").map(([name]) => name)).toEqual(named);
  });

  test("names the options that the soak has", () => {
    const options = [...read("docs/faults.md").matchAll(/`(--[a-z-]+)/g)].map(([, name = ""]) => name.slice(2));
    const soak = read("test/soak/soak.ts");
    expect(options.length).toBeGreaterThan(5);
    expect(options.filter((name) => !soak.includes(`"${name}": {`) && !soak.includes(`${name}: {`))).toEqual([]);
  });
});

describe("the container", () => {
  const lines = read("Dockerfile")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const of = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1).trim());
  const stage = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM ")));

  test("has one Node for all stages, the one that package.json asks for", () => {
    expect(of("FROM").map((from) => from.split(" ")[0])).toEqual(["node:24-bookworm-slim", "node:24-bookworm-slim"]);
    expect(read("package.json")).toMatch(/"node": ">=24\./);
  });

  test("runs without root, writes to the one volume, and tells its health", () => {
    expect(of("USER")).toEqual(["node"]);
    expect(of("VOLUME")).toEqual(["/data"]);
    expect(stage.join("\n")).toMatch(/ENV .*HOST=0\.0\.0\.0 .*PARLEY_DATA=\/data/);
    expect(stage.findIndex((line) => line.startsWith("RUN mkdir /data"))).toBeLessThan(
      stage.findIndex((line) => line.startsWith("USER ")),
    );
    expect(of("STOPSIGNAL")).toEqual(["SIGTERM"]);
    expect(of("HEALTHCHECK")[0]).toContain("/healthz");
  });

  test("is given longer to stop than it takes, wherever it is shown how to run it", () => {
    const given = ["README.md", "Dockerfile"].flatMap((name) =>
      [...read(name).matchAll(/docker run .*/g)].map(([line]) => Number(/ --stop-timeout (\d+) /.exec(line)?.[1])),
    );
    const [, pods] = /`terminationGracePeriodSeconds: (\d+)`/.exec(readme) ?? [];
    expect(given).toHaveLength(2);
    for (const seconds of [...given, Number(pods)]) expect(seconds * 1_000).toBeGreaterThanOrEqual(stopMs + 5_000);
  });

  test("starts a file that is there, without a shell or npm between", () => {
    const command = JSON.parse(of("CMD").at(-1) ?? "") as string[];
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    expect(command.join(" ")).toBe(scripts["start"]);
    expect(command[0]).toBe("node");
    expect(command.filter((word) => word.endsWith(".js") && statSync(pathOf(word)).isFile())).toHaveLength(1);
    // Node keeps what it compiles for the flags that it runs with.
    const warmed = of("RUN").find((line) => line.includes("src/parley.js")) ?? "";
    expect(warmed.split(command.slice(0, -2).join(" ")).length - 1).toBe(2);
    const parts = /for part in ([^;]+);/.exec(warmed)?.[1]?.split(" ") ?? [];
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(statSync(pathOf(`${part}.ts`)).isFile()).toBe(true);
  });

  test("copies what is there, and what .dockerignore lets through", () => {
    const sources = of("COPY")
      .filter((line) => !line.startsWith("--from"))
      .flatMap((line) =>
        line
          .split(/\s+/)
          .slice(0, -1)
          .map((source) => source.replace("./", "")),
      );
    expect(sources.length).toBeGreaterThan(3);
    expect(sources.filter((source) => !existsSync(pathOf(source)))).toEqual([]);
    const allowed = read(".dockerignore")
      .split("\n")
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1));
    expect([...new Set(sources)].toSorted()).toEqual(allowed.toSorted());
  });
});

test(".ci/run can be run, and stops at the first failure", () => {
  expect(statSync(pathOf(".ci/run")).mode & 0o111).not.toBe(0);
  expect(read(".ci/run")).toMatch(/^#!\/usr\/bin\/env bash\n[^]*\nset -euo pipefail\n/);
});
