/** Deletes what the store holds of a person or a tenant: every table and every map. */
import { randomBytes } from "node:crypto";
import { sql, type Selectable } from "kysely";
import type { Begun, Counts, Forgetting, Remains, Whose } from "../core/forgetting.ts";
import { placeKey, readPlaceKey } from "../core/place.ts";
import { accountIdOf, type Thread } from "../core/threads.ts";
import { noProgress, type Progress } from "../core/turns/progress.ts";
import type { Cipher } from "./cipher.ts";
import { clearMaps, entriesOf } from "./clear-maps.ts";
import type { MapName } from "./holdings.ts";
import type { StoreDatabase, TurnsTable } from "./schema.ts";

/** Every key of a place in the tenant, or in the channel, begins with this. */
const beginning = (platform: string, tenant: string, channel?: string): string =>
  placeKey({ platform, tenant, channel: channel ?? "", thread: null }).replace(channel === undefined ? /::$/ : /:$/, ":");
/** More would hold the store for too long; the rest goes at the next sweep. */
const prunedAtOnce = 1_000;

/** Drawn, not made from the person: nothing leads back, and it is another one each time. */
const pseudonym = (): string => `forgotten-${randomBytes(6).toString("hex")}`;

const columns = ["key", "place", "asker", "kind", "closed_at", "progress"] as const;
const remainsOf = (row: Pick<Selectable<TurnsTable>, (typeof columns)[number]>): Remains => ({
  key: row.key,
  place: readPlaceKey(row.place),
  person: row.asker,
  kind: row.kind,
  closed: row.closed_at !== null,
  delivery: (JSON.parse(row.progress) as Progress).delivery,
});

export function createForgetting(db: StoreDatabase, cipher: Cipher): Forgetting {
  const turnsOf = (whose: Whose) => {
    if ("person" in whose) return db.selectFrom("turns").where("platform", "=", whose.platform).where("asker", "=", whose.person);
    const prefix = beginning(whose.platform, whose.tenant);
    // Not by comparing: a database's order of text may be a language's.
    return db.selectFrom("turns").where(sql<boolean>`substr(place, 1, ${prefix.length}) = ${prefix}`);
  };

  /** Turns and what hangs on them, in one transaction. */
  const deleteTurns = (whose: Whose, except: string): Promise<Counts> =>
    db.transaction().execute(async (transaction) => {
      const keys = turnsOf(whose).select("key");
      const onThem = await transaction.deleteFrom("ratings").where("turn_key", "in", keys).returning("turn_key").execute();
      const byThem =
        "person" in whose
          ? await transaction
              .deleteFrom("ratings")
              .where("person", "=", whose.person)
              .where("turn_key", "in", (turns) => turns.selectFrom("turns").select("key").where("platform", "=", whose.platform))
              .returning("turn_key")
              .execute()
          : [];
      const turns = await transaction
        .deleteFrom("turns")
        .where("key", "in", keys)
        .where("key", "!=", except)
        .returning("id")
        .execute();
      return { turns: turns.length, ratings: onThem.length + byThem.length };
    });

  const linksOf = async (platform: string, person: string): Promise<readonly string[]> => {
    const rows = await db
      .selectFrom("links")
      .select("id")
      .where("platform", "=", platform)
      .where("person", "=", person)
      .execute();
    return rows.map(({ id }) => id);
  };
  const begun = async (platform: string, person: string): Promise<readonly Begun[]> => {
    const mine = await linksOf(platform, person);
    if (mine.length === 0) return [];
    const found = new Map<string, Begun>();
    const add = (account: string | undefined, conversationId: number | undefined): void => {
      if (account === undefined || conversationId === undefined || !mine.includes(account)) return;
      found.set(`${account} ${conversationId}`, { account, conversationId });
    };
    for await (const { value } of entriesOf(db, cipher, "threads")) {
      const thread = value as Thread;
      add(accountIdOf(thread), thread.conversationId);
    }
    // A thread that was begun anew has forgotten its former conversations; the turns have not.
    for (const { progress } of await turnsOf({ platform, person }).select("progress").execute()) {
      const { account, sent } = JSON.parse(progress) as Progress;
      add(account?.id, sent?.conversationId);
    }
    return [...found.values()];
  };

  return {
    begun,

    async openTurns(whose) {
      const rows = await turnsOf(whose).select("key").where("closed_at", "is", null).execute();
      return rows.map((row) => row.key);
    },

    async tenant(platform, tenant, except) {
      const counts = await deleteTurns({ platform, tenant }, except);
      const from = beginning(platform, tenant);
      const entries = await clearMaps(db, cipher, { place: (key) => key.startsWith(from) });
      await db.deleteFrom("parked").where("platform", "=", platform).where("tenant", "=", tenant).execute();
      await db
        .deleteFrom("parked")
        .where(sql<boolean>`substr(place, 1, ${from.length}) = ${from}`)
        .execute();
      const links = await db
        .deleteFrom("links")
        .where("platform", "=", platform)
        .where("tenant", "=", tenant)
        .returning("id")
        .execute();
      await db.deleteFrom("allowances").where("platform", "=", platform).where("tenant", "=", tenant).execute();
      const people = await db
        .selectFrom("audit")
        .select("person")
        .distinct()
        .where("platform", "=", platform)
        .where("tenant", "=", tenant)
        .where("turn", "is not", null)
        .execute();
      for (const { person } of people) {
        await db
          .updateTable("audit")
          .set({ person: person === null ? null : pseudonym(), channel: null, thread: null, turn: null })
          .where("platform", "=", platform)
          .where("tenant", "=", tenant)
          .where((row) => (person === null ? row("person", "is", null) : row("person", "=", person)))
          .execute();
      }
      return { ...counts, entries, links: links.length };
    },

    async person(platform, person, direct, except) {
      const known = await db
        .selectFrom("audit")
        .select(["tenant", "channel"])
        .distinct()
        .where("platform", "=", platform)
        .where("person", "=", person)
        .where("direct", "=", 1)
        .execute();
      const places = [...known, ...(direct === null ? [] : [direct])]
        .filter(({ channel }) => channel !== null)
        .map(({ tenant, channel }) => beginning(platform, tenant, channel ?? ""));
      const mine = await linksOf(platform, person);
      const conversations = (await begun(platform, person)).map(({ conversationId }) => String(conversationId));
      const counts = await deleteTurns({ platform, person }, except);
      const entries = await clearMaps(db, cipher, {
        place: (key) => places.some((place) => key.startsWith(place)),
        person: (on, id) => on === platform && id === person,
        account: (id) => mine.includes(id),
        conversation: (id) => conversations.includes(id),
        spare: except,
      });
      await db.deleteFrom("allowances").where("platform", "=", platform).where("subject", "=", `person:${person}`).execute();
      await db.deleteFrom("links").where("platform", "=", platform).where("person", "=", person).execute();
      await db.deleteFrom("parked").where("platform", "=", platform).where("person", "=", person).execute();
      const name = pseudonym();
      const lines = db.updateTable("audit").where("platform", "=", platform).where("person", "=", person);
      await lines.where("direct", "=", 1).set({ channel: null }).execute();
      const rows = await lines.set({ person: name, thread: null, turn: null }).returning("id").execute();
      return { counts: { ...counts, entries, links: mine.length, audited: rows.length }, pseudonym: name };
    },

    async remains(key) {
      const row = await db
        .selectFrom("turns")
        .select([...columns, "lane"])
        .where("key", "=", key)
        .executeTakeFirst();
      if (row === undefined) return [];
      const tries = await db
        .selectFrom("turns")
        .select(columns)
        .where("lane", "=", row.lane)
        .where("kind", "=", "action")
        .where("key", "!=", key)
        .orderBy("id")
        .execute();
      const isTry = ({ progress }: { progress: string }) => (JSON.parse(progress) as Progress).origin === key;
      return [row, ...tries.filter(isTry)].map(remainsOf);
    },

    async strip(key) {
      await db.deleteFrom("parked").where("key", "=", key).execute();
      // What of its answer was kept to be shown to one person, or shared.
      await db
        .deleteFrom("key_values")
        .where("namespace", "=", "shares" satisfies MapName)
        .where("key", "=", key)
        .execute();
      await db
        .updateTable("turns")
        .set({ asker: "", body: null, progress: JSON.stringify(noProgress) })
        .where("key", "=", key)
        .where("closed_at", "is not", null)
        .execute();
      await db.deleteFrom("ratings").where("turn_key", "=", key).execute();
    },

    async drop(key) {
      await db.deleteFrom("ratings").where("turn_key", "=", key).execute();
      await db.deleteFrom("turns").where("key", "=", key).execute();
      await clearMaps(db, cipher, { turn: (of) => of === key });
    },

    prune: (before) =>
      db.transaction().execute(async (transaction) => {
        const old = await transaction
          .selectFrom("turns")
          .select(["id", "key"])
          .where("closed_at", "is not", null)
          .where("closed_at", "<", before)
          .orderBy("closed_at")
          .limit(prunedAtOnce)
          .execute();
        if (old.length === 0) return 0;
        const keys = old.map(({ key }) => key);
        await transaction.deleteFrom("ratings").where("turn_key", "in", keys).execute();
        await transaction.deleteFrom("turns").where("key", "in", keys).execute();
        return old.length;
      }),
  };
}
