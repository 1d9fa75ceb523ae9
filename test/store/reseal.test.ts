/** The encryption key is changed: everything opens with the new one, and nothing needs the former any more. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCipher } from "../../src/store/cipher.ts";
import { createLinks } from "../../src/store/links.ts";
import { resealAll } from "../../src/store/reseal.ts";
import { createTurnStore } from "../../src/store/turns.ts";
import { everythingIn, gone, other, platform } from "./everything.ts";
import { overBoth, type Opened } from "./open.ts";

const former = new Uint8Array(32).fill(7);
const present = new Uint8Array(32).fill(8);

overBoth((openStore) => {
  let opened: Opened;
  let all: ReturnType<typeof everythingIn>;
  beforeEach(async () => {
    opened = await openStore();
    all = everythingIn(opened);
    await all.fill();
  });
  afterEach(() => opened.close());

  /** Sealed texts in all rows of all tables, by the id of their key. */
  const sealedWith = async (): Promise<Record<string, number>> => {
    const found = [...(await all.dump()).join("\n").matchAll(/1\.([0-9a-f]{8})\.[A-Za-z0-9+/]{20,}/g)].map(([, id = ""]) => id);
    return Object.fromEntries(Object.entries(Object.groupBy(found, (id) => id)).map(([id, list]) => [id, list?.length ?? 0]));
  };

  test("every sealed text of every table is sealed anew, and opens with the new key alone", async () => {
    const before = await sealedWith();
    const count = before[createCipher(former).keyId] ?? 0;
    expect(Object.keys(before)).toEqual([createCipher(former).keyId]);
    expect(count).toBeGreaterThan(10);
    const cipher = createCipher(present, [former]);
    expect(await resealAll(opened.db, cipher)).toEqual({ changed: count, unchanged: 0, unreadable: 0 });
    expect(await sealedWith()).toEqual({ [cipher.keyId]: count });

    const alone = createCipher(present);
    const link = await createLinks(opened.db, alone).of({ platform, tenant: gone.tenant, person: gone.person });
    expect(link?.key).toBe("key");
    expect((await createTurnStore(opened.db, alone).find(`k ${other.person}`))?.inbound).toMatchObject({
      runs: [{ typed: "hello" }],
    });
    expect(await resealAll(opened.db, alone)).toEqual({ changed: 0, unchanged: count, unreadable: 0 });
  });

  test("killed in the middle it goes on, and both keys open everything meanwhile", async () => {
    let written = 0;
    const dying = createCipher(present, [former]);
    const stops = {
      ...dying,
      seal: (text: string, owner: string) => {
        if (++written === 6) throw new Error("killed");
        return dying.seal(text, owner);
      },
    };
    // A portion is one transaction: what it had done is undone, what was before it stays.
    await expect(resealAll(opened.db, stops)).rejects.toThrow("killed");
    const mixed = await sealedWith();
    expect(Object.keys(mixed)).toHaveLength(2);
    expect((await createTurnStore(opened.db, dying).find(`k ${gone.person}`))?.inbound).toMatchObject({
      runs: [{ typed: "hello" }],
    });
    const result = await resealAll(opened.db, dying);
    expect(result.unchanged).toBe(mixed[dying.keyId]);
    expect(result.unreadable).toBe(0);
    expect(Object.keys(await sealedWith())).toEqual([dying.keyId]);
  });

  test("a row that no key opens is counted, left as it is, and keeps no other back", async () => {
    const strange = createCipher(new Uint8Array(32).fill(9)).seal("{}", "lost");
    await opened.db.updateTable("turns").set({ body: strange }).where("key", "=", `k ${gone.person}`).execute();
    const { unreadable, changed } = await resealAll(opened.db, createCipher(present, [former]));
    expect(unreadable).toBe(1);
    expect(changed).toBeGreaterThan(10);
    expect((await all.dump()).join()).toContain(strange);
  });
});

test("the sources of sealed text are those that are sealed anew", () => {
  // Whatever is sealed elsewhere has to be added to \`reseal.ts\`, and here.
  const sealing = ["links", "sealed-map", "turns/row"].filter((name) =>
    readFileSync(join(import.meta.dirname, `../../src/store/${name}.ts`), "utf8").includes("cipher.seal("),
  );
  expect(sealing).toEqual(["links", "sealed-map", "turns/row"]);
});
