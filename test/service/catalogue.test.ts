import { afterEach, beforeEach, expect, test } from "vitest";
import { createCatalogue } from "../../src/service/catalogue.ts";
import { listModels } from "../../src/service/models.ts";
import type { CatalogueEntry, ModelProvider } from "../../src/service/providers/port.ts";
import { testProvider } from "../workspace/provider.ts";
import { openDatabase, type TestDatabase } from "./database.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await openDatabase();
});
afterEach(() => database.close());

const { signal } = new AbortController();
const [sample] = await testProvider().catalogue(signal);
const named = (...keys: string[]): CatalogueEntry[] =>
  keys.flatMap((key) => (sample === undefined ? [] : [{ ...sample, key, name: key }]));
const provider = (name: string, catalogue: ModelProvider["catalogue"]): ModelProvider => ({
  name,
  catalogue,
  run: () => {
    throw new Error("not asked in these tests");
  },
});
const ids = async (): Promise<Array<[string, number]>> =>
  (await listModels(database.ctx)).map(({ entry, id }) => [entry.key, id]);

test("a model keeps its id while it goes and comes back, in the providers' order", async () => {
  let listed = named("a:1", "a:2");
  const catalogue = createCatalogue(database.ctx, [provider("a", () => Promise.resolve(listed))]);
  await catalogue.refresh(signal);
  const before = await ids();
  expect(before.map(([key]) => key)).toEqual(["a:1", "a:2"]);
  listed = named("a:2");
  await catalogue.refresh(signal);
  expect(await ids()).toEqual(before.slice(1));
  listed = named("a:2", "a:1");
  await catalogue.refresh(signal);
  expect(await ids()).toEqual(before.toReversed());
});

test("a provider that cannot list its models keeps those it had; one that is gone loses them", async () => {
  await createCatalogue(database.ctx, [
    provider("a", () => Promise.resolve(named("a:1"))),
    provider("b", () => Promise.resolve(named("b:1"))),
  ]).refresh(signal);
  await createCatalogue(database.ctx, [provider("b", () => Promise.reject(new Error("unreachable")))]).refresh(signal);
  expect((await ids()).map(([key]) => key)).toEqual(["b:1"]);
});

test("a provider that never answers does not hold up the others", async () => {
  const mute = provider(
    "a",
    (waiting) => new Promise((_, reject) => waiting.addEventListener("abort", () => reject(new Error("gave up")))),
  );
  const catalogue = createCatalogue(database.ctx, [mute, provider("b", () => Promise.resolve(named("b:1")))]);
  const refreshed = catalogue.refresh(signal);
  await database.clock.advance(60_000);
  await refreshed;
  expect((await ids()).map(([key]) => key)).toEqual(["b:1"]);
  expect(database.clock.pending).toBe(0);
});

test("a provider that was not there yet is asked again soon, and only then as seldom as the others", async () => {
  let asked = 0;
  const late = provider("a", () => (++asked < 3 ? Promise.reject(new Error("refused")) : Promise.resolve(named("a:1"))));
  const catalogue = createCatalogue(database.ctx, [late]);
  const stopping = new AbortController();
  await catalogue.refresh(stopping.signal);
  const ended = catalogue.keepFresh(stopping.signal).catch((reason: unknown) => reason);
  await database.clock.advance(10_000);
  expect(asked).toBe(3);
  expect((await ids()).map(([key]) => key)).toEqual(["a:1"]);
  await database.clock.advance(59_000);
  expect(asked).toBe(3);
  await database.clock.advance(2000);
  expect(asked).toBe(4);
  stopping.abort(new Error("over"));
  expect(await ended).toMatchObject({ message: "over" });
  expect(database.clock.pending).toBe(0);
});
