/** Brings the media providers' models into the database, where each keeps its numeric id for ever. */
import type { ServiceContext } from "../context.ts";
import type { MediaEntry, MediaProvider } from "../providers/media/port.ts";
import { createRefreshing, providerName, type Refreshing } from "../refreshing.ts";

export interface MediaCatalogue extends Refreshing {
  /** The provider that makes what a model key names; undefined when it is not configured. */
  providerOf(key: string): MediaProvider | undefined;
}

type Db = Pick<ServiceContext, "db">;

/** What is offered: those who stand in only offer what nobody else does. A provider that did not list still offers what it did. */
async function offered(
  { db }: Db,
  providers: readonly MediaProvider[],
  lists: ReadonlyArray<readonly MediaEntry[]>,
  silent: ReadonlySet<string>,
): Promise<{ entries: MediaEntry[]; kept: ReadonlySet<string> }> {
  const standsIn = new Set(providers.filter((provider) => provider.standsIn).map(({ name }) => name));
  const known = await db.selectFrom("media_models").select(["key", "kind"]).where("position", "is not", null).execute();
  const kept = known.filter(({ key }) => silent.has(providerName(key)) && !standsIn.has(providerName(key)));
  const listed = lists.flat();
  const served = new Set([
    ...kept.map(({ kind }) => kind),
    ...listed.filter(({ key }) => !standsIn.has(providerName(key))).map(({ kind }) => kind),
  ]);
  return {
    entries: listed.filter(({ key, kind }) => !standsIn.has(providerName(key)) || !served.has(kind)),
    kept: new Set(kept.map(({ key }) => key)),
  };
}

async function store({ db }: Db, entries: readonly MediaEntry[], kept: ReadonlySet<string>): Promise<void> {
  // Read before the transaction: one that begins by reading could not write once the command line has written.
  const known = await db.selectFrom("media_models").select(["key", "position"]).execute();
  await db.transaction().execute(async (transaction) => {
    const gone = known.filter(({ key }) => !kept.has(key) && !entries.some((entry) => entry.key === key));
    for (const { key } of gone.filter(({ position }) => position !== null)) {
      await transaction.updateTable("media_models").set({ position: null }).where("key", "=", key).execute();
    }
    for (const [position, entry] of entries.entries()) {
      const row = { key: entry.key, kind: entry.kind, entry: JSON.stringify(entry), position };
      await transaction
        .insertInto("media_models")
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column("key")
            .doUpdateSet(row)
            .where((where) =>
              where.or([where("media_models.entry", "<>", row.entry), where("media_models.position", "is not", position)]),
            ),
        )
        .execute();
    }
  });
}

export function createMediaCatalogue(ctx: ServiceContext, providers: readonly MediaProvider[]): MediaCatalogue {
  const refreshing = createRefreshing<MediaEntry, MediaProvider>(ctx, providers, async (lists, silent) => {
    const { entries, kept } = await offered(ctx, providers, lists, silent);
    await store(ctx, entries, kept);
  });
  return {
    ...refreshing,
    providerOf: (key) => providers.find(({ name }) => name === providerName(key)),
  };
}
