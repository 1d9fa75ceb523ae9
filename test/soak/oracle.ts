/** Compares what was asked with what the platforms show and what the model was asked: what is lost, doubled, out of order or left over. */
import { answeredIn, begunIn } from "./marks.ts";
import type { ModelCall } from "./model.ts";
import type { Seen } from "./stage.ts";

export interface Question {
  readonly mark: string;
  /** Both in ms since 1970; null: not acknowledged, or not yet. */
  readonly askedAt: number;
  acknowledgedAt: number | null;
}

export interface ThreadRecord {
  readonly questions: readonly Question[];
  readonly seen: readonly Seen[];
}

export interface Verdict {
  readonly asked: number;
  /** What the platform says was taken in. */
  readonly accepted: number;
  readonly answered: number;
  /** Taken in, and neither answered nor visibly given up. */
  readonly lost: readonly string[];
  /** Never taken in as far as the platform knows, and not found by making up for what was missed either. */
  readonly unheard: readonly string[];
  /** Answered in more than one message. */
  readonly duplicate: readonly string[];
  /** Messages of Parley's beyond one for each question. */
  readonly surplus: number;
  /** Begun after a question that was asked when this one had been taken in already. */
  readonly outOfOrder: readonly string[];
  /** Messages that still say that they work or wait. */
  readonly orphaned: readonly string[];
  /** Messages that say why there is no whole answer. */
  readonly givenUp: readonly string[];
  /** Questions that the model was asked more than once, and how long after the first time. */
  readonly askedTwice: readonly string[];
}

/** Whether every question of a thread has its whole answer or a message that gives up, and nothing is still at work. */
export function isSettled({ questions, seen }: ThreadRecord): boolean {
  return seen.filter(({ working }) => !working).length >= questions.length && !seen.some(({ working }) => working);
}

const shortened = (text: string): string => text.replace(/\s+/g, " ").slice(0, 160);

function judgeThread({ questions, seen }: ThreadRecord, begun: ReadonlyMap<string, number>): Omit<Verdict, "askedTwice"> {
  const times = new Map<string, number>();
  for (const { text } of seen) {
    const mark = answeredIn(text) ?? begunIn(text);
    if (mark !== undefined) times.set(mark, (times.get(mark) ?? 0) + 1);
  }
  const whole = new Set(seen.filter(({ working }) => !working).map(({ text }) => answeredIn(text)));
  const accepted = questions.filter(({ acknowledgedAt }) => acknowledgedAt !== null);
  const rest = seen.filter(({ text, working }) => working || answeredIn(text) === undefined);
  const givenUp = rest.filter(({ working }) => !working);
  const orphaned = rest.filter(({ working }) => working);
  const isUnanswered = ({ mark }: Question): boolean => !whole.has(mark);
  const unanswered = accepted.filter(isUnanswered).map(({ mark }) => mark);
  const unheard = questions.filter((one) => one.acknowledgedAt === null && isUnanswered(one)).map(({ mark }) => mark);
  const outOfOrder = questions.filter((question, index) => {
    const at = begun.get(question.mark);
    // One that was asked after this had been taken in, but was begun before it.
    return questions
      .slice(index + 1)
      .some(
        (later) =>
          at !== undefined &&
          question.acknowledgedAt !== null &&
          later.askedAt > question.acknowledgedAt &&
          (begun.get(later.mark) ?? Infinity) < at,
      );
  });
  return {
    asked: questions.length,
    accepted: accepted.length,
    answered: questions.filter(({ mark }) => whole.has(mark)).length,
    // Each message that gives up or is at work accounts for one question; the first unanswered ones are taken for those.
    lost: unanswered.slice(rest.length),
    unheard: unheard.slice(Math.max(0, rest.length - unanswered.length)),
    duplicate: [...times].filter(([, count]) => count > 1).map(([mark]) => mark),
    surplus: Math.max(0, seen.length - questions.length),
    outOfOrder: outOfOrder.map(({ mark }) => mark),
    orphaned: orphaned.map(({ text }) => shortened(text)),
    givenUp: givenUp.map(({ text }) => shortened(text)),
  };
}

export function judge(threads: readonly ThreadRecord[], calls: readonly ModelCall[]): Verdict {
  const begun = new Map<string, number>();
  const times = new Map<string, number[]>();
  for (const { mark, began } of calls) {
    if (!begun.has(mark)) begun.set(mark, began);
    times.set(mark, [...(times.get(mark) ?? []), began]);
  }
  const all = threads.map((thread) => judgeThread(thread, begun));
  const sum = (field: "asked" | "accepted" | "answered" | "surplus"): number => all.reduce((total, one) => total + one[field], 0);
  const list = (field: "lost" | "unheard" | "duplicate" | "outOfOrder" | "orphaned" | "givenUp"): readonly string[] =>
    all.flatMap((one) => one[field]);
  return {
    asked: sum("asked"),
    accepted: sum("accepted"),
    answered: sum("answered"),
    surplus: sum("surplus"),
    lost: list("lost"),
    unheard: list("unheard"),
    duplicate: list("duplicate"),
    outOfOrder: list("outOfOrder"),
    orphaned: list("orphaned"),
    givenUp: list("givenUp"),
    askedTwice: [...times]
      .filter(([, all]) => all.length > 1)
      .map(
        ([mark, all]) =>
          `${mark} after ${all
            .slice(1)
            .map((at) => `${at - (all[0] ?? 0)} ms`)
            .join(", ")}`,
      ),
  };
}

/** The largest rate that none in `n` leaves possible, with 95% certainty: the rule of three. */
export const boundOf = (n: number): number => (n === 0 ? 1 : 3 / n);
