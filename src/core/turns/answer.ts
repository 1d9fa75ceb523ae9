/** Answers a message: within what its asker may spend, when there is room, as the account that the table chooses. */
import type { Clock } from "../../clock.ts";
import { formatMoney, money, parseMoney } from "../../contract/money.ts";
import { placeRules, whereIs, type AccessRules } from "../access.ts";
import type { Alone } from "../alone.ts";
import type { InboundMessage } from "../inbound.ts";
import type { Creations } from "../media/creations.ts";
import type { Links } from "../links.ts";
import type { JobWatch } from "../media/job-watch.ts";
import type { FetchFiles } from "../media/fetch.ts";
import type { CoreMetrics } from "../metrics.ts";
import type { SettingsBook } from "../settings.ts";
import type { Shares } from "./share.ts";
import type { ThreadNames } from "../thread-names.ts";
import type { Threads } from "../threads.ts";
import { accountFor, onBehalfOf, type Choosing, type Chosen } from "./account.ts";
import { converse } from "./converse.ts";
import type { Conversing } from "./conversing.ts";
import type { ExplainTo } from "./explain-to.ts";
import type { LinkNeeded } from "./link-needed.ts";
import { nameThread } from "./name-thread.ts";
import { deny } from "./notices.ts";
import { permittedWrites } from "./permitted.ts";
import { answerPrompt } from "./run-prompt.ts";
import type { TurnRun } from "./run.ts";
import type { Ending } from "./settle.ts";
import { stopAction, workingReply } from "./show.ts";
import { openly, type Showing } from "./showing.ts";
import { transcriptsCost } from "./tell-transcripts.ts";
import { withholding } from "./withholding.ts";
import type { Limit } from "./limit.ts";

export interface AnsweringOptions {
  readonly access: (platform: string) => AccessRules;
  readonly choosing: (message: InboundMessage) => Choosing;
  readonly limit: Limit;
  readonly linkNeeded: LinkNeeded;
  /** Whose accounts are linked. */
  readonly links: Pick<Links, "byId">;
  /** What people were shown alone, and may share. */
  readonly shares: Shares;
  readonly explainTo: ExplainTo;
  readonly alone: Alone;
  readonly threads: Threads;
  readonly settings: SettingsBook;
  readonly carried: Creations["carried"];
  readonly fetch: FetchFiles;
  /** Follows media jobs. */
  readonly watch: JobWatch;
  /** Where threads have names of their own. */
  readonly threadNames: (platform: string) => ThreadNames | undefined;
  readonly clock: Clock;
  readonly metrics: CoreMetrics;
}

/** Answers `message` in the message of the turn `key`. */
export type Answer = (run: TurnRun, message: InboundMessage, key: string) => Promise<Ending>;

export function createAnswer(options: AnsweringOptions): Answer {
  const { alone, settings, fetch, watch, clock, metrics, linkNeeded } = options;
  /** What an answer keeps beside its turn. */
  const keeping = ({ lease }: TurnRun) => ({
    threads: permittedWrites(options.threads, lease, ["set", "forget"]),
    carried: permittedWrites(options.carried, lease, ["delete"]),
    shares: permittedWrites(options.shares, lease, ["set"]),
  });
  /** With somebody's own key, where others read along, nothing is shown before it is known what it draws on. */
  const isOpen = (message: InboundMessage, { as, account }: Chosen): boolean =>
    as === "team" ||
    // Everybody there may ask with the operator's key as it is.
    (account.kind === "shared" && placeRules(message, options.access(message.place.platform)).shared) ||
    whereIs(message, options.access(message.place.platform)) === "direct";
  const showingOf = async (run: TurnRun, message: InboundMessage, key: string, chosen: Chosen): Promise<Showing> => {
    if (isOpen(message, chosen)) return openly(run);
    const { id } = chosen.account;
    const owner = chosen.as === "own" ? message.author.id : ((await options.links.byId(id))?.person ?? null);
    const { shares, threads } = keeping(run);
    return withholding(run, message, { key, account: id, owner, shares, threads, settings });
  };
  return async (run, message, key) => {
    const limited = await options.limit(run, message);
    if (limited !== null) return deny(run, message, limited.refusal);
    const { platform } = message.place;
    // Shown before anything else is looked up, where nothing but the message itself can be refused any more.
    const sure = message.prompt === undefined && placeRules(message, options.access(platform)).shared;
    if (sure && run.progress().sent === undefined) run.relay().show(workingReply("Thinking…", [stopAction(key)]));
    const chosen = await accountFor(run, message, message.prompt === undefined ? "send" : "prompt", options.choosing(message));
    if ("refusal" in chosen) return linkNeeded.deny(run, message, chosen.refusal);
    const { id, workspace, lists } = chosen.account;
    const onBehalf = onBehalfOf(chosen);
    const keyRefused = (): Promise<Ending | null> => linkNeeded.keyRefused(run, message);
    const needed = message.prompt === undefined ? "conversations_manage" : "run_prompt";
    const explain = (thrown: unknown): Promise<string> => options.explainTo(run, message, thrown, { needed });
    const { threads, carried } = keeping(run);
    const around = { alone, threads, settings, carried, fetch, watch, clock, metrics };
    const showing = await showingOf(run, message, key, chosen);
    const conversing: Conversing = { ...around, account: id, onBehalf, showing, keyRefused, explain, workspace, lists };
    const ending = await (message.prompt === undefined
      ? converse(run, message, key, conversing)
      : answerPrompt(run, message, message.prompt, key, conversing));
    // A conversation's name is made from what is said in it.
    if (ending.outcome === "answered" && isOpen(message, chosen))
      await nameThread(run, { names: options.threadNames(platform), workspace, clock });
    const heard = transcriptsCost(run);
    return heard === null ? ending : { ...ending, credits: formatMoney(money(heard).plus(parseMoney(ending.credits) ?? 0)) };
  };
}
