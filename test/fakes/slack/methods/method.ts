/** What every method of the fake gets. */
import type { Json, State } from "../state.ts";

export type Args = Json;

export interface World {
  readonly state: State;
  /** How long a native stream lives, in ms. */
  readonly streamMs: number;
  /** How long a gesture may wait for its modal, in ms. */
  readonly ackMs: () => number;
  /** A message of Parley came, was changed or removed: what Slack then tells the app itself. */
  readonly announce: (event: Json) => void;
  /** A new one-time address for a socket, at the host that it was asked for at. */
  readonly ticket: (host: string) => string;
}

/** @param host where the app sent its call: Slack, or what stands before it */
export type Method = (args: Args, world: World, host: string) => Json;
