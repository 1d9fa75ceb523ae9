/** Deletes what the store holds of a person or a tenant: every table and every map. */
import { randomBytes } from "node:crypto";
import type { Begun, Forgetting } from "../core/forgetting.ts";
import { accountIdOf, type Thread } from "../core/threads.ts";
import type { Cipher } from "./cipher.ts";
import { clearMaps, entriesOf } from "./clear-maps.ts";
import type { MapName } from "./holdings.ts";
import { placeBegins, prefixOf } from "./place-prefix.ts";
import type { StoreDatabase } from "./schema.ts";
import { deleteTurn, deleteTurns, openTurnsOf, progressOf, pruneTurns, readRemains, stripTurn } from "./turns/removing.ts";

/** Drawn, not made from the person: nothing leads back, and it is another one each time. */
const pseudonym = (): string => `forgotten-${randomBytes(6).toString("hex")}`;

export function createForgetting(db: StoreDatabase, cipher: Cipher): Forgetting {
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
    for (const { account, sent } of await progressOf(db, { platform, person })) add(account?.id, sent?.conversationId);
    return [...found.values()];
  };

  return {
    begun,

    openTurns: (whose) => openTurnsOf(db, whose),

    async tenant(platform, tenant, except) {
      const counts = await deleteTurns(db, { platform, tenant }, except);
      const from = prefixOf(platform, tenant);
      const entries = await clearMaps(db, cipher, { place: (key) => key.startsWith(from) });
      await db.deleteFrom("parked").where("platform", "=", platform).where("tenant", "=", tenant).execute();
      await db.deleteFrom("parked").where(placeBegins(from)).execute();
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
        .map(({ tenant, channel }) => prefixOf(platform, tenant, channel ?? ""));
      const mine = await linksOf(platform, person);
      const conversations = (await begun(platform, person)).map(({ conversationId }) => String(conversationId));
      const counts = await deleteTurns(db, { platform, person }, except);
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

    remains: (key) => readRemains(db, key),

    async strip(key) {
      await db.deleteFrom("parked").where("key", "=", key).execute();
      // What of its answer was kept to be shown to one person, or shared.
      await db
        .deleteFrom("key_values")
        .where("namespace", "=", "shares" satisfies MapName)
        .where("key", "=", key)
        .execute();
      await stripTurn(db, key);
    },

    async drop(key) {
      await deleteTurn(db, key);
      await clearMaps(db, cipher, { turn: (of) => of === key });
    },

    prune: (before) => pruneTurns(db, before),
  };
}
