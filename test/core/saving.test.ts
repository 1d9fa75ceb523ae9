import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { noProgress, type Progress } from "../../src/core/turns/progress.ts";
import { createSaving } from "../../src/core/turns/saving.ts";

/** What a turn's reply and its send store, each by itself. */
const changes: readonly Partial<Progress>[] = [
  { counted: true },
  { account: { id: "shared", as: "team", permit: { account: "shared", audience: "place", confirm: false } } },
  { intent: { at: 1, conversationId: 7, after: 3, digest: "d" } },
  { delivery: { messages: [], attached: null } },
  { sent: { conversationId: 7 } },
  { answer: 9 },
  { rerun: "wanted" },
];

describe("what is stored of a turn", () => {
  test("has every change whose saving has resolved, however the store's writes are delayed, and some fail", () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.shuffledSubarray([...changes.keys()], { minLength: 2 }),
        fc.infiniteStream(fc.boolean()),
        async (scheduler, order, fails) => {
          let stored: Progress = noProgress;
          let writing = 0;
          const { save, progress } = createSaving(noProgress, async (next) => {
            expect(++writing).toBe(1);
            // It may take effect long before its answer comes, or long after it was asked for.
            await scheduler.schedule(Promise.resolve(), "asked");
            const lost = fails.next().value === true;
            if (!lost) stored = next;
            await scheduler.schedule(Promise.resolve(), "answered");
            writing--;
            if (lost) throw new Error("the store is away");
          });
          const has = (change: object): boolean =>
            Object.entries(change).every(([name, value]) => stored[name as keyof Progress] === value);
          const kept = async (change: Partial<Progress>, wants: object): Promise<boolean> => {
            const saving = save(change).then(
              () => true,
              () => false,
            );
            expect(progress()).toMatchObject(change);
            // One that could not be stored was said to be lost.
            return !(await saving) || has(wants);
          };
          const all = order.map((at) => changes[at] ?? {});
          const saved = all.map(async (change) => {
            await scheduler.schedule(Promise.resolve(), "begun");
            return kept(change, change);
          });
          expect(await scheduler.waitFor(Promise.all(saved))).toEqual(saved.map(() => true));
          // What could not be stored goes along with the next.
          expect(await scheduler.waitFor(kept({ parked: true }, Object.assign({}, ...all) as object))).toBe(true);
        },
      ),
    ));
});
