/** Tells what went wrong, and an operator also what the workspace key lacks. */
import type { Permission } from "../../contract/permissions.ts";
import { WriteFault } from "../../errors.ts";
import { isOperator, whereIs, type AccessRules, type Asked } from "../access.ts";
import { failedDocument } from "../document.ts";
import { forOperators } from "../not-enabled.ts";
import { explain, lacksPermission } from "./explain.ts";
import type { TurnRun } from "./run.ts";

/** What a fault is told with. */
export interface Telling {
  /** What is known to be needed, where the workspace does not say it. */
  readonly needed: Permission | null;
  /** The asker alone reads what this gives. */
  readonly alone?: true;
}

/** The words for whoever reads them. An operator in company is told apart, and alone, what the key lacks. */
export type ExplainTo = (run: TurnRun, asked: Asked, thrown: unknown, telling: Telling) => Promise<string>;

export const createExplainTo =
  (access: (platform: string) => AccessRules): ExplainTo =>
  async (run, asked, thrown, { needed, alone }) => {
    const { place, author } = asked;
    const rules = access(place.platform);
    if (!lacksPermission(thrown) || !isOperator(author, rules)) return explain(thrown);
    const notice = forOperators(thrown, needed);
    if (alone === true || whereIs(asked, rules) === "direct") return notice;
    try {
      await run.platform.whisper(place, author, failedDocument(notice), run.lease.permit());
    } catch (fault) {
      // It stands in the log, too.
      if (!(fault instanceof WriteFault)) throw fault;
      run.log.warn({ err: fault, turn: run.turn.key }, "an operator could not be told what the workspace key lacks");
    }
    return explain(thrown);
  };
