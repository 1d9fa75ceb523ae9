/** What a message says, word by word: a whole answer and nothing else, a notice that Parley gives up with, or neither. */
import { explain, explainFailedAnswer, explainUnknown } from "../../src/core/turns/explain.ts";
import { Fault, WorkspaceFault, type WorkspaceFaultKind } from "../../src/errors.ts";
import { begunIn, wholeAnswer } from "./marks.ts";

export interface Reading {
  /** `damaged`: words that no message of Parley's should be left with. */
  readonly says: "answer" | "gave up" | "damaged";
  /** The question of which it shows the answer, or the beginning of one. */
  readonly mark: string | undefined;
}

/** Where the workspace's own words stand, and its reference. */
const [words, reference] = ["%%", "##"];
/** The words are one line; a page or a raw answer is none of them. */
const pattern = (line: string): string =>
  line
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replace(words, "[^<>{}\\n]+")
    .replace(reference, "[\\w-]+");

/** What the soak does to the workspace can be told as these: a key, a right or a quota is never what is wrong there. */
const kinds: readonly WorkspaceFaultKind[] = ["unreachable", "lost", "malformed", "rate_limited", "unavailable"];
const notices: readonly string[] = [
  ...kinds.map((kind) => explain(new WorkspaceFault(kind, ""))),
  explain(new WorkspaceFault("unavailable", words)),
  explain(new Fault("answer_stalled", "")),
  explain(new Error("a fault of Parley's")),
  explainUnknown,
  explainFailedAnswer(words, null),
  explainFailedAnswer(words, reference),
];
const notice = new RegExp(`^⚠️ (?:${notices.map(pattern).join("|")})$`);
const retryButtons: ReadonlySet<string> = new Set(["Try again", "Ask again"]);

const ratingButtons: ReadonlySet<string> = new Set(["Good answer", "Bad answer"]);
/** The quiet last line. */
const footerParts = [
  /^soak(?:, chosen automatically)?$/,
  /^\d+(?:\.\d)? s$/,
  /^\d+(?:\.\d+)? credits$/,
  /^as the team's account$/,
  /^shown \d+ (?:seconds|minutes) late, as too much was being posted here$/,
];
const isFooter = (line: string): boolean => line.split(" · ").every((part) => footerParts.some((known) => known.test(part)));

/** The words without what a platform writes them with: escapes, and the sign of a small line. */
const plain = (text: string): string => text.replace(/\\(?=[^\w\s])/g, "").replace(/^-# /gm, "");

/** @param text of a message that says no more that it works or waits */
export function readingOf(text: string): Reading {
  const mark = begunIn(text);
  const whole = mark === undefined ? undefined : wholeAnswer(mark);
  const [first = "", ...rest] = plain(text).trim().split("\n");
  const under = (buttons: ReadonlySet<string>): string[] => rest.filter((line) => line !== "" && !buttons.has(line));
  if (first === whole && under(ratingButtons).every(isFooter)) return { says: "answer", mark };
  // Above the notice stands what there is of the answer, if anything.
  const lines = [first, ...under(retryButtons)];
  const last = lines.pop() ?? "";
  const beginning = lines.join("\n");
  const isBeginning = beginning === "" || whole?.startsWith(beginning) === true;
  return { says: isBeginning && notice.test(last) ? "gave up" : "damaged", mark };
}
