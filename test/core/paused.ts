/** Two processes on one store: the first freezes with a request on its way, and wakes after the other has gone on. */
import type { Engine } from "../../src/core/engine.ts";
import { createWorld, says, type PlatformOfWorld, type World } from "./engine.ts";

export interface Paused {
  readonly world: World;
  /** The second process. */
  readonly other: Engine;
  /** Until it resolves the first process is frozen. */
  readonly frozen: PromiseWithResolvers<void>;
  /** The first process does nothing any more, beginning with this moment; the requests that it sent before go on. */
  freezesAt(moment: string): void;
  /** A question comes in; the first process freezes at this moment, and the other takes the turn over. */
  takenOver(moment?: string): Promise<void>;
  /** What the first process has under way goes on. */
  wakes(ms?: number): Promise<void>;
  /** Answers whatever the workspace has not finished. */
  answerAll(status: "generating" | "finished", text: string): void;
  /** Messages on the platform, oldest first. */
  ids(): string[];
  /** What people see of them, with the answer's last line in brackets. */
  seen(): string[];
  /** Ids of the messages that were removed. */
  removals(): string[];
  /** What was logged of late posts that were left. */
  left(): string[];
}

/** What people see of an answer. */
export const whole = "The whole answer [Test model]";

/** @param sameKey what the platform does with a second post of one key: as in Slack without it */
export async function openPaused(sameKey: PlatformOfWorld["sameKey"] = "another"): Promise<Paused> {
  const world = await createWorld({}, [], [], { sameKey });
  const other = await world.beside();
  const frozen = Promise.withResolvers<void>();
  const freezesAt = (moment: string): void => {
    let there = false;
    world.holds = (process, now) => {
      if (process !== 1) return undefined;
      there ||= now === moment;
      return there ? frozen.promise : undefined;
    };
  };
  return {
    world,
    other,
    frozen,
    freezesAt,
    async takenOver(moment = "before post") {
      freezesAt(moment);
      await world.receive(says("k1", "hello"));
      await world.run(40_000);
    },
    async wakes(ms = 5_000) {
      world.holds = () => undefined;
      frozen.resolve();
      await world.run(ms);
    },
    answerAll(status, text) {
      for (const [id, messages] of world.workspace.held)
        if (messages.at(-1)?.status !== "finished") world.workspace.answer(id, { status, text });
    },
    ids: () => world.platform.messages.map(({ posted }) => posted.id),
    seen() {
      const words = world.seen();
      return world.platform.messages.map(({ document: { footer } }, index) =>
        footer === null ? (words[index] ?? "") : `${words[index]} [${footer}]`,
      );
    },
    removals: () => world.platform.log.filter(({ method }) => method === "remove").map(({ id }) => id),
    left: () => world.log.filter((line) => line.includes("could not be settled")),
  };
}
