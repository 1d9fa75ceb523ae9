/** Brings the providers' catalogues into the database, where each model keeps its numeric id for ever. */
import { timestamp, type ServiceContext } from "./context.ts";
import type { CatalogueEntry, ModelProvider } from "./providers/port.ts";
import { createRefreshing, providerName, type Refreshing } from "./refreshing.ts";

export interface Catalogue extends Refreshing {
  /** The provider that answers for a model key; undefined when it is not configured. */
  providerOf(key: string): ModelProvider | undefined;
}

async function store(ctx: ServiceContext, entries: readonly CatalogueEntry[], silent: ReadonlySet<string>): Promise<void> {
  // Read before the transaction: one that begins by reading could not write once the command line has written.
  const known = await ctx.db.selectFrom("models").select(["key", "position"]).execute();
  await ctx.db.transaction().execute(async (transaction) => {
    const gone = known.filter(({ key }) => !silent.has(providerName(key)) && !entries.some((entry) => entry.key === key));
    for (const { key } of gone.filter(({ position }) => position !== null)) {
      await transaction.updateTable("models").set({ position: null }).where("key", "=", key).execute();
    }
    const now = timestamp(ctx);
    for (const [position, entry] of entries.entries()) {
      const row = { key: entry.key, entry: JSON.stringify(entry), position, updated_at: now };
      await transaction
        .insertInto("models")
        .values({ ...row, created_at: now })
        .onConflict((conflict) =>
          conflict
            .column("key")
            .doUpdateSet(row)
            .where((where) => where.or([where("models.entry", "<>", row.entry), where("models.position", "is not", position)])),
        )
        .execute();
    }
  });
}

export function createCatalogue(ctx: ServiceContext, providers: readonly ModelProvider[]): Catalogue {
  const refreshing = createRefreshing<CatalogueEntry, ModelProvider>(ctx, providers, (lists, silent) =>
    store(ctx, lists.flat(), silent),
  );
  return {
    ...refreshing,
    providerOf: (key) => providers.find(({ name }) => name === providerName(key)),
  };
}
