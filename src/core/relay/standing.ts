/** What of a reply stands on the platform: its messages and files, changed by one write at a time and journaled. */
import type { Document } from "../document.ts";
import type { Place } from "../place.ts";
import type { ChatPlatform } from "../platform.ts";
import { filesOf } from "./attachment.ts";
import { nextStep, type Message, type Step } from "./plan.ts";
import { isFinal, type Delivery, type ReplyState, type Stray, type WriteGuard } from "./reply.ts";
import { createUnjournaled, mayBeDone } from "./unjournaled.ts";

/** What of the wanted state has been rendered for a write. */
export interface Snapshot {
  readonly state: ReplyState;
  readonly documents: readonly Document[];
  readonly truncated: boolean;
}

export interface StandingOptions {
  readonly platform: Pick<ChatPlatform, "limits" | "post" | "edit" | "remove" | "attach" | "find">;
  readonly place: Place;
  readonly key: string;
  readonly delivery: Delivery;
  readonly resumed: boolean;
  readonly guard: Pick<WriteGuard, "lost">;
  readonly journal: (delivery: Delivery) => Promise<void>;
  readonly onStray: (stray: Stray) => void;
  /** A message stands. */
  readonly onPlaced: () => void;
  readonly onEdited: () => void;
}

export interface Standing {
  /** How many messages there are. */
  readonly count: number;
  /** False: something may have been posted that is not known here. */
  readonly sure: boolean;
  /** The first write that is missing; null when all of it stands. */
  missing(snapshot: Snapshot): Step | null;
  /** The platform is asked for what may stand already before this step is carried out. */
  isSoughtFirst(step: Step): boolean;
  /** Takes over what was posted under the step's name without being acknowledged. */
  search(step: Step, snapshot: Snapshot, signal: AbortSignal): Promise<void>;
  write(step: Step, snapshot: Snapshot, signal: AbortSignal): Promise<void>;
  /** The step ended so; a post may have been carried out all the same, and is looked for before the next. */
  failed(step: Step, thrown: unknown): void;
  /** Whoever has the turn now may not know what was posted just before it was lost. */
  strayed(thrown?: unknown): void;
  /** What the messages show is no longer known. */
  forget(): void;
}

export function openStanding(options: StandingOptions): Standing {
  const { platform, place, key } = options;
  const messages: Message[] = options.delivery.messages.map((posted) => ({ posted, shown: undefined }));
  let { attached } = options.delivery;
  let removed = 0;
  let sure = !options.resumed;
  const unjournaled = createUnjournaled(options.guard, options.onStray);
  if (messages.length > 0) options.onPlaced();

  // A platform may know a name even after its message was removed, so that no name is used again.
  const nameOf = (step: Step): string => {
    if (step.kind !== "post") return `${key}/file`;
    return removed === 0 ? `${key}/${step.index}` : `${key}/${step.index}.${removed}`;
  };
  /** Where the reply's files belong. */
  const filesPlace = ({ state }: Snapshot): Place => {
    const [first] = messages;
    return state.files?.inThread === true && first !== undefined ? { ...place, thread: first.posted.id } : place;
  };
  const journal = (): Promise<void> => {
    if (messages.length > 0) options.onPlaced();
    return options.journal({ messages: messages.map(({ posted }) => posted), attached });
  };
  const journalPost = async (): Promise<void> => {
    await journal();
    unjournaled.journaled();
  };

  return {
    get count() {
      return messages.length;
    },
    get sure() {
      return sure;
    },
    missing: ({ state, documents, truncated }) =>
      nextStep(documents, messages, isFinal(state.state) && attached === null && (truncated || state.files !== undefined)),
    isSoughtFirst: ({ kind }) => !sure && (kind === "post" || kind === "attach"),
    async search(step, snapshot, signal) {
      const at = step.kind === "attach" ? filesPlace(snapshot) : place;
      const found = await platform.find(at, nameOf(step), signal);
      sure = true;
      if (found === undefined) return;
      if (step.kind === "attach") attached = found;
      else messages.push({ posted: found, shown: undefined });
      return journalPost();
    },
    async write(step, snapshot, signal) {
      const name = nameOf(step);
      switch (step.kind) {
        case "edit": {
          // Until it is acknowledged, what the message shows is not known.
          messages[step.index] = { posted: step.posted, shown: undefined };
          const more = await platform.edit(step.posted, step.document, signal);
          if (more !== "again") messages[step.index] = { posted: step.posted, shown: step.document };
          return options.onEdited();
        }
        case "remove":
          await platform.remove(step.posted, signal);
          messages.pop();
          removed++;
          return journal();
        case "post": {
          const posted = await unjournaled.made(place, name, step.index, () => platform.post(place, step.document, name, signal));
          messages.push({ posted, shown: step.document });
          return journalPost();
        }
        case "attach": {
          const files = filesOf(snapshot.state, snapshot.truncated, platform.limits.fileBytes);
          const at = filesPlace(snapshot);
          attached = await unjournaled.made(at, name, "file", () => platform.attach(at, files, name, signal));
          return journalPost();
        }
      }
    },
    failed({ kind }, thrown) {
      if ((kind === "post" || kind === "attach") && mayBeDone(thrown)) sure = false;
    },
    strayed: (thrown) => unjournaled.strayed(thrown),
    forget() {
      for (const [index, { posted }] of messages.entries()) messages[index] = { posted, shown: undefined };
    },
  };
}
