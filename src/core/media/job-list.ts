/** The background jobs of an account that the workspace lists: films and music, newest first. */
import type { MediaJob, RestJobKind } from "../../contract/media.ts";
import { WorkspaceFault } from "../../errors.ts";
import type { CommandContext } from "../commands/table.ts";
import { claimKey } from "./creations.ts";
import type { MediaOrder } from "./order.ts";

/** The kinds with a list; speech and transcripts are begun and read by tools, and none of these lists them. */
export const listedKinds = ["video", "music"] as const satisfies readonly RestJobKind[];

export interface ListedJob {
  readonly kind: RestJobKind;
  readonly job: MediaJob;
}

/** What is known of a job beside its state; null where nobody says. */
export interface AskedFor {
  readonly prompt: string | null;
  readonly model: string | null;
  /** The order, where it was Parley that this person had it made by, within a day. */
  readonly order: MediaOrder | null;
}

/** Jobs on a page. */
export const pageSize = 5;
/** The last page: so many rows of each kind are read at most, to put them into one order. */
export const lastPage = 20;

interface JobPage {
  readonly jobs: readonly ListedJob[];
  /** Of all pages; null where the workspace does not count. */
  readonly total: number | null;
  /** Kinds that the key may not list, with what the workspace said. */
  readonly closed: ReadonlyArray<{ readonly kind: RestJobKind; readonly thrown: WorkspaceFault }>;
}

const begunAt = ({ job }: ListedJob): number => Date.parse(job.CreatedAt) || 0;
const newestFirst = (a: ListedJob, b: ListedJob): number => begunAt(b) - begunAt(a) || b.job.ID - a.job.ID;

/** @param page from 1. Throws `WorkspaceFault`, but not for a kind that the key may not list */
export async function readJobs(
  { workspace, signal }: Pick<CommandContext, "workspace" | "signal">,
  kinds: readonly RestJobKind[],
  status: string | undefined,
  page: number,
): Promise<JobPage> {
  const closed: Array<{ kind: RestJobKind; thrown: WorkspaceFault }> = [];
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const filter = status === undefined ? {} : { status };
      try {
        const { items, total } = await workspace.jobs.list(kind, { page: 1, size: page * pageSize, ...filter, signal });
        return { jobs: items.map((job) => ({ kind, job })), total };
      } catch (thrown) {
        if (!(thrown instanceof WorkspaceFault && thrown.kind === "forbidden")) throw thrown;
        closed.push({ kind, thrown });
        return { jobs: [], total: 0 };
      }
    }),
  );
  const jobs = lists.flatMap((list) => list.jobs).toSorted(newestFirst);
  const totals = lists.map(({ total }) => total);
  return {
    jobs: jobs.slice((page - 1) * pageSize, page * pageSize),
    total: totals.some((total) => total === undefined) ? null : totals.reduce<number>((sum, total) => sum + (total ?? 0), 0),
    closed,
  };
}

/** With their true cost, which no list says; those that were deleted meanwhile are left out. */
export async function withCosts(
  { workspace, signal }: Pick<CommandContext, "workspace" | "signal">,
  listed: readonly ListedJob[],
): Promise<readonly ListedJob[]> {
  const read = await Promise.all(
    listed.map(async ({ kind, job }) => {
      try {
        return [{ kind, job: await workspace.jobs.read(kind, job.ID, { signal }) }];
      } catch (thrown) {
        if (!(thrown instanceof WorkspaceFault && thrown.kind === "not_found")) throw thrown;
        return [];
      }
    }),
  );
  return read.flat();
}

/** By the workspace's own record, else by what this person had Parley make: nobody else's words are told. */
export async function askedFor(
  { kind, job }: ListedJob,
  { account, command, creations, lists, signal }: Pick<CommandContext, "account" | "command" | "creations" | "lists" | "signal">,
): Promise<AskedFor> {
  const claim = await creations.jobs.get(claimKey(account.id, kind, job.ID));
  const { place, author } = command;
  const theirs = claim?.author.id === author.id && claim.place.platform === place.platform;
  const order = theirs ? (await creations.orders.get(claim.turn))?.order : undefined;
  const models = async () => (kind === "video" ? lists.videoModels({ signal }) : lists.musicModels({ signal }));
  const model = typeof job.model_id === "number" ? (await models()).find(({ ID }) => ID === job.model_id)?.name : undefined;
  const prompt = (job.prompt ?? "").trim() || order?.prompt;
  return { prompt: prompt ?? null, model: model ?? order?.model ?? null, order: order ?? null };
}
