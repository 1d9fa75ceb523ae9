/** The core put together: what comes in is stored, waits in its lane, is run, and is shown. */
import { reasonOf } from "../errors.ts";
import type { Ring } from "./bell.ts";
import { createCommanding, createContexts } from "./commanding.ts";
import type { Directory } from "./commands/types.ts";
import type { EngineOptions } from "./engine-options.ts";
import { createOffering } from "./forms/offering.ts";
import type { FormPurpose } from "./forms/purpose.ts";
import type { FormDraft } from "./forms.ts";
import type { Inbound, Inbox } from "./inbound.ts";
import { createLanes } from "./lanes.ts";
import { createLinking } from "./linking.ts";
import { createFetch } from "./media/fetch.ts";
import { createJobWatch } from "./media/job-watch.ts";
import type { ChatPlatform } from "./platform.ts";
import { createReceiving } from "./receiving.ts";
import { openRelay, type Relay } from "./relay/relay.ts";
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
import { removal } from "./turns/lease.ts";
import type { ReplyStart } from "./turns/take-up.ts";
import { createStrays } from "./turns/strays.ts";
import { createSigns } from "./turns/waiting.ts";

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
  const { store, accounts, commands, forms, buttons, bell, access, shares, threads, settings, creations } = options;
  const { allowances, alone, audit, forgetting, oversight, threadNames, clock, random, metrics, log } = options;
  /** Time, and what operators are told. */
  const ambient = { clock, metrics, log };
  const { links, parked } = options.people;
  const isCommand = (name: string): boolean => commands.some((command) => command.name === name);
  const platformOf = (name: string): ChatPlatform | undefined => options.platforms().find((platform) => platform.name === name);
  const purposeOf = (kind: string): FormPurpose | undefined => options.purposes.find((purpose) => purpose.kind === kind);
  const fetch = createFetch(clock);
  const watch = createJobWatch(clock, (thrown) =>
    log.warn({ reason: reasonOf(thrown) }, "jobs could not be looked at; tried again"),
  );

  const strays = createStrays({ remains: (key) => forgetting.remains(key), ...ambient });
  const openReply = (start: ReplyStart): Relay =>
    openRelay({ ...start, pacer: options.pacer, onStray: (stray) => strays.settle(start, stray), random, ...ambient });
  const signs = createSigns({
    store,
    log,
    open(inbound, { delivery, sure }, guard, journal) {
      const { place, key } = inbound;
      const platform = platformOf(place.platform);
      return platform === undefined
        ? undefined
        : openReply({ platform, place, turn: key, key, delivery, resumed: !sure, guard, journal });
    },
  });
  const receiving = createReceiving({ store, commands, forms, purposeOf, lanes: () => lanes, signs, bell, ...ambient });
  const { enqueue, tell } = receiving;
  const cancelling = createCancelling({ store, lanes: () => lanes, signs, bell, tell, openReply, clock, log });
  const forget: Forget = { forgetting, accounts, store, audit, clock, remove: cancelling.remove, takeAway: cancelling.takeAway };

  const linking = createLinking({ ...options.people, enqueue, clock });
  const contexts = createContexts({
    store,
    accounts,
    access,
    threads,
    settings,
    creations,
    forgetting,
    oversight,
    linking,
    platformOf,
    clock,
    log,
  });
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

  const limit = createLimit(allowances);
  const explainTo = createExplainTo(access);
  const linkNeeded = createLinkNeeded({ accounts, parked, offer, enqueue, clock });
  /** As whom somebody does something, how much of it, and what is said where they may not. */
  const rights = { choosing, limit, explainTo, linkNeeded };
  const makings = createMakings({
    creations,
    askAbove: options.askAbove,
    alone,
    watch,
    fetch,
    offer,
    accountFor: (run, inbound) => accountFor(run, inbound, "media", choosing(inbound)),
    keyRefused: (run, inbound) => linkNeeded.keyRefused(run, inbound),
    deny: (run, inbound, refused) => linkNeeded.deny(run, inbound, refused),
    limit,
    explainTo,
    clock,
    metrics,
  });
  const answer = createAnswer({
    ...rights,
    access,
    links,
    shares,
    alone,
    threads,
    settings,
    carried: creations.carried,
    fetch,
    watch,
    threadNames,
    clock,
    metrics,
  });
  const commanding = createCommanding({
    ...rights,
    contexts,
    access,
    cancelling,
    makings,
    forget,
    shares,
    buttons,
    clock,
    commands,
    shared: accounts.shared,
    enqueue,
    offer,
  });
  const act = createAct({
    store,
    answer,
    commanding,
    choosing,
    buttons,
    shares,
    enqueue,
    makings,
    linkNeeded,
    cancelling,
    administration: { store, oversight, forgetting, audit, clock, enqueue, end: cancelling.end },
    isCommand,
    ...ambient,
  });
  const handle = createHandle({
    store,
    access,
    forms,
    purposeOf,
    parked,
    buttons,
    answer,
    act,
    commanding,
    makings,
    linkNeeded,
    forget,
    clock,
  });
  const executing = createExecuting({
    store,
    handle,
    platformOf,
    isCommand,
    signs,
    openReply,
    allowances,
    forgetting,
    audit,
    random,
    ...ambient,
  });

  const lanes = createLanes({
    store,
    owner: options.owner,
    exclusive: options.exclusive,
    ...ambient,
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
    async drain() {
      await lanes.drain();
      await strays.close();
    },
  };
}
