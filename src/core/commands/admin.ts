/** `/admin`: operators look after Parley. */
import type { Action } from "../document.ts";
import type { DeadSeen } from "../oversight.ts";
import type { Place } from "../place.ts";
import { table } from "./markdown-table.ts";
import type { Command, CommandContext, CommandResult } from "./table.ts";

/** Rows of a list that are shown; a message has room for no more buttons than those of `mostDead`. */
const most = 15;
const mostDead = 5;

const ago = (now: number, at: number): string => {
  const minutes = Math.max(0, Math.round((now - at) / 60_000));
  if (minutes < 1) return "just now";
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} hours ago` : `${Math.round(minutes / 1_440)} days ago`;
};
const at = ({ platform, channel, thread }: Place): string =>
  `${platform} ${channel === "" ? "as a whole" : channel}${thread === null ? "" : ", in a thread"}`;
const subjectOf = (subject: string): string =>
  subject.replace(/^person:/, "person ").replace(/^channel:\w+:[^:]*:([^:]*):.*$/, "channel $1");

async function overview({ store, oversight, clock }: CommandContext): Promise<CommandResult> {
  const now = clock.now();
  const { waiting, running, oldestWaitingMs } = await store.depth(now);
  const [links, dead] = [await oversight.links(0), await oversight.dead(now, 0)];
  const rows = [
    ["Waiting", waiting === 0 ? "0" : `${waiting}, the oldest for ${Math.round(oldestWaitingMs / 1000)} s`],
    ["Running", String(running)],
    ["Failed or stuck", String(dead.count)],
    ["Linked accounts", String(links.count)],
  ];
  return { tell: `${table(["Now", ""], rows)}\n\nMore: \`/admin queue\`, \`/admin dead\`, \`/admin links\`, \`/admin limits\`.` };
}

async function links({ oversight, clock }: CommandContext): Promise<CommandResult> {
  const { count, newest } = await oversight.links(most);
  if (count === 0) return { tell: "Nobody has linked an account." };
  const rows = newest.map((link) => [
    `${link.platform} ${link.person}`,
    ago(clock.now(), link.linkedAt),
    link.broken ? "no longer accepted" : "",
  ]);
  return { tell: `${table(["Person", "Linked", ""], rows)}${count > most ? `\n\nAnd ${count - most} more.` : ""}` };
}

async function limits({ oversight, clock }: CommandContext): Promise<CommandResult> {
  const used = await oversight.used(clock.now(), most);
  if (used.length === 0) return { tell: "No credits have been counted today." };
  const rows = used.map(({ platform, subject, credits }) => [platform, subjectOf(subject), credits.toString()]);
  return { tell: `Most credits today, from midnight UTC:\n\n${table(["Platform", "Who", "Credits"], rows)}` };
}

async function queue({ oversight, clock }: CommandContext): Promise<CommandResult> {
  const lanes = await oversight.lanes(most);
  if (lanes.length === 0) return { tell: "Nothing waits, and nothing runs." };
  const rows = lanes.map(({ place, open, oldest }) => [at(place), String(open), ago(clock.now(), oldest)]);
  return { tell: table(["Place", "Open", "Oldest"], rows) };
}

const buttons = ({ key }: DeadSeen, index: number): readonly Action[] => [
  { action: "admin_retry", label: `Try ${index + 1} again`, turn: key },
  { action: "admin_drop", label: `Drop ${index + 1}`, turn: key },
];

async function dead({ oversight, clock }: CommandContext): Promise<CommandResult> {
  const { count, oldest } = await oversight.dead(clock.now(), mostDead);
  if (count === 0) return { tell: "No turn has failed in the last 24 hours, and none is stuck." };
  const rows = oldest.map((turn, index) => [
    String(index + 1),
    turn.outcome ?? "stuck",
    at(turn.place),
    turn.person,
    ago(clock.now(), turn.at),
  ]);
  const more = count > oldest.length ? `\n\nAnd ${count - oldest.length} newer ones.` : "";
  return { tell: `${table(["", "How", "Place", "Person", "Received"], rows)}${more}`, actions: oldest.flatMap(buttons) };
}

const parts: Readonly<Record<string, (context: CommandContext) => Promise<CommandResult>>> = {
  overview,
  queue,
  dead,
  links,
  limits,
};

export const admin: Command = {
  name: "admin",
  help: "Look after Parley: queue, failed answers, linked accounts, credits",
  options: [
    {
      name: "part",
      help: "What to look at",
      type: "choice",
      required: false,
      choices: [
        { value: "overview", label: "Overview" },
        { value: "queue", label: "What waits and runs" },
        { value: "dead", label: "What failed or is stuck" },
        { value: "links", label: "Linked accounts" },
        { value: "limits", label: "Credits used today" },
      ],
    },
  ],
  order: "now",
  deed: "admin",
  run: ({ part = "overview" }, context) => (parts[part] ?? overview)(context),
};
