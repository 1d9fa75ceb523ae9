/** Somebody who asks in one thread, some questions in a row, and mostly waits for the answers. */
import { setTimeout as wait } from "node:timers/promises";
import { markOf, questionOf } from "./marks.ts";
import { isSettled, type Question, type ThreadRecord } from "./oracle.ts";
import type { Random } from "./random.ts";
import type { Stage, Try } from "./stage.ts";

export interface Talk {
  readonly platform: Stage["name"];
  readonly done: Promise<void>;
  /** From the event to its acknowledgement, over all tries, in ms. */
  readonly ackMs: readonly number[];
  readonly tries: readonly Try[];
  record(): ThreadRecord;
}

export interface TalkOptions {
  readonly stage: Stage;
  readonly index: number;
  readonly turns: number;
  /** Questions are spread until then. */
  readonly endsAt: number;
  /** What is not asked by then stays unasked. */
  readonly lastAt: number;
  readonly random: Random;
}

/** A question follows at once, before the answer to the one before. */
const impatient = 0.3;
/** Longer than this nobody waits for an answer, in ms. */
const longestWait = 90_000;
const lookMs = 250;

export function converse({ stage, index, turns, endsAt, lastAt, random }: TalkOptions): Talk {
  const thread = stage.openThread(index);
  const questions: Question[] = [];
  const ackMs: number[] = [];
  const tries: Try[] = [];
  const record = (): ThreadRecord => ({ questions, seen: thread.seen(), takenAway: thread.takenAway() });
  const began = Date.now();
  /** Questions are spread over the time there is. */
  const dueAt = (turn: number): number => began + ((turn + random.next()) * (endsAt - began) * 0.95) / turns;

  const run = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn++) {
      const due = dueAt(turn) - Date.now();
      const hurried = turn > 0 && random.chance(impatient);
      if (!hurried) await wait(Math.max(0, due));
      if (Date.now() > lastAt) return;
      const question: Question = { mark: markOf(index, turn), askedAt: Date.now(), acknowledgedAt: null };
      questions.push(question);
      const asked = await thread.ask(questionOf(question.mark));
      if (asked === "nowhere") return void questions.pop();
      if (asked.acknowledged) question.acknowledgedAt = Date.now();
      if (asked.ackMs !== null) ackMs.push(asked.ackMs);
      tries.push(...asked.tries);
      const nextAt = Math.min(lastAt, Date.now() + longestWait);
      if (!random.chance(impatient)) while (!isSettled(record()) && Date.now() < nextAt) await wait(lookMs);
    }
  };
  return { platform: stage.name, done: run(), ackMs, tries, record };
}
