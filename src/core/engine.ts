/** The core put together: what comes in is stored, waits in its lane, is run, and is shown. */
import { Decimal } from "decimal.js";
import type { Clock } from "../clock.ts";
import { parseMoney } from "../contract/money.ts";
import { Fault, reasonOf, WriteFault } from "../errors.ts";
import type { Log } from "../log.ts";
import { isOperator, judge, placeRules, refuseAccess, whereIs, type AccessRules } from "./access.ts";
import type { Account, Accounts } from "./accounts.ts";
import type { Allowances, Spender } from "./allowances.ts";
import type { Alone } from "./alone.ts";
import { auditedOf, kindOf, type Audit, type AuditEntry } from "./audit.ts";
import type { Bell, Ring } from "./bell.ts";
import { answersLimit, laneLimit, tooMuch } from "./busy.ts";
import { isCommandButton, tooOld, type ButtonBook } from "./command-buttons.ts";
import type { Command, CommandContexts } from "./commands/table.ts";
import type { Directory, SuggestionSource } from "./commands/types.ts";
import type { Forgetting } from "./forgetting.ts";
import { linkPurpose } from "./commands/link-form.ts";
import { createOffering } from "./forms/offering.ts";
import type { FormBook } from "./forms/book.ts";
import type { FormPurpose } from "./forms/purpose.ts";
import type {
  Inbound,
  InboundAction,
  InboundCommand,
  InboundMessage,
  InboundNotice,
  InboundSubmission,
  Inbox,
  Person,
} from "./inbound.ts";
import type { FormDraft } from "./forms.ts";
import { laneOf } from "./lane-of.ts";
import { makeName, type Creations } from "./media/creations.ts";
import { createFetch } from "./media/fetch.ts";
import { createJobWatch } from "./media/job-watch.ts";
import { createGate } from "./gate.ts";
import { createLinking, type LinkingOptions } from "./linking.ts";
import { cutKeys } from "./spilled-keys.ts";
import { atOnce, createLanes } from "./lanes.ts";
import type { CoreMetrics } from "./metrics.ts";
import type { Deed } from "./permissions.ts";
import type { Oversight } from "./oversight.ts";
import { placeKey, type Place } from "./place.ts";
import type { ChatPlatform } from "./platform.ts";
import type { Refusal } from "./refusal.ts";
import type { Pacer } from "./relay/pacer.ts";
import { openRelay, type Relay, type RelayMetrics } from "./relay/relay.ts";
import type { SettingsBook } from "./settings.ts";
import { suggestions } from "./suggestions.ts";
import type { ThreadNames } from "./thread-names.ts";
import type { Threads } from "./threads.ts";
import { accountFor, chooseAccount, onBehalfOf, type Choosing } from "./turns/account.ts";
import { runCommand } from "./turns/command.ts";
import { adminActions, administer } from "./turns/admin.ts";
import { cancel, change, rate, retryOf, verdictOf } from "./turns/control.ts";
import { converse } from "./turns/converse.ts";
import type { Conversing } from "./turns/conversing.ts";
import { asksToBeForgotten, forgetActions, forgetAsker, purgeTenant, takeBack, type Forget } from "./turns/forget.ts";
import { createLinkNeeded, givenUpAction } from "./turns/link-needed.ts";
import { answerPrompt } from "./turns/run-prompt.ts";
import { share, shareAction, shareKeptMs, shareName, type Shares } from "./turns/share.ts";
import { warnOfKey } from "./turns/spilled.ts";
import { deny, greet } from "./turns/notices.ts";
import { createMakings } from "./turns/makings.ts";
import { carryName } from "./turns/show-made.ts";
import { withdraw, type Ending, undeliverableMs } from "./turns/settle.ts";
import type { Commanding } from "./turns/result.ts";
import { nameThread } from "./turns/name-thread.ts";
import { removal, removalOf, type Lease, type TurnRun } from "./turns/run.ts";
import { busyReply, stopAction, workingReply } from "./turns/show.ts";
import type { Leaves, StoredTurn, TurnStore } from "./turns/store.ts";
import { runSubmission } from "./turns/submission.ts";
import { takeUp, type ReplyStart } from "./turns/take-up.ts";
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

/** A turn whose platform this process does not have is looked at again after this, in ms. */
const absentMs = 60_000;

export function createEngine(options: EngineOptions): Engine {
  const {
    store,
    accounts,
    commands,
    threads,
    settings,
    forms,
    buttons,
    audit,
    forgetting,
    allowances,
    oversight,
    bell,
    clock,
    metrics,
    log,
  } = options;
  const { parked } = options.people;
  const isCommand = (name: string): boolean => commands.some((command) => command.name === name);
  const gate = createGate(answersLimit, clock);
  const fetch = createFetch(clock);
  const watch = createJobWatch(clock, (thrown) =>
    log.warn({ reason: reasonOf(thrown) }, "jobs could not be looked at; tried again"),
  );
  /** Turns that run here. */
  const runs = new Map<string, { readonly again: () => void }>();

  const platformOf = (name: string): ChatPlatform | undefined => options.platforms().find((platform) => platform.name === name);
  const openReply = (start: ReplyStart): Relay =>
    openRelay({ ...start, pacer: options.pacer, clock, random: options.random, metrics, log });
  const signs = createSigns({
    store,
    log,
    open(inbound, { delivery, sure }, guard, journal) {
      const platform = platformOf(inbound.place.platform);
      if (platform === undefined) return undefined;
      return openReply({
        platform,
        place: inbound.place,
        key: inbound.key,
        delivery,
        resumed: !sure,
        guard,
        journal,
      });
    },
  });

  const purposeOf = (kind: string): FormPurpose | undefined => options.purposes.find((purpose) => purpose.kind === kind);
  const isCrowded = async (lane: string): Promise<boolean> =>
    lanes.full || (await store.openIn(lane, laneLimit + 1)).length > laneLimit;
  const enqueue = async (inbound: Inbound): Promise<"new" | "known"> => {
    const form = inbound.kind === "submission" ? await forms.find(inbound.form) : undefined;
    const own = laneOf(inbound, commands, purposeOf(form?.draft.purpose.kind ?? ""));
    // What is too much gets a lane of its own, in which it is refused at once.
    const lane = own === placeKey(inbound.place) && (await isCrowded(own)) ? `${atOnce}${inbound.key}` : own;
    const stored = await store.put(inbound, lane, clock.now());
    if (stored === "known") return stored;
    metrics.turnReceived(inbound.place.platform, inbound.kind);
    announce(inbound, lane).catch((thrown: unknown) => {
      log.warn(
        { turn: inbound.key, reason: reasonOf(thrown) },
        "a stored turn could not be begun at once; the poll will find it",
      );
    });
    return stored;
  };
  /** A key is stored only where it was asked for. */
  const withoutSpilledKeys = async (inbound: Inbound): Promise<Inbound> => {
    const form = inbound.kind === "submission" ? await forms.find(inbound.form) : undefined;
    return form?.draft.purpose.kind === linkPurpose.kind ? inbound : cutKeys(inbound);
  };
  /** Begins a turn, or tells whoever runs its lane that it waits. */
  const announce = async (inbound: Inbound, lane: string): Promise<void> => {
    if ((await lanes.wake(lane)) === inbound.key) return;
    if (signs.watches(lane)) await signs.refresh(lane);
    else bell.ring({ lane });
  };

  const stop = async (key: string): Promise<void> => {
    lanes.stop(key);
    if (!(await store.requestStop(key, clock.now()))) log.info({ turn: key }, "a turn that was to be stopped had ended");
    bell.ring({ stop: key });
  };
  /**
   * Takes away whatever was posted for a turn that was cancelled while it waited; by the right of the turn that says so,
   * as the lane's own may end meanwhile.
   */
  const takeAway = async (run: TurnRun, { inbound, lane, progress, fence }: StoredTurn): Promise<void> => {
    const sign = await signs.dismiss(lane, inbound.key);
    if (signs.watches(lane)) await signs.refresh(lane);
    else bell.ring({ lane });
    if (sign === undefined && fence === 0 && progress.signed !== true) return;
    const { delivery, sure } = sign ?? { delivery: progress.delivery, sure: false };
    const { platform, lease } = run;
    const journal = (): Promise<void> => Promise.resolve();
    const { place, key } = inbound;
    const relay = openReply({ platform, place, key, delivery, resumed: !sure, guard: lease, journal });
    await withdraw(relay);
    await relay.close();
  };
  const end = (run: TurnRun, key: string): Promise<Ending> =>
    cancel(store, key, clock.now(), stop, (waiting) => takeAway(run, waiting));
  const forget: Forget = {
    forgetting,
    accounts,
    store,
    audit,
    clock,
    remove(key, leaves) {
      lanes.stop(key, removal(leaves));
      bell.ring({ stop: key, leaves });
    },
    takeAway,
  };

  const choosing = (inbound: { readonly place: Place }): Choosing => ({
    accounts,
    threads,
    access: options.access(inbound.place.platform),
  });
  /** Counts a turn once; a resumed one was counted by its former owner. */
  const limit = async (run: TurnRun, spender: Spender): Promise<{ readonly refusal: Refusal } | null> => {
    if (run.progress().counted === true) return null;
    const refused = await allowances.take(spender);
    if (refused === null) await run.save({ counted: true });
    return refused;
  };
  /** Answers when there is room; until then the asker sees what number they are. */
  const inTurn = async (run: TurnRun, answering: () => Promise<Ending>): Promise<Ending> => {
    const { lease, turn } = run;
    const leave = await gate.enter(lease.over, lease.stop, (number) =>
      run.relay().show(busyReply(number, [stopAction(turn.key)])),
    );
    try {
      return await answering();
    } finally {
      leave();
    }
  };
  /** Answers a message as the account that the table and its thread choose. */
  const answer = async (run: TurnRun, message: InboundMessage, key: string): Promise<Ending> => {
    const limited = await limit(run, message);
    if (limited !== null) return deny(run, message, limited.refusal);
    // Shown before anything else is looked up, where nothing but the message itself can be refused any more.
    const sure = message.prompt === undefined && placeRules(message, options.access(message.place.platform)).shared;
    if (sure && run.progress().sent === undefined) run.relay().show(workingReply("Thinking…", [stopAction(key)]));
    const chosen = await accountFor(run, message, message.prompt === undefined ? "send" : "prompt", choosing(message));
    if ("refusal" in chosen) return linkNeeded.deny(run, message, chosen.refusal);
    const { id, workspace, lists } = chosen.account;
    const conversing: Conversing = {
      account: id,
      onBehalf: onBehalfOf(chosen),
      keyRefused: () => linkNeeded.keyRefused(run, message),
      alone: options.alone,
      workspace,
      lists,
      threads,
      settings,
      carried: options.creations.carried,
      fetch,
      clock,
      metrics,
    };
    const ending = await (message.prompt === undefined
      ? converse(run, message, key, conversing)
      : answerPrompt(run, message, message.prompt, key, conversing));
    if (ending.outcome === "answered")
      await nameThread(run, { names: options.threadNames(message.place.platform), workspace, clock });
    return ending;
  };
  const act = async (run: TurnRun, action: InboundAction): Promise<Ending> => {
    if (action.action === "stop") return end(run, action.turn);
    if (action.action === shareName) return share(run, action, options.shares, clock);
    if (isCommandButton(action.action)) return press(run, action);
    if (action.action === givenUpAction) return linkNeeded.tellGivenUp(run, action);
    if (action.action === makeName) return makings.press(run, action);
    if (action.action === carryName) return makings.carry(run, action);
    const forgets = forgetActions.find((known) => known === action.action);
    if (forgets !== undefined) return forgetAsker(run, action, forget, forgets);
    const administers = adminActions.find((known) => known === action.action);
    if (administers !== undefined) {
      const may = await chooseAccount(action, "admin", choosing(action));
      if ("refusal" in may) return deny(run, action, may.refusal);
      return administer(run, action, administers, { store, oversight, forgetting, audit, clock, enqueue, end });
    }
    const verdict = verdictOf(action.action);
    if (verdict !== undefined) return rate(run, action, verdict, { store, clock, metrics });
    const words = action.action === "retry" ? await retryOf(run, store, action.turn) : undefined;
    if (words !== undefined) {
      const message = await run.platform.complete(words, run.lease.over);
      if (message.kind === "message") return answer(run, message, run.turn.key);
    }
    log.info({ turn: run.turn.key, kind: kindOf(action, isCommand) }, "an action that means nothing any more was ignored");
    return { outcome: "done", keepText: false };
  };
  /** Something that happened to Parley itself. */
  const notice = (run: TurnRun, happened: InboundNotice): Promise<Ending> =>
    happened.notice === "joined" ? greet(run, clock) : purgeTenant(run, happened, forget);
  const linking = createLinking({ ...options.people, enqueue, clock });
  const contextOf: CommandContexts = (command, account, signal) => ({
    command,
    account,
    workspace: account.workspace,
    lists: account.lists,
    threads,
    settings,
    store,
    creations: options.creations,
    oversight,
    linking,
    limits: platformOf(command.place.platform)?.limits ?? null,
    clock,
    signal,
    confirmed: command.confirmed === undefined ? null : () => buttons.begin(command.confirmed ?? ""),
    may: async (deed) => !("refusal" in (await chooseAccount(command, deed, choosing(command)))),
  });
  /** Whose lists suggestions come from: those of what is chosen here; the shared key's projects are the operators' to see. */
  const suggesting = async (source: SuggestionSource, place: Place, author: Person): Promise<Account | undefined> => {
    const asked = { place, author };
    const chosen = await chooseAccount(asked, source === "prompts" || source === "tools" ? "list" : "settings", choosing(asked));
    if ("refusal" in chosen) return undefined;
    const hidden =
      source === "projects" && chosen.account.kind === "shared" && !isOperator(author, options.access(place.platform));
    return hidden ? undefined : chosen.account;
  };
  const suggest: Directory["suggest"] = async (source, query, place, person) => {
    const account = await suggesting(source, place, person);
    return account === undefined ? [] : suggestions(account.lists, source, query, log);
  };
  const choose = (command: InboundCommand, deed: Deed) => chooseAccount(command, deed, choosing(command));
  const offering = createOffering({
    forms,
    commands,
    context: contextOf,
    choose,
    shared: accounts.shared,
    suggest,
    platformOf,
    clock,
    log,
  });
  const offer = async (draft: FormDraft, { place, author, direct }: Pick<Inbound, "place" | "author" | "direct">) =>
    (await offering.offer(draft, { place, person: author, ...(direct === undefined ? {} : { direct }) })).id;
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
  });
  const press = async (run: TurnRun, action: InboundAction): Promise<Ending> => {
    const command = await buttons.pressed(action);
    return command === undefined ? deny(run, action, tooOld) : runCommand(run, command, commandingOn(run, command));
  };
  const commandingOn = (run: TurnRun, inbound: InboundCommand | InboundSubmission): Commanding => ({
    clock,
    commands,
    context: contextOf,
    async accountFor(deed) {
      const spends = deed === "media" || deed === "tool";
      return (spends ? await limit(run, inbound) : null) ?? accountFor(run, inbound, deed, choosing(inbound));
    },
    limit: () => limit(run, inbound),
    choose,
    shared: accounts.shared,
    deny: (refusal) => linkNeeded.deny(run, inbound, refusal),
    keyRefused: () => linkNeeded.keyRefused(run, inbound),
    async keep({ key, place, author }, words) {
      if (whereIs(inbound, options.access(place.platform)) === "direct") return [];
      await options.shares.set(key, { person: author.id, place, words }, shareKeptMs);
      return [shareAction(key)];
    },
    enqueue,
    stop,
    make: (order) => makings.start(run, inbound, order),
    forget: () => forgetAsker(run, inbound, forget),
    offer,
    buttons: (wanted, asked) => buttons.keep(wanted, asked),
  });
  const handle = async (run: TurnRun): Promise<Ending> => {
    const received = run.turn.inbound;
    if (received.kind === "edit" && received.spilled !== true) return change(store, parked, received);
    if (received.kind === "delete") {
      await parked.remove(received.target);
      return takeBack(run, received, forget);
    }
    if (received.kind === "notice") return notice(run, received);
    if (run.turn.lane.startsWith(atOnce) && !laneOf(received, commands).startsWith(atOnce)) return deny(run, received, tooMuch);
    // Earlier messages of the thread, which come with it, may hold keys, too.
    const completed = await run.platform.complete(received, run.lease.over);
    const inbound = completed.kind === "message" ? cutKeys(completed) : completed;
    const access = options.access(inbound.place.platform);
    const refused = asksToBeForgotten(inbound) ? null : await refuseAccess(inbound, access);
    if (refused !== null) return deny(run, inbound, refused.refusal);
    if (inbound.spilled === true) return warnOfKey(run, inbound);
    if (run.progress().parked === true) return linkNeeded.resume(run, inbound);
    const begun = makings.resume(run, inbound);
    if (begun !== undefined) return begun;
    switch (inbound.kind) {
      case "message":
        return inTurn(run, () => answer(run, inbound, run.turn.key));
      case "command":
        return runCommand(run, inbound, commandingOn(run, inbound));
      case "submission":
        return runSubmission(run, inbound, { ...commandingOn(run, inbound), forms, purposeOf });
      case "action":
        return act(run, inbound);
      case "edit":
      case "delete":
      case "notice":
        throw new Fault("completed_otherwise", `a platform completed a ${received.kind} to another kind of turn`);
    }
  };

  /** A private answer that its person cannot be given, for good or for too long, ends the turn. */
  const untold = (run: TurnRun, thrown: unknown): Ending => {
    const tooLong = clock.now() - run.turn.createdAt > undeliverableMs;
    if (!(thrown instanceof WriteFault && (thrown.outcome === "gone" || tooLong))) throw thrown;
    log.warn({ err: thrown, turn: run.turn.key }, "a private answer can no longer be shown");
    return { outcome: "gone", keepText: false };
  };

  /** A turn whose message was deleted while it ran, or whose person is forgotten, shows nothing any more. */
  const vanish = async (run: TurnRun, leaves: Leaves): Promise<Ending> => {
    await withdraw(run.relay());
    return { outcome: "cancelled", keepText: false, leaves };
  };
  const entryOf = (run: TurnRun, { outcome, correlation, forgotten, leaves, kind: done }: Ending): AuditEntry => {
    const { inbound, key } = run.turn;
    const account = run.progress().account?.id ?? null;
    const kind = done ?? kindOf(inbound, isCommand);
    const entry = { ...auditedOf(inbound), kind, account, outcome, turn: key, correlation: correlation ?? null };
    if (leaves !== "nothing") return entry;
    const place = { ...inbound.place, channel: "", thread: null };
    const counts = forgotten === undefined ? {} : { counts: forgotten.counts };
    return { ...entry, place, person: forgotten?.pseudonym ?? null, turn: null, ...counts };
  };

  const runTurn = async (turn: StoredTurn, lease: Lease): Promise<void> => {
    const platform = platformOf(turn.inbound.place.platform);
    if (platform === undefined) {
      log.warn({ turn: turn.key, platform: turn.inbound.place.platform }, "a turn waits for a platform that is not configured");
      await store.release(turn, clock.now() + absentMs);
      return;
    }
    const sign = signs.take(turn.lane, turn.key);
    // Whatever is posted for a turn is posted under a claim, or as a sign that was noted before.
    const resumed = sign === undefined ? turn.fence > 1 || turn.progress.signed === true : !sign.sure;
    const run = takeUp({ turn, lease, platform, sign, resumed, store, openReply, log });
    runs.set(turn.lane, run);
    if (turn.lane === placeKey(turn.inbound.place)) signs.watch(turn.lane, lease);
    /** Writes that are under way come to their end: from then on another process may have the lane. */
    const putDown = async (): Promise<void> => void (await Promise.all([run.close(), signs.leave(turn.lane)]));
    try {
      const handled = await handle(run).catch((thrown: unknown) => untold(run, thrown));
      lease.over.throwIfAborted();
      const leaves = removalOf(lease.stop);
      const ending = leaves === undefined ? handled : await vanish(run, leaves);
      lease.over.throwIfAborted();
      // Counted before the turn is closed: after a crash in between it counts twice, never not at all.
      const credits = parseMoney(ending.credits);
      if (credits !== undefined && turn.inbound.kind !== "notice")
        await allowances.spend(turn.inbound, new Decimal(credits.toFixed()));
      await audit.record(entryOf(run, ending));
      await putDown();
      const closed = await store.close(turn, clock.now(), ending.outcome, ending.keepText);
      if (!closed) throw new Fault("lease_lost", "another process has the turn");
      if (ending.leaves === "nothing") await forgetting.drop(turn.key);
      if (ending.leaves === "key") await forgetting.strip(turn.key);
      metrics.turnClosed(platform.name, turn.inbound.kind, ending.outcome);
      log.info({ turn: turn.key, outcome: ending.outcome, ms: clock.now() - turn.createdAt }, "a turn has ended");
    } finally {
      await putDown();
      if (runs.get(turn.lane) === run) runs.delete(turn.lane);
    }
  };
  const lanes = createLanes({
    store,
    owner: options.owner,
    exclusive: options.exclusive,
    clock,
    metrics,
    log,
    run: runTurn,
    onLeft: (lane) => signs.forget(lane),
    onReleased: (lane) => bell.ring({ lane }),
    onLateWrite: (lane) => bell.ring({ again: lane }),
  });
  const heard = async (ring: Ring): Promise<void> => {
    if ("stop" in ring) lanes.stop(ring.stop, ring.leaves === undefined ? undefined : removal(ring.leaves));
    else if ("again" in ring) runs.get(ring.again)?.again();
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
    inbox: { receive: async (inbound) => (judge(inbound) === "ignore" ? "known" : enqueue(await withoutSpilledKeys(inbound))) },
    directory: {
      commands,
      suggest,
      form: offering.form,
      formOf: offering.formOf,
    },
    start: () => lanes.start(),
    giveUpWaiting: () => linkNeeded.giveUp(),
    drain: () => lanes.drain(),
  };
}
