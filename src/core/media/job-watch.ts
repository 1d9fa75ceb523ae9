/** Follows media jobs, many with one question: the workspace has no event for them. */
import { sleep, type Clock } from "../../clock.ts";
import { Fault } from "../../errors.ts";
import type { Page } from "../workspace.ts";
import { lasting } from "../workspace-faults.ts";

/** What of a job is watched. */
interface Watched {
  readonly ID: number;
  readonly status: string;
}

/** Jobs of one kind, as one key sees them. */
export interface JobSource<Job extends Watched> {
  /** Null: nothing lists them, and each is read by itself. Newest first. Its rows may lack what only the single read has, such as the cost. */
  readonly list:
    ((options: { readonly page: number; readonly size: number; readonly signal: AbortSignal }) => Promise<Page<Watched>>) | null;
  read(id: number, options: { readonly signal: AbortSignal }): Promise<Job>;
}

export interface JobWatch {
  /**
   * Yields the status each time it has changed; returns the job as the single read has it, once it is `done` or `error`.
   * @param source of the job's key and kind; those with the same `group` are asked for together
   * Throws `WorkspaceFault` when the job can no longer be read, Fault `job_stalled` when it has not ended in time,
   * and the signal's reason when it is aborted.
   */
  follow<Job extends Watched>(
    group: string,
    source: JobSource<Job>,
    id: number,
    since: number,
    signal: AbortSignal,
  ): AsyncGenerator<string, Job>;
}

/** How long, in ms. */
export const watchTimes = {
  /** Between two looks at a group of jobs, of which the newest is younger than a minute. */
  poll: 3_000,
  /** Older jobs are asked for more seldom, up to this. */
  pollLimit: 15_000,
  /** Looks that fail are further apart, doubled up to this. */
  troubleLimit: 60_000,
  /** A job that has not ended after this is given up; it may still end, and is then in the list of jobs. */
  stalled: 2 * 60 * 60_000,
} as const;

/** From this many jobs of a group on, its list is read instead of each of them. */
const listFrom = 4;
const pageSize = 100;
/** Pages that one look reads; jobs further down are read one by one. */
const pagesALook = 20;
/** Jobs that one look reads one by one; the others follow in the next look. */
const readsALook = 20;

/** An unknown status is one of those between queued and ended. */
const hasEnded = (status: string): boolean => status === "done" || status === "error";

interface Follower {
  readonly id: number;
  readonly since: number;
  status: string | undefined;
  failure: unknown;
  wake: () => void;
}

interface Group {
  readonly source: JobSource<Watched>;
  readonly followers: Set<Follower>;
  readonly ended: AbortController;
}

/** @param onTrouble told of a look that failed and is made again */
export function createJobWatch(clock: Clock, onTrouble: (thrown: unknown) => void): JobWatch {
  const groups = new Map<string, Group>();

  const tell = (follower: Follower, status: string): void => {
    // A list that was read before the job ended must not take its end back.
    if (follower.status === status || (follower.status !== undefined && hasEnded(follower.status))) return;
    follower.status = status;
    follower.wake();
  };
  const fail = (follower: Follower, thrown: unknown): void => {
    follower.failure = thrown;
    follower.wake();
  };

  /** Reads pages until every job that is looked for was seen; returns those that were not. */
  const readList = async ({ followers, ended }: Group, list: NonNullable<JobSource<Watched>["list"]>): Promise<Follower[]> => {
    const missing = new Map([...followers].map((follower) => [follower.id, follower]));
    const oldest = Math.min(...missing.keys());
    for (let page = 1; page <= pagesALook && missing.size > 0; page++) {
      const { items, total } = await list({ page, size: pageSize, signal: ended.signal });
      for (const { ID, status } of items) {
        const follower = missing.get(ID);
        if (follower === undefined) continue;
        missing.delete(ID);
        tell(follower, status);
      }
      const last = items.at(-1);
      if (last === undefined || last.ID < oldest || (total !== undefined && page * pageSize >= total)) break;
    }
    return [...missing.values()];
  };

  const readOne = async ({ source, ended }: Group, follower: Follower): Promise<void> => {
    try {
      tell(follower, (await source.read(follower.id, { signal: ended.signal })).status);
    } catch (thrown) {
      if (!lasting(thrown)) throw thrown;
      fail(follower, thrown);
    }
  };

  const look = async (group: Group): Promise<void> => {
    const open = [...group.followers].filter(({ status }) => status === undefined || !hasEnded(status));
    const now = clock.now();
    for (const follower of open)
      if (now - follower.since >= watchTimes.stalled) fail(follower, new Fault("job_stalled", "the job has not ended in time"));
    const { list } = group.source;
    const single = open.length < listFrom || list === null ? open : await readList(group, list);
    for (const follower of single.slice(0, readsALook)) {
      await readOne(group, follower);
      // Who was read goes behind those that were not.
      if (group.followers.delete(follower)) group.followers.add(follower);
    }
  };

  const pollOf = ({ followers }: Group): number => {
    const youngest = Math.max(...[...followers].map(({ since }) => since));
    const age = Math.max(0, clock.now() - youngest);
    return Math.min(watchTimes.pollLimit, watchTimes.poll + Math.max(0, age - 60_000) / 20);
  };

  const run = async (group: Group): Promise<void> => {
    for (let trouble: number | undefined; ;) {
      await sleep(clock, trouble ?? pollOf(group), group.ended.signal);
      try {
        await look(group);
        trouble = undefined;
      } catch (thrown) {
        group.ended.signal.throwIfAborted();
        if (lasting(thrown)) {
          for (const follower of group.followers) fail(follower, thrown);
          continue;
        }
        onTrouble(thrown);
        trouble = Math.min(watchTimes.troubleLimit, 2 * (trouble ?? watchTimes.poll));
      }
    }
  };

  const join = (name: string, source: JobSource<Watched>, follower: Follower): (() => void) => {
    const known = groups.get(name);
    const group = known ?? { source, followers: new Set<Follower>(), ended: new AbortController() };
    group.followers.add(follower);
    if (known === undefined) {
      groups.set(name, group);
      run(group).catch((thrown: unknown) => {
        if (!group.ended.signal.aborted) for (const left of group.followers) fail(left, thrown);
      });
    }
    return () => {
      group.followers.delete(follower);
      if (group.followers.size > 0) return;
      groups.delete(name);
      group.ended.abort(new Fault("watch_ended", "no job of this group is followed any more"));
    };
  };

  const readEnded = async <Job extends Watched>(source: JobSource<Job>, id: number, signal: AbortSignal): Promise<Job> => {
    for (let wait: number = watchTimes.poll; ; wait = Math.min(wait * 2, watchTimes.troubleLimit)) {
      try {
        return await source.read(id, { signal });
      } catch (thrown) {
        signal.throwIfAborted();
        if (lasting(thrown)) throw thrown;
        onTrouble(thrown);
      }
      await sleep(clock, wait, signal);
    }
  };

  return {
    async *follow(name, source, id, since, signal) {
      let woken: (() => void) | undefined;
      let due = false;
      const follower: Follower = {
        id,
        since,
        status: undefined,
        failure: undefined,
        wake: () => {
          due = true;
          woken?.();
        },
      };
      const leave = join(name, source, follower);
      signal.addEventListener("abort", follower.wake, { once: true });
      try {
        for (;;) {
          if (!due && !signal.aborted) await new Promise<void>((resolve) => (woken = resolve));
          due = false;
          signal.throwIfAborted();
          if (follower.failure !== undefined) throw follower.failure;
          const { status } = follower;
          if (status === undefined) continue;
          if (!hasEnded(status)) {
            yield status;
            continue;
          }
          const job = await readEnded(source, id, signal);
          if (hasEnded(job.status)) return job;
          // It was tried again meanwhile, or the read lags behind the list.
          follower.status = job.status;
        }
      } finally {
        signal.removeEventListener("abort", follower.wake);
        leave();
      }
    },
  };
}
