/** Where people ask and read answers: the same for every platform. */

/** A message of Parley's in a thread, as people see it. */
export interface Seen {
  readonly text: string;
  /** It says that it is not at its end: it waits, works, or can be stopped. */
  readonly working: boolean;
}

/** One sending of an event. */
export interface Try {
  /** In ms since 1970. */
  readonly at: number;
  /** The connection that it went by: what the replica had dialled, and from which port it came; null: there was none. */
  readonly to: { readonly host: string; readonly port: number } | null;
  /** To its acknowledgement, in ms; null: there was none in time. */
  readonly ackMs: number | null;
}

export interface Asked {
  /** False: the platform says that Parley has not taken it in. */
  readonly acknowledged: boolean;
  /** From the event to its acknowledgement, over all tries, in ms; null where the platform has none, or got none. */
  readonly ackMs: number | null;
  /** Each time that the platform sent an event of it, where the platform is acknowledged. */
  readonly tries: readonly Try[];
}

export interface StageThread {
  /**
   * Says this in the thread, addressed to Parley; the first time that begins the thread.
   * @returns `nowhere` when there is no thread after a long time, and nothing was said
   */
  ask(text: string): Promise<Asked | "nowhere">;
  /** What Parley has in the thread, oldest first. */
  seen(): readonly Seen[];
  /** What it had there and has deleted: the last words that were seen of it. */
  takenAway(): readonly string[];
}

export interface Stage {
  readonly name: "slack" | "discord";
  openThread(index: number): StageThread;
  /** What Parley has written in the channels outside of the threads, also for a moment. */
  elsewhere(): readonly string[];
  /** When Parley last wrote something in the thread, in ms since 1970; 0: never. */
  quietSince(thread: StageThread): number;
  /** Requests that were answered with 429. */
  limited(): number;
}
