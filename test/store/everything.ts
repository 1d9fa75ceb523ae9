/** A store in which every table and every map holds something of two people and two tenants. */
import { sql } from "kysely";
import { placeKey, type Place } from "../../src/core/place.ts";
import { createCounters } from "../../src/store/allowances.ts";
import { createAudit } from "../../src/store/audit.ts";
import type { MapName } from "../../src/store/holdings.ts";
import { createMap } from "../../src/store/key-values.ts";
import { createLinks } from "../../src/store/links.ts";
import { createParked } from "../../src/store/parked.ts";
import { openCreations } from "../../src/store/creations.ts";
import { openButtons } from "../../src/store/buttons.ts";
import { openShares } from "../../src/store/shares.ts";
import { createSealedMap } from "../../src/store/sealed-map.ts";
import { says } from "../core/engine.ts";
import { fakeClock } from "../fakes/clock.ts";
import { tablesOf, type Opened } from "./open.ts";

export const platform = "discord";
/** Ids that are nowhere else, so that a dump can be searched for them. */
export const gone = { person: "u-gone", tenant: "t_gone", direct: "d-gone" };
export const other = { person: "u-other", tenant: "tXgone", direct: "d-other" };
export type Ids = typeof gone;

export const room = (ids: Ids): Place => ({ platform, tenant: ids.tenant, channel: "c", thread: "1" });
export const directly = (ids: Ids): Place => ({ platform, tenant: "@me", channel: ids.direct, thread: null });

export function everythingIn(opened: Opened) {
  /** How each table and each map comes to hold something; one that is missing here fails the test below. */
  const tables: Record<string, (ids: Ids) => Promise<unknown>> = {
    async turns(ids) {
      const author = { id: ids.person, name: "Ann" };
      await opened.store.put(says(`k ${ids.person}`, "hello", { place: room(ids), author }), `lane ${ids.person}`, 1);
      const direct = says(`direct ${ids.direct}`, "hello", { place: directly(ids), author, direct: true });
      await opened.store.put(direct, `direct ${ids.person}`, 1);
    },
    ratings: (ids) => opened.store.rate(`k ${ids.person}`, ids.person, "helpful", 1),
    async key_values(ids) {
      for (const fill of Object.values(maps)) await fill(ids);
    },
    async allowances(ids) {
      const counters = createCounters(opened.db);
      const counter = { platform, period: "day", startsAt: 0 } as const;
      await counters.addTurn({ ...counter, tenant: "@me", subject: `person:${ids.person}` });
      await counters.addTurn({ ...counter, tenant: ids.tenant, subject: `channel:${placeKey({ ...room(ids), thread: null })}` });
    },
    links: (ids) => links().put({ platform, tenant: ids.tenant, person: ids.person }, "key", 1),
    async parked(ids) {
      const holder = { platform, tenant: ids.tenant, person: ids.person };
      const parked = createParked(opened.db, opened.cipher);
      const author = { id: ids.person, name: "Somebody" };
      await parked.put(holder, says(`parked ${ids.person}`, "hello", { place: room(ids), author }), 1);
      // A person's own tenant may be another than the place's.
      await parked.put({ ...holder, tenant: "home" }, says(`home ${ids.person}`, "hello", { place: room(ids), author }), 1);
    },
    async audit(ids) {
      const audit = createAudit(opened.db, fakeClock());
      const entry = { person: ids.person, kind: "message", account: "shared", outcome: "answered", correlation: null };
      await audit.record({ ...entry, place: room(ids), direct: false, turn: `k ${ids.person}` });
      await audit.record({ ...entry, place: directly(ids), direct: true, turn: `direct ${ids.direct}` });
    },
  };
  const links = () => createLinks(opened.db, opened.cipher);
  const put = async (name: MapName, key: string, value: unknown): Promise<void> => {
    await createMap(opened.db, fakeClock(), name).set(key, value);
  };
  const byPlace = (name: MapName) => async (ids: Ids) => {
    await put(name, placeKey(room(ids)), { of: "somebody" });
    await put(name, placeKey(directly(ids)), { of: "somebody" });
  };
  const maps: Record<MapName, (ids: Ids) => Promise<unknown>> = {
    threads: byPlace("threads"),
    settings: byPlace("settings"),
    async forms(ids) {
      const draft = { title: "Form", submit: "Send", open: "Open", fields: [], purpose: { kind: "settings" } };
      for (const [at, place] of [room(ids), directly(ids)].entries()) {
        const kept = {
          id: `${ids.person}${at}`,
          draft,
          from: 0,
          size: 5,
          carried: {},
          madeAt: 1,
          place,
          person: { id: ids.person, name: "Ann" },
        };
        await createSealedMap<object>(createMap<string>(opened.db, fakeClock(), "forms"), opened.cipher, "forms").set(
          kept.id,
          kept,
          1e9,
        );
      }
    },
    async shares(ids) {
      for (const place of [room(ids), directly(ids)])
        await openShares(opened.db, opened.cipher, fakeClock()).set(
          placeKey(place),
          { person: ids.person, place, words: "words" },
          1e9,
        );
    },
    async "media-orders"(ids) {
      const order = {
        recipe: { by: "image" },
        what: "a picture",
        prompt: "p",
        model: null,
        details: [],
        price: null,
        sources: {},
      } as const;
      for (const place of [room(ids), directly(ids)]) {
        const key = `order ${placeKey(place)} ${ids.person}`;
        const author = { id: ids.person, name: "Somebody" };
        await openCreations(opened.db, opened.cipher, fakeClock()).orders.set(key, { origin: key, place, author, order }, 1e9);
      }
    },
    async "media-jobs"(ids) {
      for (const place of [room(ids), directly(ids)]) {
        const claim = { turn: `k ${ids.person}`, account: "shared", place, author: { id: ids.person, name: "Somebody" } };
        await put("media-jobs", `shared:video:${placeKey(place)}`, claim);
      }
    },
    pictures: byPlace("pictures"),
    "carried-pictures": byPlace("carried-pictures"),
    async buttons(ids) {
      const button = { label: "Run", name: "prompt", options: { name: "words" } };
      for (const place of [room(ids), directly(ids)])
        await openButtons(opened.db, opened.cipher, fakeClock()).keep([button], {
          place,
          author: { id: ids.person, name: "Gone" },
        });
    },
    "slack-participation": byPlace("slack-participation"),
    "slack-seen": byPlace("slack-seen"),
    "discord-joined": byPlace("discord-joined"),
    "discord-told": byPlace("discord-told"),
    async conversations(ids) {
      await put("conversations", `${ids.tenant} 1`, placeKey(room(ids)));
      await put("conversations", `${ids.direct} 2`, placeKey(directly(ids)));
    },
    "discord-marks": () => put("discord-marks", "discord", { at: 1, direct: [gone.direct, other.direct] }),
    async "discord-tokens"(ids) {
      const map = createSealedMap<object>(
        createMap<string>(opened.db, fakeClock(), "discord-tokens"),
        opened.cipher,
        "discord-tokens",
      );
      for (const place of [room(ids), directly(ids)]) {
        const key = `interaction ${placeKey(place)}`;
        await map.set(`key:${key}`, { place, person: ids.person, token: "secret" }, 1e9);
        await map.set(`person:${ids.person}:${placeKey(place)}`, { pointsTo: key }, 1e9);
      }
    },
  };

  const tablesThere = async (): Promise<string[]> =>
    (await tablesOf(opened.db)).filter((name) => !/^(migrations$|divisions$|duties$|pulse$)/.test(name));
  const rowsOf = async (table: string): Promise<string[]> => {
    const found = await sql<object>`select * from ${sql.table(table)}`.execute(opened.db);
    return found.rows.map((row) => JSON.stringify(row));
  };
  /** What the store holds, sealed text opened. */
  const dump = async (): Promise<string[]> => (await Promise.all((await tablesThere()).map(rowsOf))).flat();

  const fill = async (): Promise<void> => {
    for (const ids of [gone, other]) for (const add of Object.values(tables)) await add(ids);
  };
  return { tables, maps, links, put, byPlace, tablesThere, rowsOf, dump, fill };
}
