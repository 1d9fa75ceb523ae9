/** The oracle sees what it is there for: each kind of failure, planted by hand. */
import { describe, expect, test } from "vitest";
import { explain, explainFailedAnswer, explainUnknown } from "../../src/core/turns/explain.ts";
import { WorkspaceFault } from "../../src/errors.ts";
import { markIn, markOf, questionOf, wholeAnswer } from "./marks.ts";
import { boundOf, isSettled, judge, type Question, type ThreadRecord } from "./oracle.ts";
import type { Seen } from "./stage.ts";

const marks = [0, 1, 2].map((turn) => markOf(4, turn));
const [first = "", second = "", third = ""] = marks;
const questions: Question[] = marks.map((mark, index) => ({ mark, askedAt: index * 100, acknowledgedAt: index * 100 + 10 }));
const footer = "soak, chosen automatically · 2.1 s · 0.04225 credits · as the team's account";
const says = (text: string): Seen => ({ text, working: false });
const whole = (mark: string): Seen => says(`${wholeAnswer(mark)}\n${footer}\nGood answer\nBad answer`);
const half = (mark: string): string => wholeAnswer(mark).slice(0, 60);
const gaveUp = says(`⚠️ ${explain(new WorkspaceFault("unreachable", ""))}\nTry again`);
/** A thread with these messages. */
const thread = (seen: readonly Seen[], over: Partial<ThreadRecord> = {}): ThreadRecord => ({
  questions,
  seen,
  takenAway: [],
  ...over,
});
const calls = (...order: string[]) => order.map((mark, index) => ({ mark, began: 1_000 + index, ended: 2_000 }));
const fine = [whole(first), whole(second), whole(third)];

describe("the oracle", () => {
  test("finds nothing wrong with three answers", () => {
    expect(judge([thread(fine)], calls(first, second, third))).toEqual({
      asked: 3,
      accepted: 3,
      answered: 3,
      lost: [],
      unheard: [],
      duplicate: [],
      surplus: 0,
      outOfOrder: [],
      shownOutOfOrder: [],
      orphaned: [],
      givenUp: [],
      damaged: [],
      takenAway: [],
      elsewhere: [],
      askedTwice: [],
    });
  });

  test.each<[string, Seen[], object]>([
    ["a question without a message", [whole(first), whole(third)], { lost: [second] }],
    ["an answer in two messages", [...fine, whole(second)], { duplicate: [second], surplus: 1 }],
    ["half an answer beside the whole one", [...fine, { text: half(second), working: true }], { duplicate: [second] }],
    [
      "a message that still works",
      [whole(first), whole(second), { text: "Thinking…", working: true }],
      { lost: [], orphaned: ["Thinking…"] },
    ],
    [
      "a message that gives up",
      [whole(first), gaveUp, whole(third)],
      { lost: [], damaged: [], answered: 2, givenUp: [expect.stringContaining("cannot be reached")] },
    ],
    ["a message too many", [...fine, gaveUp], { surplus: 1 }],
    ["answers that stand in the wrong order", [whole(second), whole(first), whole(third)], { shownOutOfOrder: [first] }],
    [
      "an answer that broke off above one that was asked for before",
      [says(`${half(second)}\n⚠️ ${explainUnknown}`), whole(first), whole(third)],
      { shownOutOfOrder: [first], givenUp: [expect.stringContaining(second)] },
    ],
  ])("tells %s", (_, seen, expected) => {
    expect(judge([thread(seen)], calls(first, second, third))).toMatchObject(expected);
  });

  test.each<[string, string]>([
    ["an answer that ends in the middle: an old edit that stays", half(second)],
    ["a sign that stays without its button", "Thinking…"],
    ["nothing", "…"],
    ["a proxy's words", "@ghost 503 upstream trouble"],
    ["a raw answer in a notice", `⚠️ ${explainFailedAnswer("<html><body>Please wait…</body></html>", null)}`],
    ["a notice of what is not wrong", `⚠️ ${explain(new WorkspaceFault("unauthorized", ""))}`],
    ["a notice with words beside it", `⚠️ ${explainUnknown}\nand more`],
    ["a notice that is none of Parley's", "The workspace cannot be reached, try later."],
    ["a notice below words that begin no answer", `Some words\n⚠️ ${explainUnknown}`],
    ["a notice below a whole answer of another thread", `${wholeAnswer(markOf(9, 0))}\n⚠️ ${explainUnknown}`],
    ["an answer of another thread", whole(markOf(9, 0)).text],
    ["a whole answer with words before it", `Well. ${whole(second).text}`],
    ["a whole answer with words behind it", `${whole(second).text}\nThinking…`],
    ["a whole answer with some of it twice", `${wholeAnswer(second)}\n${half(second)}`],
    ["two answers in one message", `${wholeAnswer(second)}\n${wholeAnswer(third)}`],
  ])("tells of damage: %s", (_, text) => {
    expect(judge([thread([whole(first), says(text), whole(third)])], calls(first, second, third))).toMatchObject({
      answered: 2,
      lost: [],
      givenUp: [],
      damaged: [expect.stringContaining(text.slice(0, 5))],
    });
  });

  test.each<[string, string]>([
    ["a failed answer", `⚠️ ${explainFailedAnswer("overloaded", null)}`],
    ["a failed answer with its reference", `⚠️ ${explainFailedAnswer("overloaded.", "E-17_a")}\nTry again`],
    ["what there is of a failed answer", `${half(second)}\n⚠️ ${explainFailedAnswer("overloaded", null)}\nTry again`],
    ["a send of which nothing is known", `⚠️ ${explainUnknown}\nAsk again`],
    ["the workspace's words", `⚠️ ${explain(new WorkspaceFault("unavailable", "no model answers"))}`],
    ["something of Parley's own", `⚠️ ${explain(new Error("x"))}`],
    ["a notice as it is written for Discord", `⚠️ ${explainFailedAnswer("out\\_of\\_memory \\[7\\]", null)}`],
  ])("tells of giving up: %s", (_, text) => {
    expect(judge([thread([whole(first), says(text), whole(third)])], calls(first, third))).toMatchObject({
      lost: [],
      damaged: [],
      givenUp: [expect.any(String)],
    });
  });

  test("an answer may have come late, and be written as Discord has it", () => {
    const late = "shown 42 seconds late, as too much was being posted here";
    const seen = [whole(first), says(`${wholeAnswer(second)}\n-# ${footer} · ${late}`), says(wholeAnswer(third))];
    expect(judge([thread(seen)], calls(first, second, third))).toMatchObject({ answered: 3, damaged: [] });
  });

  test("tells what was posted and taken away, and what stands in no thread", () => {
    const found = judge([thread(fine, { takenAway: ["Thinking…", whole(second).text] })], calls(first, second, third), [
      "Hello!",
    ]);
    expect(found).toMatchObject({
      answered: 3,
      takenAway: ["Thinking…", expect.stringContaining(second)],
      elsewhere: ["Hello!"],
    });
  });

  test("tells what was begun before its turn, and only where one had been taken in before the other was asked", () => {
    expect(judge([thread(fine)], calls(second, first, third)).outOfOrder).toEqual([first]);
    const atOnce = questions.map((question) => ({ ...question, askedAt: 0 }));
    const swapped = [whole(second), whole(first), whole(third)];
    expect(judge([thread(swapped, { questions: atOnce })], calls(second, first, third))).toMatchObject({
      outOfOrder: [],
      shownOutOfOrder: [],
    });
    const refused = questions.map((question) => ({ ...question, acknowledgedAt: null }));
    expect(judge([thread(swapped, { questions: refused })], calls(second, first, third))).toMatchObject({
      outOfOrder: [],
      shownOutOfOrder: [],
    });
  });

  test("tells what the model was asked twice, and what was never taken in and is not answered", () => {
    expect(judge([thread(fine)], calls(first, second, second, third)).askedTwice).toEqual([`${second} after 1 ms`]);
    const refused = questions.map((question) => ({ ...question, acknowledgedAt: question.mark === second ? null : 1 }));
    const among = (seen: readonly Seen[]): ThreadRecord => thread(seen, { questions: refused });
    expect(judge([among([whole(first), whole(third)])], calls(first, third))).toMatchObject({
      accepted: 2,
      lost: [],
      unheard: [second],
    });
    expect(judge([among(fine)], calls(first, second, third))).toMatchObject({ accepted: 2, unheard: [] });
    expect(judge([among([whole(first), gaveUp, whole(third)])], calls(first, third)).unheard).toEqual([]);
  });

  test("a thread is settled when each question has a message at its end", () => {
    expect(isSettled(thread(fine))).toBe(true);
    expect(isSettled(thread([whole(first), gaveUp, whole(third)]))).toBe(true);
    expect(isSettled(thread(fine.slice(1)))).toBe(false);
    expect(isSettled(thread([whole(first), whole(second), { text: "…", working: true }]))).toBe(false);
  });

  test("the bound of none in 10,000 is 0.03%", () => expect(boundOf(10_000)).toBeCloseTo(0.0003));

  test("a question has one mark, and quoted ones before it do not count", () => {
    expect(markIn(`${questionOf(first)}\n${questionOf(second)}`)).toBe(second);
  });
});
