/** `/jobs`: one's own films and music at the workspace, whether at work, finished or failed. */
import type { RestJobKind } from "../../contract/media.ts";
import { WorkspaceFault } from "../../errors.ts";
import type { CommandButton } from "../command-buttons.ts";
import { askedFor, lastPage, listedKinds, pageSize, readJobs, withCosts, type ListedJob } from "../media/job-list.ts";
import type { MediaOrder } from "../media/order.ts";
import { kindWords, nameOf, shownJob, stateWords } from "../media/job-view.ts";
import { refusal, type Refusal } from "../refusal.ts";
import { notEnabled, orNotEnabled } from "./not-enabled.ts";
import type { Command, CommandContext, CommandResult, Options } from "./table.ts";

const own = "These are your own account's. What is made here with the team's account is among the team's.";

const permissionOf = (kind: RestJobKind, verb: "get" | "manage" | "delete") => `${kind}_generation_${verb}` as const;

async function listed(options: Options, context: CommandContext): Promise<CommandResult> {
  const { kind, status, page: typed = "1" } = options;
  const page = Number(typed.trim());
  if (!Number.isSafeInteger(page) || page < 1 || page > lastPage)
    return refusal("bad_option", `“${typed}” is no page: expected a whole number from 1 to ${lastPage}.`);
  const kinds = listedKinds.filter((one) => kind === undefined || one === kind);
  const { jobs: rows, total, closed } = await readJobs(context, kinds, status, page);
  const [shut] = closed;
  const closedWords = await Promise.all(
    closed.map(({ kind: one, thrown }) => notEnabled(kindWords[one].many, permissionOf(one, "get"), thrown, context)),
  );
  if (shut !== undefined && closed.length === kinds.length)
    return refusal("not_allowed", closedWords.map((one) => one.refusal.text).join("\n"));
  const team = context.account.kind === "shared" ? [] : [own];
  const notes = [...closedWords.map((one) => one.refusal.text), ...team];
  if (rows.length === 0) {
    const none = kind === undefined && status === undefined && page === 1;
    const words = none ? "There are no films and no music yet. `/video` and `/music` make some." : "There are no such jobs.";
    return { tell: [words, ...notes].join("\n\n") };
  }
  const jobs = await withCosts(context, rows);
  const lines: string[] = [];
  const run: CommandButton[] = [];
  for (const [index, one] of jobs.entries()) {
    const number = (page - 1) * pageSize + index + 1;
    lines.push(`${number}. ${shownJob(one, await askedFor(one, context), context.clock.now())}`);
    if (one.job.status === "error") run.push({ label: `Retry ${number}`, name: "jobs", options: { retry: nameOf(one) } });
    run.push({ label: `Delete ${number}`, name: "jobs", options: { delete: nameOf(one) } });
  }
  const more = rows.length === pageSize && page < lastPage && (total === null || total > page * pageSize);
  if (more) {
    const filters = { ...(kind === undefined ? {} : { kind }), ...(status === undefined ? {} : { status }) };
    run.push({ label: "More", name: "jobs", options: { ...filters, page: String(page + 1) } });
  }
  const first = (page - 1) * pageSize + 1;
  const head = total === null || total <= pageSize ? "" : `${first} to ${first + rows.length - 1} of ${total}, newest first:`;
  return { tell: [head, lines.join("\n"), ...notes].filter((part) => part !== "").join("\n\n"), run };
}

/** The job of a name, as it is now. */
async function named(wish: string, context: CommandContext): Promise<ListedJob | { readonly refusal: Refusal }> {
  const [, kindName, id] = /^(video|music)-(\d{1,15})$/.exec(wish.trim().toLowerCase()) ?? [];
  const kind = listedKinds.find((one) => one === kindName);
  if (kind === undefined) return refusal("bad_option", `“${wish}” is no job: expected its kind and number, as video-12.`);
  const { workspace, signal } = context;
  return orNotEnabled(kindWords[kind].many, permissionOf(kind, "get"), context, async () => {
    try {
      return { kind, job: await workspace.jobs.read(kind, Number(id), { signal }) };
    } catch (thrown) {
      if (!(thrown instanceof WorkspaceFault && thrown.kind === "not_found")) throw thrown;
      return refusal("not_found", `You have no job ${wish}, or no longer. \`/jobs\` shows those that there are.`);
    }
  });
}

async function tryAgain(wish: string, context: CommandContext): Promise<CommandResult> {
  const { command, clock } = context;
  const found = await named(wish, context);
  if ("refusal" in found) return found;
  const { kind, job } = found;
  if (job.status !== "error")
    return refusal(
      "nothing_to_retry",
      `Only a failed job can be tried again, and this one is ${stateWords[job.status] ?? job.status}.`,
    );
  const known = await askedFor(found, context);
  const readers = command.direct === true ? "here" : "here, where others read it";
  const { order, prompt, model } = known;
  const make: MediaOrder = {
    recipe: { by: "job", kind, body: {}, again: job.ID },
    what: order?.what ?? kindWords[kind].article,
    prompt: prompt ?? nameOf(found),
    model,
    details: order?.details ?? [],
    price: null,
    sources: {},
  };
  return {
    propose: {
      deed: "write",
      tell: `This begins it anew, which may cost credits again. What comes of it is posted ${readers}.\n\n- ${shownJob(found, known, clock.now())}`,
      command: "jobs",
      choices: [{ label: "Try it again", options: { retry: wish } }],
      begun: "This was begun before, and is not done twice. `/jobs` shows how far it is.",
      run: () => Promise.resolve({ make }),
    },
  };
}

async function remove(wish: string, context: CommandContext): Promise<CommandResult> {
  const { clock, signal } = context;
  const found = await named(wish, context);
  if ("refusal" in found) return found;
  const { kind, job } = found;
  const line = `- ${shownJob(found, await askedFor(found, context), clock.now())}`;
  const running =
    job.status === "done" || job.status === "error" ? "" : " It is still at work, and may be paid for all the same.";
  return {
    propose: {
      deed: "write",
      tell: `This deletes the job from the workspace. A file that it made stays among your files.${running}\n\n${line}`,
      command: "jobs",
      choices: [{ label: "Delete it", options: { delete: wish } }],
      begun: null,
      run: (workspace) =>
        orNotEnabled(`Deleting ${kindWords[kind].many.toLowerCase()}`, permissionOf(kind, "delete"), context, async () => {
          await workspace.jobs.remove(kind, job.ID, { signal });
          return { tell: `Deleted:\n\n${line}` };
        }),
    },
  };
}

export const jobs: Command = {
  name: "jobs",
  help: "Show your films and music, retry or delete them; the workspace lists no speech or transcripts",
  options: [
    {
      name: "kind",
      help: "Films or music; without it both",
      type: "choice",
      required: false,
      choices: listedKinds.map((kind) => ({ value: kind, label: kindWords[kind].many })),
    },
    {
      name: "status",
      help: "How far they are; without it all",
      type: "choice",
      required: false,
      choices: Object.entries(stateWords).map(([value, label]) => ({ value, label })),
    },
    { name: "page", help: "Which page; without it the first", type: "text", required: false },
    { name: "retry", help: "A failed one to begin anew, as video-12", type: "text", required: false },
    { name: "delete", help: "One to delete, as music-7", type: "text", required: false },
  ],
  order: "now",
  deed: "list",
  run(options, context) {
    const { retry, delete: gone } = options;
    if (retry !== undefined) return tryAgain(retry, context);
    return gone === undefined ? listed(options, context) : remove(gone, context);
  },
};
