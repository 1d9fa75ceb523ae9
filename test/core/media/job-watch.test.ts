/** Many jobs followed at once, with few questions. */
import { describe, expect, test } from "vitest";
import { createJobWatch, watchTimes, type JobSource } from "../../../src/core/media/job-watch.ts";
import { WorkspaceFault } from "../../../src/errors.ts";
import { fakeClock } from "../../fakes/clock.ts";

interface Job {
  readonly ID: number;
  readonly status: string;
  readonly cost: string;
}

function setUp(count: number) {
  const clock = fakeClock();
  const statuses = new Map(Array.from({ length: count }, (_, index) => [index + 1, "queued"]));
  const asked: Array<{ at: number; what: string }> = [];
  const failures: Error[] = [];
  const trouble: unknown[] = [];
  const ask = <T>(what: string, answer: () => T): Promise<T> => {
    asked.push({ at: clock.now(), what });
    const failure = failures.shift();
    return failure === undefined ? Promise.resolve(answer()) : Promise.reject(failure);
  };
  const statusOf = (id: number): string => {
    const status = statuses.get(id);
    if (status === undefined) throw new WorkspaceFault("not_found", "", { status: 404 });
    return status;
  };
  const source: JobSource<Job> = {
    list: ({ page, size }) =>
      ask(`list ${page}`, () => {
        const all = [...statuses].toSorted(([a], [b]) => b - a).map(([ID, status]) => ({ ID, status }));
        return { items: all.slice((page - 1) * size, page * size), total: all.length };
      }),
    read: (id) => ask(`read ${id}`, () => ({ ID: id, status: statusOf(id), cost: "3.2" })),
  };
  const watch = createJobWatch(clock, (thrown) => trouble.push(thrown));
  const seen: string[] = [];
  const ended = new Map<number, Job | Error>();
  const stop = new AbortController();
  const begin = (id: number): void => {
    void (async () => {
      try {
        const following = watch.follow("shared:video", source, id, clock.now(), stop.signal);
        for (;;) {
          const step = await following.next();
          if (step.done === true) return void ended.set(id, step.value);
          seen.push(`${id} ${step.value}`);
        }
      } catch (thrown) {
        ended.set(id, thrown as Error);
      }
    })();
  };
  return { clock, statuses, asked, failures, trouble, seen, ended, begin, stop };
}

describe("jobs that are followed", () => {
  test("tell of each change, and end with what the single read has", async () => {
    const { clock, statuses, seen, ended, begin } = setUp(1);
    begin(1);
    await clock.advance(watchTimes.poll);
    statuses.set(1, "processing");
    await clock.advance(watchTimes.poll);
    await clock.advance(watchTimes.poll);
    statuses.set(1, "done");
    await clock.advance(watchTimes.poll);
    expect(seen).toEqual(["1 queued", "1 processing"]);
    expect(ended.get(1)).toEqual({ ID: 1, status: "done", cost: "3.2" });
  });

  test("a thousand of them take eleven questions a look, and each end is known within one", async () => {
    const { clock, statuses, asked, ended, begin } = setUp(1_000);
    for (const id of statuses.keys()) begin(id);
    await clock.advance(watchTimes.poll);
    expect(asked.length).toBeLessThanOrEqual(11);
    statuses.set(1, "done");
    statuses.set(999, "error");
    await clock.advance(watchTimes.poll);
    expect([...ended.keys()].toSorted((a, b) => a - b)).toEqual([1, 999]);
    expect(asked.length).toBeLessThanOrEqual(2 * 11 + 2);
  });

  test("nothing is asked any more once nobody follows", async () => {
    const { clock, statuses, asked, begin, ended, stop } = setUp(2);
    begin(1);
    begin(2);
    statuses.set(1, "done");
    await clock.advance(watchTimes.poll);
    stop.abort(new Error("over"));
    await clock.advance(0);
    expect(ended.get(2)).toEqual(new Error("over"));
    const before = asked.length;
    await clock.advance(10 * watchTimes.pollLimit);
    expect(asked.length).toBe(before);
  });

  test("old ones are asked for more seldom, but never less than every fifteen seconds", async () => {
    const { clock, asked, begin } = setUp(1);
    begin(1);
    await clock.advance(30 * 60_000);
    const gaps = asked.slice(1).map(({ at }, index) => at - asked[index]!.at);
    expect(gaps[0]).toBe(watchTimes.poll);
    expect(Math.max(...gaps)).toBe(watchTimes.pollLimit);
    expect(gaps.every((gap, index) => index === 0 || gap >= gaps[index - 1]!)).toBe(true);
  });

  test("a workspace that fails is asked ever more seldom, and nothing is lost", async () => {
    const { clock, statuses, asked, failures, trouble, ended, begin } = setUp(1);
    failures.push(...Array.from({ length: 8 }, () => new WorkspaceFault("unavailable", "broken", { status: 500 })));
    begin(1);
    statuses.set(1, "done");
    await clock.advance(6 * watchTimes.troubleLimit);
    expect(trouble).toHaveLength(8);
    expect(asked.length).toBe(8 + 2);
    expect(ended.get(1)).toMatchObject({ status: "done" });
  });

  test("one that is gone ends alone; one that never ends is given up", async () => {
    const { clock, statuses, ended, begin } = setUp(6);
    for (const id of statuses.keys()) begin(id);
    statuses.delete(3);
    await clock.advance(watchTimes.poll);
    expect([...ended]).toEqual([[3, expect.objectContaining({ kind: "not_found" })]]);
    await clock.advance(watchTimes.stalled + watchTimes.pollLimit);
    expect([...ended.values()].filter((end) => end instanceof Error && "code" in end && end.code === "job_stalled")).toHaveLength(
      5,
    );
  });
});
