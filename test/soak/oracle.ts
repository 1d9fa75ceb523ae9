/** Compares what was asked with what the platforms show and what the model was asked: what is lost, doubled, out of order or left over. */
import { begunIn } from "./marks.ts";
import type { ModelCall } from "./model.ts";
import { readingOf } from "./oracle-reading.ts";
import type { Seen } from "./stage.ts";

export interface Question {
  readonly mark: string;
  /** Both in ms since 1970; null: not acknowledged, or not yet. */
  readonly askedAt: number;
  acknowledgedAt: number | null;
}

export interface ThreadRecord {
  readonly questions: readonly Question[];
  /** What stands there, oldest first. */
  readonly seen: readonly Seen[];
  /** What stood there, and was deleted. */
  readonly takenAway: readonly string[];
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
  /** Their answer stands below that to a question that was asked when they had been taken in already. */
  readonly shownOutOfOrder: readonly string[];
  /** Messages that still say that they work or wait. */
  readonly orphaned: readonly string[];
  /** Messages that say, in words of Parley's own, why there is no whole answer. */
  readonly givenUp: readonly string[];
  /** Messages with anything else in them: an old text that stays, what is no answer of this thread, words beside a whole answer. */
  readonly damaged: readonly string[];
  /** Messages that people saw for a while. */
  readonly takenAway: readonly string[];
  /** Messages in no thread that somebody asked in. */
  readonly elsewhere: readonly string[];
  /** Questions that the model was asked more than once, and how long after the first time. */
  readonly askedTwice: readonly string[];
}

/** Whether every question of a thread has its whole answer or a message that gives up, and nothing is still at work. */
export function isSettled({ questions, seen }: ThreadRecord): boolean {
  return seen.filter(({ working }) => !working).length >= questions.length && !seen.some(({ working }) => working);
}

const shortened = (text: string): string => text.replace(/\s+/g, " ").slice(0, 160);

/** Questions whose `at` is behind that of a later one, which was asked when they had been taken in already. */
const overtaken = (questions: readonly Question[], at: ReadonlyMap<string, number>): readonly string[] =>
  questions
    .filter(({ mark, acknowledgedAt }, index) => {
      const mine = at.get(mark);
      if (mine === undefined || acknowledgedAt === null) return false;
      return questions
        .slice(index + 1)
        .some((later) => later.askedAt > acknowledgedAt && (at.get(later.mark) ?? Infinity) < mine);
    })
    .map(({ mark }) => mark);

type ThreadVerdict = Omit<Verdict, "askedTwice" | "elsewhere">;

function judgeThread({ questions, seen, takenAway }: ThreadRecord, begun: ReadonlyMap<string, number>): ThreadVerdict {
  const asked = new Set(questions.map(({ mark }) => mark));
  const times = new Map<string, number>();
  const places = new Map<string, number>();
  for (const [place, { text }] of seen.entries()) {
    const mark = begunIn(text);
    if (mark === undefined) continue;
    times.set(mark, (times.get(mark) ?? 0) + 1);
    if (!places.has(mark)) places.set(mark, place);
  }
  const ended = seen
    .filter(({ working }) => !working)
    .map(({ text }) => {
      const { says, mark } = readingOf(text);
      return { text, mark, says: mark === undefined || asked.has(mark) ? says : "damaged" };
    });
  const saying = (what: string): typeof ended => ended.filter(({ says }) => says === what);
  const whole = new Set(saying("answer").map(({ mark }) => mark));
  const accepted = questions.filter(({ acknowledgedAt }) => acknowledgedAt !== null);
  const isUnanswered = ({ mark }: Question): boolean => !whole.has(mark);
  const unanswered = accepted.filter(isUnanswered).map(({ mark }) => mark);
  const unheard = questions.filter((one) => one.acknowledgedAt === null && isUnanswered(one)).map(({ mark }) => mark);
  const orphaned = seen.filter(({ working }) => working);
  const rest = seen.length - saying("answer").length;
  const textsOf = (some: readonly { readonly text: string }[]): string[] => some.map(({ text }) => shortened(text));
  return {
    asked: questions.length,
    accepted: accepted.length,
    answered: questions.filter(({ mark }) => whole.has(mark)).length,
    // Each message that is no answer accounts for one question; the first unanswered ones are taken for those.
    lost: unanswered.slice(rest),
    unheard: unheard.slice(Math.max(0, rest - unanswered.length)),
    duplicate: [...times].filter(([, count]) => count > 1).map(([mark]) => mark),
    surplus: Math.max(0, seen.length - questions.length),
    outOfOrder: overtaken(questions, begun),
    shownOutOfOrder: overtaken(questions, places),
    orphaned: textsOf(orphaned),
    givenUp: textsOf(saying("gave up")),
    damaged: textsOf(saying("damaged")),
    takenAway: takenAway.map(shortened),
  };
}

/** @param elsewhere what Parley has written in no thread of these */
export function judge(threads: readonly ThreadRecord[], calls: readonly ModelCall[], elsewhere: readonly string[] = []): Verdict {
  const begun = new Map<string, number>();
  const times = new Map<string, number[]>();
  for (const { mark, began } of calls) {
    if (!begun.has(mark)) begun.set(mark, began);
    times.set(mark, [...(times.get(mark) ?? []), began]);
  }
  const all = threads.map((thread) => judgeThread(thread, begun));
  const sum = (field: "asked" | "accepted" | "answered" | "surplus"): number => all.reduce((total, one) => total + one[field], 0);
  const list = (field: Exclude<keyof ThreadVerdict, Parameters<typeof sum>[0]>): readonly string[] =>
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
    shownOutOfOrder: list("shownOutOfOrder"),
    orphaned: list("orphaned"),
    givenUp: list("givenUp"),
    damaged: list("damaged"),
    takenAway: list("takenAway"),
    elsewhere: elsewhere.map(shortened),
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
