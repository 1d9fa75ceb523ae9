/** The oracle sees what it is there for: each kind of failure, planted by hand. */
import { describe, expect, test } from "vitest";
import { markIn, markOf, questionOf, wholeAnswer } from "./marks.ts";
import { boundOf, isSettled, judge, type Question } from "./oracle.ts";
import type { Seen } from "./stage.ts";

const marks = [0, 1, 2].map((turn) => markOf(4, turn));
const [first = "", second = "", third = ""] = marks;
const questions: Question[] = marks.map((mark, index) => ({ mark, askedAt: index * 100, acknowledgedAt: index * 100 + 10 }));
const whole = (mark: string): Seen => ({ text: `${wholeAnswer(mark)} 2.1 s`, working: false });
const gaveUp: Seen = { text: "The workspace cannot be reached.", working: false };
const calls = (...order: string[]) => order.map((mark, index) => ({ mark, began: 1_000 + index, ended: 2_000 }));
const fine = [whole(first), whole(second), whole(third)];

describe("the oracle", () => {
  test("finds nothing wrong with three answers", () => {
    expect(judge([{ questions, seen: fine }], calls(first, second, third))).toEqual({
      asked: 3,
      accepted: 3,
      answered: 3,
      lost: [],
      unheard: [],
      duplicate: [],
      surplus: 0,
      outOfOrder: [],
      orphaned: [],
      givenUp: [],
      askedTwice: [],
    });
  });

  test.each<[string, Seen[], object]>([
    ["a question without a message", [whole(first), whole(third)], { lost: [second] }],
    [
      "an answer that ends in the middle",
      [whole(first), { text: wholeAnswer(second).slice(0, 60), working: false }, whole(third)],
      {
        answered: 2,
        lost: [],
        givenUp: [expect.stringContaining(second)],
      },
    ],
    ["an answer in two messages", [...fine, whole(second)], { duplicate: [second], surplus: 1 }],
    [
      "half an answer beside the whole one",
      [...fine, { text: wholeAnswer(second).slice(0, 60), working: true }],
      {
        duplicate: [second],
      },
    ],
    [
      "a message that still works",
      [whole(first), whole(second), { text: "Thinking…", working: true }],
      {
        lost: [],
        orphaned: ["Thinking…"],
      },
    ],
    ["a message that gives up", [whole(first), gaveUp, whole(third)], { lost: [], answered: 2, givenUp: [gaveUp.text] }],
    ["a message too many", [...fine, gaveUp], { surplus: 1 }],
  ])("tells %s", (_, seen, expected) => {
    expect(judge([{ questions, seen }], calls(first, second, third))).toMatchObject(expected);
  });

  test("tells what was begun before its turn, and only where one had been taken in before the other was asked", () => {
    expect(judge([{ questions, seen: fine }], calls(second, first, third)).outOfOrder).toEqual([first]);
    const atOnce = questions.map((question) => ({ ...question, askedAt: 0 }));
    expect(judge([{ questions: atOnce, seen: fine }], calls(second, first, third)).outOfOrder).toEqual([]);
  });

  test("tells what the model was asked twice, and what was never taken in and is not answered", () => {
    expect(judge([{ questions, seen: fine }], calls(first, second, second, third)).askedTwice).toEqual([`${second} after 1 ms`]);
    const refused = questions.map((question) => ({ ...question, acknowledgedAt: question.mark === second ? null : 1 }));
    expect(judge([{ questions: refused, seen: [whole(first), whole(third)] }], calls(first, third))).toMatchObject({
      accepted: 2,
      lost: [],
      unheard: [second],
    });
    expect(judge([{ questions: refused, seen: fine }], calls(first, second, third))).toMatchObject({ accepted: 2, unheard: [] });
    expect(judge([{ questions: refused, seen: [whole(first), gaveUp, whole(third)] }], calls(first, third)).unheard).toEqual([]);
  });

  test("a thread is settled when each question has a message at its end", () => {
    expect(isSettled({ questions, seen: fine })).toBe(true);
    expect(isSettled({ questions, seen: [whole(first), gaveUp, whole(third)] })).toBe(true);
    expect(isSettled({ questions, seen: fine.slice(1) })).toBe(false);
    expect(isSettled({ questions, seen: [whole(first), whole(second), { text: "…", working: true }] })).toBe(false);
  });

  test("the bound of none in 10,000 is 0.03%", () => expect(boundOf(10_000)).toBeCloseTo(0.0003));

  test("a question has one mark, and quoted ones before it do not count", () => {
    expect(markIn(`${questionOf(first)}\n${questionOf(second)}`)).toBe(second);
  });
});
