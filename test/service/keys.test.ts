import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKey, ensureOwnerKey, listKeys, revokeKey, setKeyPermissions } from "../../src/service/admin.ts";
import { authenticate } from "../../src/service/authenticate.ts";
import { generateKey, isKey } from "../../src/service/keys.ts";
import { openDatabase, type TestDatabase } from "./database.ts";

const given = `PARLEY-API-${"a1B2".repeat(16)}`;

test("whatever the random bytes are, a key has 64 letters and digits behind its prefix", () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 255 })), (bytes) => {
      const key = generateKey((buffer) => buffer.map(() => bytes.next().value as number));
      expect(key).toMatch(/^PARLEY-API-[A-Za-z0-9]{64}$/);
      expect(isKey(key)).toBe(true);
    }),
  );
});

describe("stored keys", () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openDatabase();
  });
  afterEach(() => database.close());
  const bearer = (key: string) => authenticate(database.ctx, `Bearer ${key}`);

  test("a key is found again, and no file of the workspace holds it", async () => {
    const key = await createKey(database.ctx, { name: "ours", permissions: ["search", "agents_get", "search"] });
    const caller = await bearer(key);
    expect([...caller.permissions].toSorted()).toEqual(["agents_get", "search"]);
    const { dataDir } = database.ctx;
    const files = await Promise.all((await readdir(dataDir)).map((name) => readFile(join(dataDir, name), "latin1")));
    expect(files.length).toBeGreaterThan(0);
    expect(files.some((content) => content.includes(key.slice(11)))).toBe(false);
  });

  test("permissions that are restricted or unknown are refused, on a new key and on an old one", async () => {
    const make = (permission: string) => createKey(database.ctx, { name: "ours", permissions: [permission] });
    await expect(make("statistics_get")).rejects.toMatchObject({
      code: "permission_restricted",
      message: "You are using permissions that are restricted",
    });
    await expect(make("everything")).rejects.toMatchObject({ code: "permission_unknown" });
    expect(await listKeys(database.ctx)).toEqual([]);
    await make("search");
    const [{ id } = { id: 0 }] = await listKeys(database.ctx);
    await expect(setKeyPermissions(database.ctx, id, ["ai_models_manage"])).rejects.toMatchObject({
      code: "permission_restricted",
    });
    expect((await listKeys(database.ctx))[0]?.permissions).toEqual(["search"]);
  });

  test("a revoked key is gone at once and for ever; revoking it again changes nothing", async () => {
    const key = await createKey(database.ctx, { name: "ours", permissions: ["search"] });
    const [{ id } = { id: 0 }] = await listKeys(database.ctx);
    expect(await revokeKey(database.ctx, id)).toBe(true);
    expect(await revokeKey(database.ctx, id)).toBe(false);
    expect(await setKeyPermissions(database.ctx, id, ["agents_get"])).toBe(false);
    await expect(bearer(key)).rejects.toMatchObject({ status: 401, body: { error: "Invalid API key" } });
  });

  test("the operator's own key is registered once, with every permission", async () => {
    expect(await ensureOwnerKey(database.ctx, given)).toBe(given);
    expect(await ensureOwnerKey(database.ctx, given)).toBe(given);
    expect(await listKeys(database.ctx)).toHaveLength(1);
    expect((await bearer(given)).permissions.has("projects_delete")).toBe(true);
  });

  test("an owner's key of another form, or a revoked one, is refused without being repeated", async () => {
    const wrong = await ensureOwnerKey(database.ctx, "PARLEY-API-short-secret").catch((error: unknown) => error);
    expect(wrong).toMatchObject({ code: "key_form" });
    expect(String(wrong)).not.toContain("short-secret");
    await ensureOwnerKey(database.ctx, given);
    const [{ id } = { id: 0 }] = await listKeys(database.ctx);
    await revokeKey(database.ctx, id);
    await expect(ensureOwnerKey(database.ctx, given)).rejects.toMatchObject({ code: "key_revoked" });
  });

  test("without a key of the operator's, each call makes a new one", async () => {
    const made = [await ensureOwnerKey(database.ctx), await ensureOwnerKey(database.ctx)];
    expect(new Set(made).size).toBe(2);
    for (const key of made) expect((await bearer(key)).userName).toBe("owner");
  });
});
