/** A background job in words. */
import type { RestJobKind } from "../../contract/media.ts";
import { literalMarkdown } from "../words.ts";
import type { AskedFor, ListedJob } from "./job-list.ts";
import { elapsed } from "./view.ts";
import { oneLine } from "../shorten.ts";

export const kindWords: Readonly<Record<RestJobKind, { readonly one: string; readonly many: string; readonly article: string }>> =
  {
    video: { one: "Film", many: "Films", article: "a film" },
    music: { one: "Music", many: "Music", article: "music" },
  };

/** The states that the interface names; one that it does not is shown as it is. */
export const stateWords: Readonly<Record<string, string>> = {
  queued: "in the queue",
  processing: "at work",
  done: "finished",
  error: "failed",
};

/** What a job is called in a command. */
export const nameOf = ({ kind, job }: ListedJob): string => `${kind}-${job.ID}`;

const short = (text: string, most: number): string => literalMarkdown(oneLine(text, most));

/** Of a job that was begun anew nothing tells since when: what seems to have taken longer than this, in ms, most likely was. */
const longest = 2 * 60 * 60_000;
const [minute, hour, day] = [60_000, 60 * 60_000, 24 * 60 * 60_000];

/** `5 min ago`, `on 2026-01-31`; null for a time that makes no sense. */
function since(at: string, now: number): string | null {
  const begun = Date.parse(at);
  if (Number.isNaN(begun) || begun <= 0) return null;
  const age = Math.max(0, now - begun);
  if (age < minute) return "just now";
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  return age < 2 * day ? `${Math.floor(age / hour)} h ago` : `on ${new Date(begun).toISOString().slice(0, 10)}`;
}

/** One line of Markdown: what it is, what it shows, since when, for how long, by which model, for how much. */
export function shownJob({ kind, job }: ListedJob, { prompt, model }: AskedFor, now: number): string {
  const { status, error, CreatedAt: begun, UpdatedAt: changed, credit_cost: cost } = job;
  const ended = status === "done" || status === "error";
  const spent = Date.parse(ended ? changed : new Date(now).toISOString()) - Date.parse(begun);
  const parts = [
    status === "error" && error !== null ? `“${short(error, 120)}”` : null,
    since(begun, now),
    spent >= 1_000 && spent < longest ? `${ended ? "took" : "for"} ${elapsed(spent)}` : null,
    model === null ? null : short(model, 60),
    Number(cost) > 0 ? `${cost} credits` : null,
  ];
  const what = `**${kindWords[kind].one}, ${literalMarkdown(stateWords[status] ?? status)}**`;
  const words = prompt === null ? nameOf({ kind, job }) : short(prompt, 100);
  return [`${what}: ${words}`, ...parts.filter((part) => part !== null)].join(" · ");
}
