/** What commands and forms may use, and as whom they are done: put together once for all of them. */
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { isOperator, whereIs, type AccessRules } from "./access.ts";
import type { Account, Accounts } from "./accounts.ts";
import type { ButtonBook } from "./command-buttons.ts";
import { heldAccount } from "./commands/held.ts";
import type { CommandContexts } from "./commands/table.ts";
import type { Directory, SuggestionSource } from "./commands/types.ts";
import type { Forgetting } from "./forgetting.ts";
import type { InboundCommand, InboundSubmission, Person } from "./inbound.ts";
import type { Linking } from "./linking.ts";
import type { Creations } from "./media/creations.ts";
import type { Oversight } from "./oversight.ts";
import type { Place } from "./place.ts";
import type { ChatPlatform } from "./platform.ts";
import type { SettingsBook } from "./settings.ts";
import { suggestions } from "./suggestions.ts";
import type { Threads } from "./threads.ts";
import { mayUse } from "./tools/offered.ts";
import { accountFor, chooseAccount, type Choosing } from "./turns/account.ts";
import type { Cancelling } from "./turns/cancelling.ts";
import type { ExplainTo } from "./turns/explain-to.ts";
import { forgetAsker, type Forget } from "./turns/forget.ts";
import type { Limit } from "./turns/limit.ts";
import type { LinkNeeded } from "./turns/link-needed.ts";
import type { Makings } from "./turns/makings.ts";
import { permittedAccount, permittedWrites } from "./turns/permitted.ts";
import { shareAction } from "./turns/privately.ts";
import type { Commanding } from "./turns/result.ts";
import type { TurnRun } from "./turns/run.ts";
import { shareKeptMs, type Shares } from "./turns/share.ts";
import type { TurnStore } from "./turns/store.ts";

export interface ContextOptions {
  readonly store: TurnStore;
  readonly accounts: Accounts;
  readonly access: (platform: string) => AccessRules;
  readonly threads: Threads;
  readonly settings: SettingsBook;
  readonly creations: Creations;
  readonly forgetting: Pick<Forgetting, "begun">;
  readonly oversight: Oversight;
  readonly linking: Linking;
  readonly platformOf: (name: string) => ChatPlatform | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Contexts {
  readonly choosing: (asked: { readonly place: Place }) => Choosing;
  readonly contextOf: CommandContexts;
  readonly suggest: Directory["suggest"];
}

/** What a command is run with, and what is suggested while one is typed. */
export function createContexts(options: ContextOptions): Contexts {
  const { accounts, access, threads, settings, store, creations, forgetting, oversight, linking, platformOf, clock, log } =
    options;

  const choosing = (asked: { readonly place: Place }): Choosing => ({ accounts, threads, access: access(asked.place.platform) });
  const contextOf: CommandContexts = (command, by, signal) => {
    const account = heldAccount(by.account, by.deed);
    return {
      command,
      account,
      workspace: account.workspace,
      lists: account.lists,
      threads,
      settings,
      store,
      creations,
      forgetting,
      oversight,
      linking,
      limits: platformOf(command.place.platform)?.limits ?? null,
      recentFiles: () => platformOf(command.place.platform)?.recentFiles(command.place, signal) ?? Promise.resolve([]),
      clock,
      signal,
      async offered(deed, tool) {
        const chosen = await chooseAccount(command, deed, choosing(command));
        // Whoever lacks an account is asked for one, and may be offered what it can do.
        return "refusal" in chosen || mayUse(chosen.account.lists, tool, { signal });
      },
      may: async (deed) => !("refusal" in (await chooseAccount(command, deed, choosing(command)))),
    };
  };
  /** Whose lists suggestions come from: those of what is chosen here; the shared key's projects are the operators' to see. */
  const suggesting = async (source: SuggestionSource, place: Place, author: Person): Promise<Account | undefined> => {
    const asked = { place, author };
    const deed = source === "prompts" || source === "tools" ? "list" : "settings";
    const chosen = await chooseAccount(asked, deed, choosing(asked));
    if ("refusal" in chosen) return undefined;
    const hidden = source === "projects" && chosen.account.kind === "shared" && !isOperator(author, access(place.platform));
    return hidden ? undefined : chosen.account;
  };
  const suggest: Directory["suggest"] = async (source, query, place, person) => {
    const account = await suggesting(source, place, person);
    return account === undefined ? [] : suggestions(account.lists, source, query, log);
  };
  return { choosing, contextOf, suggest };
}

export interface CommandingOptions extends Pick<Commanding, "clock" | "commands" | "shared" | "enqueue" | "offer"> {
  readonly contexts: Contexts;
  readonly access: (platform: string) => AccessRules;
  readonly limit: Limit;
  readonly explainTo: ExplainTo;
  readonly linkNeeded: LinkNeeded;
  readonly cancelling: Cancelling;
  readonly makings: Makings;
  readonly forget: Forget;
  readonly shares: Shares;
  readonly buttons: ButtonBook;
}

/** What the turn of a command, or of a form that was sent, is run with. */
export function createCommanding(
  options: CommandingOptions,
): (run: TurnRun, inbound: InboundCommand | InboundSubmission) => Commanding {
  const { contexts, access, limit, explainTo, linkNeeded, cancelling, makings, forget, shares, buttons } = options;
  const { clock, commands, enqueue, offer } = options;
  const { choosing, contextOf } = contexts;
  const around = { clock, commands, enqueue, offer, stop: cancelling.stop };
  /** What a command keeps for its place is not taken back by an owner that wakes too late. */
  const contextFor =
    ({ lease }: TurnRun): CommandContexts =>
    (command, by, signal) => {
      const context = contextOf(command, by, signal);
      return {
        ...context,
        threads: permittedWrites(context.threads, lease, ["set", "forget"]),
        settings: permittedWrites(context.settings, lease, ["change"]),
      };
    };

  return (run, inbound) => ({
    ...around,
    context: contextFor(run),
    shared: permittedAccount(options.shared, run.lease),
    async accountFor(deed) {
      const spends = deed === "media" || deed === "tool";
      return (spends ? await limit(run, inbound) : null) ?? accountFor(run, inbound, deed, choosing(inbound));
    },
    limit: () => limit(run, inbound),
    async choose(command, deed) {
      const choice = await chooseAccount(command, deed, choosing(command));
      return "refusal" in choice ? choice : { ...choice, account: permittedAccount(choice.account, run.lease) };
    },
    deny: (refusal) => linkNeeded.deny(run, inbound, refusal),
    keyRefused: () => linkNeeded.keyRefused(run, inbound),
    explain: (thrown, alone) => explainTo(run, inbound, thrown, { needed: null, ...(alone ? { alone } : {}) }),
    async keep({ key, place, author }, words) {
      if (whereIs(inbound, access(place.platform)) === "direct") return [];
      const kept = permittedWrites(shares, run.lease, ["set"]);
      await kept.set(key, { person: author.id, place, words }, shareKeptMs);
      return [shareAction(key)];
    },
    make: (order) => makings.start(run, inbound, order),
    forget: (what) => forgetAsker(run, inbound, forget, what),
    begin: (button) => buttons.begin(button, run.turn.key),
    buttons: (wanted, asked) => buttons.keep(wanted, asked),
    asks: (wanted, asked) => buttons.keep(wanted, asked, { confirms: true }),
  });
}
