/** People in the fake Slack who ask in many threads. */
import { mention } from "../fakes/slack/people.ts";
import type { FakeSlack } from "../fakes/slack/slack.ts";
import { botUser, messageAt, str, type FakeMessage, type Json } from "../fakes/slack/state.ts";
import { shownOf } from "../fakes/slack/shown.ts";
import type { Random } from "./random.ts";
import type { Stage, StageThread } from "./stage.ts";

/** Threads stand in this many channels. */
const channelCount = 10;
const people = ["U0ANN", "U0BEN"] as const;

interface Known {
  readonly messages: Map<string, FakeMessage>;
  readonly takenAway: string[];
  quietSince: number;
}

/** What was asked to be posted, for what is gone before anybody looks at it. */
type Written = Pick<FakeMessage, "text" | "blocks">;
const writtenBy = ({ text, blocks }: Json): Written => ({ text: str(text), blocks: blocks as FakeMessage["blocks"] });

const isWorking = ({ blocks, stream }: FakeMessage): boolean =>
  stream?.state === "streaming" ||
  (blocks ?? []).some(
    (block) => block["type"] === "actions" && (block["elements"] as Json[]).some(({ action_id }) => action_id === "parley_stop"),
  );

export function createSlackStage(slack: FakeSlack, random: Random): Stage {
  for (let index = 0; index < channelCount; index++) {
    const id = `C0SOAK${index}`;
    slack.state.channels.set(id, {
      id,
      name: `soak-${index}`,
      type: "channel",
      members: new Set([botUser, ...people]),
      archived: false,
    });
  }
  const threads = new Map<string, Known>();
  /** Of every message of Parley's: where it was posted, and what it says or said. */
  const posted = new Map<string, { readonly thread: Known | undefined; readonly message: Written }>();
  const elsewhere: string[] = [];
  const rootOf = new Map<StageThread, string>();
  let read = 0;
  /** Takes in what was done since the last look. */
  const catchUp = (): void => {
    for (; read < slack.commits.length; read++) {
      const { method, args, channel, ts, at } = slack.commits[read]!;
      // Nothing that stands anywhere, such as a word to one person.
      if (ts === "") continue;
      const place = `${channel}:${ts}`;
      let known = posted.get(place);
      if (known === undefined) {
        const message = messageAt(slack.state, channel, ts);
        const thread = threads.get(`${channel}:${message?.thread_ts ?? str(args["thread_ts"])}`);
        known = { thread, message: message ?? writtenBy(args) };
        posted.set(place, known);
        if (message !== undefined) thread?.messages.set(ts, message);
        if (thread === undefined) elsewhere.push(shownOf(known.message));
      }
      if (known.thread === undefined) continue;
      known.thread.quietSince = at;
      if (method !== "chat.delete") continue;
      known.thread.messages.delete(ts);
      known.thread.takenAway.push(shownOf(known.message));
    }
  };
  const knownOf = (thread: StageThread): Known | undefined => {
    catchUp();
    return threads.get(rootOf.get(thread) ?? "");
  };

  return {
    name: "slack",
    limited: () => slack.calls.filter(({ answer }) => answer === "ratelimited").length,
    elsewhere() {
      catchUp();
      return elsewhere;
    },
    quietSince: (thread) => knownOf(thread)?.quietSince ?? 0,
    openThread(index) {
      const channel = `C0SOAK${index % channelCount}`;
      const person = slack.person(people[index % people.length]!);
      let root: string | undefined;
      const thread: StageThread = {
        async ask(text) {
          // In a thread it is addressed to Parley without a mention too; with one, Slack tells it twice.
          const addressed = root === undefined || random.chance(0.5) ? `${mention} ${text}` : text;
          const asking = person.says(channel, addressed, root === undefined ? {} : { thread: root });
          if (root === undefined) {
            root = slack.state.messages.at(-1)!.ts;
            threads.set(`${channel}:${root}`, { messages: new Map(), takenAway: [], quietSince: 0 });
            rootOf.set(thread, `${channel}:${root}`);
          }
          const { acknowledged, deliveries } = await asking;
          return {
            acknowledged,
            ackMs: acknowledged ? Math.max(...deliveries.map(({ ms }) => ms)) : null,
            tries: deliveries.flatMap(({ tries }) => tries),
          };
        },
        seen: () =>
          [...(knownOf(thread)?.messages ?? [])]
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([, message]) => ({ text: shownOf(message), working: isWorking(message) })),
        takenAway: () => knownOf(thread)?.takenAway ?? [],
      };
      return thread;
    },
  };
}
