/** The core put together: what comes in is stored, waits in its lane, is run, and is shown. */
import type { Decimal } from "decimal.js";
import type { Clock } from "../clock.ts";
import { reasonOf } from "../errors.ts";
import type { Log } from "../log.ts";
import type { AccessRules } from "./access.ts";
import type { Accounts } from "./accounts.ts";
import type { Allowances } from "./allowances.ts";
import type { Alone } from "./alone.ts";
import type { Audit } from "./audit.ts";
import type { Bell, Ring } from "./bell.ts";
import type { ButtonBook } from "./command-buttons.ts";
import { createCommanding, createContexts } from "./commanding.ts";
import type { Command } from "./commands/table.ts";
import type { Directory } from "./commands/types.ts";
import type { Forgetting } from "./forgetting.ts";
import type { FormBook } from "./forms/book.ts";
import { createOffering } from "./forms/offering.ts";
import type { FormPurpose } from "./forms/purpose.ts";
import type { FormDraft } from "./forms.ts";
import type { Inbound, Inbox } from "./inbound.ts";
import { createLanes } from "./lanes.ts";
import { createLinking, type LinkingOptions } from "./linking.ts";
import type { Creations } from "./media/creations.ts";
import { createFetch } from "./media/fetch.ts";
import { createJobWatch } from "./media/job-watch.ts";
import type { CoreMetrics } from "./metrics.ts";
import type { Oversight } from "./oversight.ts";
import type { ChatPlatform } from "./platform.ts";
import { createReceiving } from "./receiving.ts";
import type { Pacer } from "./relay/pacer.ts";
import { openRelay, type Relay, type RelayMetrics } from "./relay/relay.ts";
import type { SettingsBook } from "./settings.ts";
import type { ThreadNames } from "./thread-names.ts";
import type { Threads } from "./threads.ts";
import { accountFor, chooseAccount } from "./turns/account.ts";
import { createAct } from "./turns/act.ts";
import { createAnswer } from "./turns/answer.ts";
import { createCancelling } from "./turns/cancelling.ts";
import { createExplainTo } from "./turns/explain-to.ts";
import { createExecuting } from "./turns/execute.ts";
import type { Forget } from "./turns/forget.ts";
import { createHandle } from "./turns/handle.ts";
import { createLimit } from "./turns/limit.ts";
import { createLinkNeeded } from "./turns/link-needed.ts";
import { createMakings } from "./turns/makings.ts";
import { removal } from "./turns/run.ts";
import type { Shares } from "./turns/share.ts";
import type { TurnStore } from "./turns/store.ts";
import type { ReplyStart } from "./turns/take-up.ts";
import { createSigns } from "./turns/waiting.ts";

export interface EngineOptions {
  readonly store: TurnStore;
  readonly accounts: Accounts;
  /** What people's own accounts are made of. */
  readonly people: Pick<LinkingOptions, "links" | "parked" | "connect">;
  readonly commands: readonly Command[];
  /** What people were shown alone, and may share. */
  readonly shares: Shares;
  /** What is being made, and was made. */
  readonly creations: Creations;
  /** What is known to cost more credits than this is asked for first; null: nothing is. */
  readonly askAbove: Decimal | null;
  /** Buttons that run a command. */
  readonly buttons: ButtonBook;
  readonly threads: Threads;
  readonly settings: SettingsBook;
  readonly forms: FormBook;
  /** What forms are for. */
  readonly purposes: readonly FormPurpose[];
  readonly platforms: () => readonly ChatPlatform[];
  /** Where threads have names of their own. */
  readonly threadNames: (platform: string) => ThreadNames | undefined;
  /** Who may use Parley on a platform. */
  readonly access: (platform: string) => AccessRules;
  readonly forgetting: Forgetting;
  /** How much people and channels may have of the workspace. */
  readonly allowances: Allowances;
  readonly oversight: Oversight;
  readonly audit: Audit;
  readonly pacer: Pacer;
  /** This process's name among the owners of leases. */
  readonly owner: string;
  /** True when no other process can have the store open. */
  readonly exclusive: boolean;
  /** How processes that share the store tell each other. */
  readonly bell: Bell;
  readonly alone: Alone;
  readonly clock: Clock;
  /** From 0 up to 1, for the jitter of waits. */
  readonly random: () => number;
  readonly metrics: CoreMetrics & RelayMetrics;
  readonly log: Log;
}

export interface Engine {
  readonly inbox: Inbox;
  readonly directory: Directory;
  start(): Promise<void>;
  /** Gives up what has waited too long for its asker to link an account; to be called now and then. */
  giveUpWaiting(): Promise<void>;
  /** Gives running turns back; what is stored is gone on with at the next start. */
  drain(): Promise<void>;
}

export function createEngine(options: EngineOptions): Engine {
  const { store, accounts, commands, forms, buttons, bell, access, shares, clock, metrics, log } = options;
  const { parked } = options.people;
  const isCommand = (name: string): boolean => commands.some((command) => command.name === name);
  const platformOf = (name: string): ChatPlatform | undefined => options.platforms().find((platform) => platform.name === name);
  const purposeOf = (kind: string): FormPurpose | undefined => options.purposes.find((purpose) => purpose.kind === kind);
  const fetch = createFetch(clock);
  const watch = createJobWatch(clock, (thrown) =>
    log.warn({ reason: reasonOf(thrown) }, "jobs could not be looked at; tried again"),
  );

  const openReply = (start: ReplyStart): Relay =>
    openRelay({ ...start, pacer: options.pacer, clock, random: options.random, metrics, log });
  const signs = createSigns({
    store,
    log,
    open(inbound, { delivery, sure }, guard, journal) {
      const { place, key } = inbound;
      const platform = platformOf(place.platform);
      return platform === undefined ? undefined : openReply({ platform, place, key, delivery, resumed: !sure, guard, journal });
    },
  });
  const receiving = createReceiving({ ...options, purposeOf, lanes: () => lanes, signs });
  const { enqueue, tell } = receiving;
  const cancelling = createCancelling({ store, lanes: () => lanes, signs, bell, tell, openReply, clock, log });
  const forget: Forget = { ...options, remove: cancelling.remove, takeAway: cancelling.takeAway };

  const linking = createLinking({ ...options.people, enqueue, clock });
  const contexts = createContexts({ ...options, linking, platformOf });
  const { choosing, contextOf, suggest } = contexts;
  const offering = createOffering({
    forms,
    commands,
    context: contextOf,
    choose: (command, deed) => chooseAccount(command, deed, choosing(command)),
    shared: accounts.shared,
    suggest,
    platformOf,
    clock,
    log,
  });
  const offer = async (draft: FormDraft, { place, author, direct }: Pick<Inbound, "place" | "author" | "direct">) =>
    (await offering.offer(draft, { place, person: author, ...(direct === undefined ? {} : { direct }) })).id;

  const limit = createLimit(options.allowances);
  const explainTo = createExplainTo(access);
  const linkNeeded = createLinkNeeded({ accounts, parked, offer, enqueue, clock });
  const makings = createMakings({
    ...options,
    watch,
    fetch,
    offer,
    accountFor: (run, inbound) => accountFor(run, inbound, "media", choosing(inbound)),
    keyRefused: (run, inbound) => linkNeeded.keyRefused(run, inbound),
    deny: (run, inbound, refused) => linkNeeded.deny(run, inbound, refused),
    limit,
    explainTo,
  });
  const doing = { choosing, limit, explainTo, linkNeeded, cancelling, makings, forget, isCommand };
  const { links } = options.people;
  const answer = createAnswer({ ...options, ...doing, links, carried: options.creations.carried, fetch, watch });
  const commanding = createCommanding({
    ...doing,
    contexts,
    access,
    shares,
    buttons,
    clock,
    commands,
    shared: accounts.shared,
    enqueue,
    offer,
  });
  const act = createAct({
    ...options,
    ...doing,
    answer,
    commanding,
    enqueue,
    administration: { ...options, enqueue, end: cancelling.end },
  });
  const handle = createHandle({ ...options, ...doing, parked, purposeOf, answer, act, commanding });
  const executing = createExecuting({ ...options, handle, platformOf, isCommand, signs, openReply });

  const lanes = createLanes({
    store,
    owner: options.owner,
    exclusive: options.exclusive,
    clock,
    metrics,
    log,
    run: executing.run,
    onLeft: (lane) => signs.forget(lane),
    onReleased: (lane) => bell.ring({ lane }),
    onLateWrite(lane) {
      bell.ring({ again: lane });
      void executing.again(lane);
    },
  });
  const heard = async (ring: Ring): Promise<void> => {
    if ("stop" in ring) lanes.stop(ring.stop, ring.leaves === undefined ? undefined : removal(ring.leaves));
    else if ("again" in ring) await executing.again(ring.again);
    else if (signs.watches(ring.lane)) await signs.refresh(ring.lane);
    else await lanes.wake(ring.lane);
  };
  bell.listen(
    (ring) =>
      void heard(ring).catch((thrown: unknown) =>
        log.warn({ reason: reasonOf(thrown) }, "what another process told of could not be begun; the poll will find it"),
      ),
    () => {
      lanes.look();
      void signs.refresh();
    },
  );

  return {
    inbox: receiving,
    directory: { commands, suggest, form: offering.form, formOf: offering.formOf },
    start: () => lanes.start(),
    giveUpWaiting: () => linkNeeded.giveUp(),
    drain: () => lanes.drain(),
  };
}
