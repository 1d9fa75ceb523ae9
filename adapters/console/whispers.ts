/** What only the person sees: never stored, gone with the process or once dismissed. */
import type { Feed } from "./feed.ts";
import type { WhisperView } from "./wire.ts";

/** The oldest goes when there are more. */
const keptWhispers = 50;

export interface Whispers {
  add(whisper: WhisperView): void;
  dismiss(id: string): void;
  /** Undefined once it is gone. */
  one(id: string): WhisperView | undefined;
  /** Oldest first. */
  all(): readonly WhisperView[];
}

export function createWhispers(feed: Feed): Whispers {
  const kept = new Map<string, WhisperView>();
  const dismiss = (id: string): void => {
    if (kept.delete(id)) feed.publish({ type: "whisper-gone", id });
  };
  return {
    add(whisper) {
      kept.set(whisper.id, whisper);
      feed.publish({ type: "whisper", whisper });
      const [oldest] = kept.keys();
      if (kept.size > keptWhispers && oldest !== undefined) dismiss(oldest);
    },
    dismiss,
    one: (id) => kept.get(id),
    all: () => [...kept.values()],
  };
}
