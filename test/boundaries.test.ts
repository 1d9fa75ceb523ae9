/** Who may import whom, read from the import statements of every module; and that no imports run in a circle. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const slashed = (path: string): string => path.split(sep).join("/");

interface Import {
  /** A module of ours by its path from the root, or a package's name. */
  readonly target: string;
  /** `type`: gone at run time; `lazy`: by `import()`, or as a worker. */
  readonly when: "start" | "lazy" | "type";
}

const statement = /^(?:import|export)\s(?:([^;"']*?)\sfrom\s+)?["']([^"']+)["']/gm;
const lazyStatement = /\b(?:import|new URL|import\.meta\.resolve)\(\s*["']([^"']+)["']/g;
/** `type X`, or braces in which every name is a type. */
const onlyTypes = /^type\s|^\{(\s*type\s[^,}]+,?)+\s*\}$/;

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const target = (specifier: string): string =>
    specifier.startsWith(".") ? slashed(relative(root, resolve(root, dirname(file), specifier))) : specifier;
  return [
    ...[...text.matchAll(statement)].map(([, names = "", specifier = ""]): Import => ({
      target: target(specifier),
      when: onlyTypes.test(names.trim()) ? "type" : "start",
    })),
    ...[...text.matchAll(lazyStatement)].map(([, specifier = ""]): Import => ({ target: target(specifier), when: "lazy" })),
  ];
}

const files = ["src", "adapters"].flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }).map(slashed)).toSorted();
const modules = new Map(files.map((file) => [file, importsOf(file)]));
const isOurs = (target: string): boolean => modules.has(target);

/** The room of a module, such as `src/client`; the file itself for those beside the rooms. */
const roomOf = (file: string): string => {
  const [top = "", room = "", ...rest] = file.split("/");
  return rest.length === 0 ? file : `${top}/${room}`;
};

const anyone = ["src/errors.ts", "src/log.ts", "src/clock.ts"];

/** What a room may import of ours, beside itself and what anyone may. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "src/contract": [],
  "src/database": [],
  "src/client": ["src/contract"],
  "src/service": ["src/contract", "src/database"],
  "src/core": ["src/contract"],
  "src/store": ["src/core", "src/database"],
  "src/errors.ts": ["src/contract"],
  "src/log.ts": ["src/config.ts"],
  "src/clock.ts": [],
  "src/config.ts": ["src/config"],
  "src/config": [],
  adapters: ["src/core", "src/database"],
};
/** Rooms that put the others together, as do the remaining files beside the rooms. */
const joining = ["src/cli", "src/front"];

const ruleOf = (room: string): readonly string[] | undefined => allowed[room.startsWith("adapters/") ? "adapters" : room];

describe("imports", () => {
  test("there is something to read", () => {
    expect(files.length).toBeGreaterThan(50);
    expect(importsOf("src/client/http.ts")).toEqual(
      expect.arrayContaining([
        { target: "undici", when: "start" },
        { target: "src/clock.ts", when: "type" },
        { target: "src/contract/routes.ts", when: "start" },
      ]),
    );
  });

  test("every room has its rule", () => {
    const without = new Set(files.map(roomOf).filter((room) => !room.endsWith(".ts") && ruleOf(room) === undefined));
    expect([...without].filter((room) => !joining.includes(room))).toEqual([]);
  });

  test("every module keeps to its room's rule", () => {
    const broken = files.flatMap((file) => {
      const room = roomOf(file);
      const rule = ruleOf(room);
      if (rule === undefined) return [];
      return modules
        .get(file)!
        .map(({ target }) => target)
        .filter(
          (target) => isOurs(target) && roomOf(target) !== room && !anyone.includes(target) && !rule.includes(roomOf(target)),
        )
        .map((target) => `${file} imports ${target}`);
    });
    expect(broken).toEqual([]);
  });

  test("only the files that put things together are beside the rooms", () => {
    const importers = files.filter((file) => roomOf(file) !== file && !joining.includes(roomOf(file)));
    const used = importers.flatMap((file) => modules.get(file)!.map(({ target }) => target));
    for (const top of ["src/main.ts", "src/app.ts"]) expect(used).not.toContain(top);
  });

  const packagesOf = (folder: string): string[] => [
    ...new Set(files.filter((file) => file.startsWith(folder)).flatMap((file) => modules.get(file)!.map(({ target }) => target))),
  ];

  test("the core knows no platform, no HTTP and no database driver", () => {
    const stranger = /^(@slack\/.*|discord\.js|undici|ws|hono.*|@hono\/.*|node:https?|node:net|node:sqlite|pg|ai|@ai-sdk\/.*)$/;
    expect(packagesOf("src/core/").filter((name) => stranger.test(name))).toEqual([]);
  });

  test("the contract does no input or output", () => {
    expect(
      packagesOf("src/contract/")
        .filter((name) => !isOurs(name))
        .toSorted(),
    ).toEqual(["decimal.js", "zod"]);
  });

  test("what is heavy is not imported at the start", () => {
    const heavy =
      /^(ai|@ai-sdk\/.*|unpdf|mammoth|read-excel-file.*|csv-parse.*|@slack\/.*|discord\.js|@modelcontextprotocol\/.*)$/;
    const reached = new Set<string>();
    const found: string[] = [];
    const walk = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const { target, when } of modules.get(file) ?? []) {
        if (when !== "start") continue;
        if (heavy.test(target)) found.push(`${file} imports ${target}`);
        walk(target);
      }
    };
    walk("src/main.ts");
    // `main.ts` loads its commands when they are asked for; `app.ts` is what `start` loads.
    walk("src/app.ts");
    expect(reached.size).toBeGreaterThan(10);
    expect(found).toEqual([]);
  });

  test("no imports run in a circle", () => {
    expect(circle()).toBeUndefined();
  });
});

/** The first circle of imports that are there at run time. */
function circle(): string | undefined {
  const settled = new Set<string>();
  const walk = (file: string, path: readonly string[]): string | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file].join(" -> ");
    if (settled.has(file)) return undefined;
    for (const { target, when } of modules.get(file) ?? []) {
      const found = when === "start" ? walk(target, [...path, file]) : undefined;
      if (found !== undefined) return found;
    }
    settled.add(file);
    return undefined;
  };
  for (const file of files) {
    const found = walk(file, []);
    if (found !== undefined) return found;
  }
  return undefined;
}
