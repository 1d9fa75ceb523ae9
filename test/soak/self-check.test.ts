/** The suite fails where a safeguard is missing: in short, without a soak. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fasterSlack } from "./paces.ts";
import { pausedBeforeSending, sabotages } from "./sabotages.ts";
import { pausedControls, sceneControls } from "./self-check-controls.ts";
import { pausedHarm, pausedOwner } from "./self-check.ts";

describe("what a soak changes of Parley", () => {
  const patches = Object.entries({ fasterSlack, ...sabotages, pausedBeforeSending: pausedBeforeSending("") }).flatMap(
    ([name, all]) => all.map((patch): [string, (typeof all)[number]] => [`${name}: ${patch.file}`, patch]),
  );
  test.each(patches)("%s is there, once", (_, { file, find }) => {
    expect(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8").split(find)).toHaveLength(2);
  });
});

describe("a paused owner", () => {
  test.each(pausedControls)("$name", async ({ patches, shows }) => {
    const found = await pausedOwner(patches);
    expect({ shows: shows(...found), found }).toMatchObject({ shows: true });
  });
});

describe("an owner that is paused anywhere does nothing when it wakes", () => {
  test.each(sceneControls)("$name", async (control) => {
    const { harmful, expected } = await pausedHarm(control);
    expect(harmful).toEqual(expected);
    expect(expected.length > 0).toBe(control.harms !== "none");
  });
});
