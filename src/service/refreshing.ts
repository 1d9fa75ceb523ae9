/** Asks every provider for its models now and then; one that cannot say keeps those it had. */
import { sleep } from "../clock.ts";
import type { ServiceContext } from "./context.ts";

export interface Refreshing {
  /** Asks every provider once. A provider that cannot say keeps the models it had. */
  refresh(signal: AbortSignal): Promise<void>;
  /** Refreshes now and then until `signal` is aborted. */
  keepFresh(signal: AbortSignal): Promise<void>;
}

/** Somebody who lists models of some sort. */
interface Lister<Entry> {
  readonly name: string;
  catalogue(signal: AbortSignal): Promise<readonly Entry[]>;
}

/** How often providers are asked again, in ms: a model pulled into a local server shows up while someone waits for it. */
const refreshEveryMs = 60_000;
/** How soon after a provider did not list its models, in ms: often it is a local server that is being started. */
const refreshAgainMs = 5000;
/** How long one provider may take to list its models, in ms. */
const catalogueTimeoutMs = 10_000;

/** The provider of a model: what stands before its key's first colon. */
export const providerName = (key: string): string => key.split(":", 1)[0] ?? "";

/** @param store takes what was listed, in the providers' order, and the names of those that did not list */
export function createRefreshing<Entry, Provider extends Lister<Entry>>(
  ctx: Pick<ServiceContext, "clock" | "log">,
  providers: readonly Provider[],
  store: (lists: ReadonlyArray<readonly Entry[]>, silent: ReadonlySet<string>) => Promise<void>,
): Refreshing {
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
    await store(lists, silent);
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
  };
}
