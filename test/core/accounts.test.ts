import { afterEach, describe, expect, it } from "vitest";
import { createAccounts } from "../../src/core/accounts.ts";
import type { Holder } from "../../src/core/links.ts";
import { createLinks } from "../../src/store/links.ts";
import { fakeClock } from "../fakes/clock.ts";
import { createFakeWorkspace } from "../fakes/workspace.ts";
import { openStore } from "../store/open.ts";

const ann: Holder = { platform: "slack", tenant: "T1", person: "U1" };
const opened: Array<Awaited<ReturnType<typeof openStore>>> = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open() {
  const store = await openStore();
  opened.push(store);
  const clock = fakeClock();
  const links = createLinks(store.db, store.cipher);
  const connected: string[] = [];
  const accounts = createAccounts({
    shared: createFakeWorkspace({ now: () => 0 }),
    links,
    connect(key) {
      connected.push(key);
      return createFakeWorkspace({ now: () => 0 });
    },
    clock,
  });
  return { store, links, accounts, connected };
}

describe("accounts", () => {
  it("are nobody's until a key is linked, and then that person's alone", async () => {
    const { links, accounts, connected } = await open();
    expect(await accounts.linked(ann)).toBeUndefined();
    const { id } = await links.put(ann, "key-of-ann", 1);
    expect((await accounts.linked(ann))?.id).toBe(id);
    expect((await accounts.byId(id))?.kind).toBe("linked");
    for (const other of [{ person: "U2" }, { tenant: "T2" }, { platform: "discord" }])
      expect(await accounts.linked({ ...ann, ...other })).toBeUndefined();
    expect(connected).toEqual(["key-of-ann"]);
    expect(id).not.toContain("key");
  });

  it("use a new key at once, under the same id, and nothing after the link is gone", async () => {
    const { links, accounts, connected } = await open();
    const first = await links.put(ann, "one", 1);
    await accounts.linked(ann);
    expect((await links.put(ann, "two", 2)).id).toBe(first.id);
    await accounts.byId(first.id);
    expect(connected).toEqual(["one", "two"]);
    expect([await links.remove(ann), await links.remove(ann)]).toEqual([true, false]);
    expect(await accounts.byId(first.id)).toBeUndefined();
  });

  it("end when the workspace refuses the key, until another is linked", async () => {
    const { links, accounts } = await open();
    await links.put(ann, "one", 1);
    const account = await accounts.linked(ann);
    await accounts.refused(account!);
    expect(await accounts.linked(ann)).toBeUndefined();
    expect((await links.of(ann))?.brokenAt).not.toBeNull();
    await links.put(ann, "two", 2);
    // Late news of the former key.
    await links.markBroken({ id: account!.id, key: "one" }, 3);
    expect((await accounts.linked(ann))?.id).toBe(account!.id);
  });

  it("are held in a bounded number, the least used ones given up first", async () => {
    const { links, accounts, connected } = await open();
    const holders = Array.from({ length: 501 }, (_, at): Holder => ({ ...ann, person: `U${at}` }));
    for (const [at, holder] of holders.entries()) await links.put(holder, `key-${at}`, 1);
    for (const holder of holders) await accounts.linked(holder);
    await accounts.linked(holders[500]!);
    expect(connected).toHaveLength(501);
    await accounts.linked(holders[0]!);
    expect(connected).toHaveLength(502);
  });

  it("keep keys sealed, each for its person: a row that is given to another opens nothing", async () => {
    const { store, links } = await open();
    await links.put(ann, "PARLEY-API-canary", 1);
    await links.put({ ...ann, person: "U2" }, "other", 1);
    const rows = await store.db.selectFrom("links").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain("canary");
    const sealed = rows.find(({ person }) => person === "U1")!.key;
    await store.db.updateTable("links").set({ key: sealed }).where("person", "=", "U2").execute();
    await expect(links.of({ ...ann, person: "U2" })).rejects.toMatchObject({ code: "cipher_failed" });
  });
});
