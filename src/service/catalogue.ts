/** Brings the providers' catalogues into the database, where each model keeps its numeric id for ever. */
import { sleep } from "../clock.ts";
import { timestamp, type ServiceContext } from "./context.ts";
import type { CatalogueEntry, ModelProvider } from "./providers/port.ts";

export interface Catalogue {
  /** Asks every provider once. A provider that cannot say keeps the models it had. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Refreshes now and then until `signal` is aborted. */
  keepFresh(signal: AbortSignal): Promise<void>;
  /** The provider that answers for a model key; undefined when it is not configured. */
  providerOf(key: string): ModelProvider | undefined;
}

/** How often providers are asked again, in ms: a model pulled into a local server shows up while someone waits for it. */
const refreshEveryMs = 60_000;
/** How soon after a provider did not list its models, in ms: often it is a local server that is being started. */
const refreshAgainMs = 5000;
/** How long one provider may take to list its models, in ms. */
const catalogueTimeoutMs = 10_000;

const providerName = (key: string): string => key.split(":", 1)[0] ?? "";

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
  /** Providers that did not list their models when they were last asked. */
  let silentBefore: ReadonlySet<string> = new Set();

  const refresh = async (signal: AbortSignal): Promise<void> => {
    const silent = new Set<string>();
    const lists = await Promise.all(
      providers.map(async (provider) => {
        const late = new AbortController();
        const cancel = ctx.clock.after(catalogueTimeoutMs, () =>
          late.abort(new Error("the provider took too long to list its models")),
        );
        try {
          return await provider.catalogue(AbortSignal.any([signal, late.signal]));
        } catch (error) {
          signal.throwIfAborted();
          silent.add(provider.name);
          // Told once, not every few seconds for as long as it lasts.
          const level = silentBefore.has(provider.name) ? "debug" : "warn";
          ctx.log[level]({ error, provider: provider.name }, "a model provider did not list its models; the last list stays");
          return [];
        } finally {
          cancel();
        }
      }),
    );
    silentBefore = silent;
    await store(ctx, lists.flat(), silent);
  };
  return {
    refresh,
    async keepFresh(signal) {
      while (!signal.aborted) {
        await sleep(ctx.clock, silentBefore.size > 0 ? refreshAgainMs : refreshEveryMs, signal);
        try {
          await refresh(signal);
        } catch (error) {
          signal.throwIfAborted();
          ctx.log.error({ error }, "the model catalogue could not be stored; it is tried again");
        }
      }
    },
    providerOf: (key) => providers.find(({ name }) => name === providerName(key)),
  };
}
