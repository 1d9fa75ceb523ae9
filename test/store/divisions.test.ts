import { afterEach, beforeEach, expect, test } from "vitest";
import type { Division } from "../../src/core/relay/division.ts";
import { createDivisions, type Divisions } from "../../src/store/divisions.ts";
import { overBoth, type Opened } from "./open.ts";

overBoth((openStore) => {
  let opened: Opened;
  let now = 1_000_000;
  beforeEach(async () => {
    opened = await openStore();
  });
  afterEach(() => opened.close());
  const table = (of: Opened = opened): Divisions => createDivisions(of.db, () => now);
  const read = async (...keys: string[]): Promise<unknown[]> => {
    let found: unknown[] = [];
    await table().exchange(keys, (divisions) => {
      found = keys.map((key) => divisions.get(key)?.free);
      return new Map();
    });
    return found;
  };

  test("an exchange of one is never between another's: nothing that is added is lost", async () => {
    // One process alone uses SQLite.
    const other = opened.databaseUrl === null ? undefined : await opened.again();
    const more = (key: string, of: Divisions) =>
      of.exchange([key, "both"].toSorted(), (divisions) => {
        const added = (name: string): [string, Division] => [
          name,
          { free: [...(divisions.get(name)?.free ?? []), 1], holders: {} },
        ];
        return new Map([added(key), added("both")]);
      });
    const tables = [table(), table(other ?? opened)];
    await Promise.all(Array.from({ length: 40 }, (_, index) => more(index % 3 === 0 ? "a" : "z", tables[index % 2]!)));
    expect((await read("a", "both", "z")).map((free) => (free as number[]).length)).toEqual([14, 40, 26]);
    await other?.close({ keep: true });
  });

  test("what fails changes nothing, and what nobody changed for long is forgotten", async () => {
    const put = (free: number[]) => table().exchange(["k"], () => new Map([["k", { free, holders: {} }]]));
    await put([1, 2]);
    await expect(
      table().exchange(["k", "new"], () => {
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    expect(await read("k", "new")).toEqual([[1, 2], undefined]);
    now += 599_000;
    await put([3]);
    now += 2_000;
    await table().prune();
    expect(await read("k")).toEqual([[3]]);
    now += 601_000;
    await table().prune();
    expect(await read("k")).toEqual([undefined]);
  });
});
