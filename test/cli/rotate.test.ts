/** A new encryption key, and a copy of the data folder, from the command line. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCipher } from "../../src/encryption.ts";
import { readConfig } from "../../src/config.ts";
import { openStore } from "../../src/open-store.ts";
import { createLinks } from "../../src/store/links.ts";
import { newFolder, parley, serve, type Environment } from "./parley.ts";

const ann = { platform: "slack", tenant: "T1", person: "U1" };

/** The links of the store in `folder`, read with the keys that `env` and the folder have. */
async function withLinks<T>(
  folder: string,
  env: Environment,
  work: (links: ReturnType<typeof createLinks>) => Promise<T>,
): Promise<T> {
  const config = readConfig({ ...env, PARLEY_DATA: folder });
  const { db, close } = await openStore(config);
  try {
    return await work(createLinks(db, openCipher(config)));
  } finally {
    await close();
  }
}
const link = (folder: string, env: Environment = {}) => withLinks(folder, env, (links) => links.put(ann, "ann's key", 1));
const linkedKey = (folder: string, env: Environment = {}) => withLinks(folder, env, async (links) => (await links.of(ann))?.key);
const secretsOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "secrets.json"), "utf8")) as { encryptionKey: string; formerEncryptionKeys?: string[] };

test("the generated key is changed while the server is stopped, and links stay", async () => {
  const folder = await newFolder();
  const server = await serve(folder);
  await link(folder);
  expect(await parley(["keys", "rotate-encryption"], folder)).toMatchObject({
    code: 1,
    err: expect.stringContaining("another Parley server is running") as string,
  });
  await server.stop();
  const before = secretsOf(folder);
  const { code, out } = await parley(["keys", "rotate-encryption"], folder);
  expect(out).toMatch(/Sealed anew: 1\. [^]*The former key is gone/);
  expect(code).toBe(0);
  expect(secretsOf(folder).encryptionKey).not.toBe(before.encryptionKey);
  expect(secretsOf(folder)).not.toHaveProperty("formerEncryptionKeys");
  expect(await linkedKey(folder)).toBe("ann's key");
});

test("a rotation that was killed in the middle goes on with its key", async () => {
  const folder = await newFolder();
  await (await serve(folder)).stop();
  await link(folder);
  const before = secretsOf(folder);
  const begun = { ...before, encryptionKey: randomBytes(32).toString("base64"), formerEncryptionKeys: [before.encryptionKey] };
  writeFileSync(join(folder, "secrets.json"), JSON.stringify(begun), { mode: 0o600 });
  expect(await linkedKey(folder)).toBe("ann's key");
  expect(await parley(["keys", "rotate-encryption"], folder)).toMatchObject({ code: 0 });
  expect(secretsOf(folder).encryptionKey).toBe(begun.encryptionKey);
  expect(secretsOf(folder)).not.toHaveProperty("formerEncryptionKeys");
  expect(await linkedKey(folder)).toBe("ann's key");
});

test("configured keys: the former beside the new one, until everything is sealed anew", async () => {
  const folder = await newFolder();
  const [old, fresh] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
  await link(folder, { PARLEY_ENCRYPTION_KEY: old });
  expect(await parley(["keys", "rotate-encryption"], folder, { PARLEY_ENCRYPTION_KEY: fresh })).toMatchObject({
    code: 1,
    err: expect.stringContaining("PARLEY_ENCRYPTION_KEYS_OLD") as string,
  });
  const both = { PARLEY_ENCRYPTION_KEY: fresh, PARLEY_ENCRYPTION_KEYS_OLD: old };
  expect(await linkedKey(folder, both)).toBe("ann's key");
  expect(await parley(["keys", "rotate-encryption"], folder, both)).toMatchObject({ code: 0 });
  expect(await linkedKey(folder, { PARLEY_ENCRYPTION_KEY: fresh })).toBe("ann's key");
  await expect(linkedKey(folder, { PARLEY_ENCRYPTION_KEY: old })).rejects.toThrow(/sealed with key/);
  const wrong = { PARLEY_ENCRYPTION_KEY: old, PARLEY_ENCRYPTION_KEYS_OLD: randomBytes(32).toString("base64") };
  expect(await parley(["keys", "rotate-encryption"], folder, wrong)).toMatchObject({
    code: 1,
    err: expect.stringContaining("1 of the rows open with none of the keys") as string,
  });
});

test("a copy that was made beside a running server is a whole data folder, with its links", async () => {
  const folder = await newFolder();
  const copy = join(await newFolder(), "copy");
  const server = await serve(folder);
  await link(folder);
  expect(await parley(["backup", copy], folder)).toMatchObject({ code: 0 });
  expect(await parley(["backup", copy], folder)).toMatchObject({ code: 1, err: expect.stringContaining("has files") as string });
  expect(await parley(["backup", join(folder, "inside")], folder)).toMatchObject({ code: 1 });
  expect(existsSync(join(copy, "lock.sqlite"))).toBe(false);
  await withLinks(folder, {}, (links) => links.remove(ann));
  await server.stop();
  expect(await linkedKey(copy)).toBe("ann's key");
  const restored = await serve(copy);
  expect((await fetch(new URL("/readyz", restored.url))).status).toBe(200);
  expect((await parley(["keys", "list"], copy)).out).toContain("live");
});

test("a copy of what is not there says so, and makes nothing", async () => {
  const folder = await newFolder();
  const copy = join(folder, "copy");
  expect(await parley(["backup", copy], folder, { PARLEY_DATA: join(folder, "none") })).toMatchObject({ code: 1 });
  expect(existsSync(copy)).toBe(false);
  expect(await parley(["backup"], folder)).toMatchObject({
    code: 1,
    err: expect.stringContaining("expected a folder") as string,
  });
});
