/** What is kept of things that are being made, beside their turns: it ends by itself, and is sealed where it holds words. */
import type { InboundAction } from "../inbound.ts";
import type { Place } from "../place.ts";
import type { Delivery } from "../relay/reply.ts";
import type { MediaProgress, Progress } from "../turns/progress.ts";
import type { FileRecord } from "./fetch.ts";
import type { JobRecipe, MediaOrder } from "./order.ts";

/** A file that was made. */
export interface MadeFile extends FileRecord {
  /** Of the workspace. */
  readonly id: number;
  /** The account whose file it is. */
  readonly account: string;
}

/** One try at an order, by the key of its turn. */
export interface Creation extends Pick<InboundAction, "place" | "author" | "direct"> {
  /** The first try's turn, whose messages show it. */
  readonly origin: string;
  readonly order: MediaOrder;
  /** What came of it. */
  readonly result?: MadeFile;
  /** Where people go on with it: the thread that its message begins, or the place itself. */
  readonly shownAt?: Place;
  /** Nothing has been begun: its asker has not agreed to the price yet. */
  readonly asks?: true;
  /** How far it came, for the next try. */
  readonly left?: Pick<Progress, "account" | "uploads"> & { readonly delivery: Delivery; readonly media?: MediaProgress };
  /** The turn that is the next try: no other one is. */
  readonly by?: string;
}

/** The newest picture of a place, or the one that goes along with its next message. */
export interface Picture {
  readonly id: number;
  readonly name: string;
  /** The account whose file it is. */
  readonly account: string;
}

/** Whose a job is: the turn that follows it. */
export interface JobClaim extends Pick<InboundAction, "place" | "author"> {
  readonly turn: string;
  readonly account: string;
}

/** What a claim is kept by. */
export const claimKey = (account: string, kind: JobRecipe["kind"], id: number): string => `${account}:${kind}:${id}`;

/** A map whose entries end by themselves. */
export interface ExpiringMap<Value> {
  get(key: string): Promise<Value | undefined>;
  set(key: string, value: Value, ttlMs: number): Promise<unknown>;
}

export interface Creations {
  /** By the key of the turn. */
  readonly orders: ExpiringMap<Creation>;
  /** By `claimKey`. */
  readonly jobs: ExpiringMap<JobClaim>;
  /** By the key of the place. */
  readonly pictures: ExpiringMap<Picture>;
  /** Pictures that go along with the next message, by the key of the place. */
  readonly carried: ExpiringMap<Picture> & { delete(key: string): Promise<unknown> };
}

/** The button that begins what its asker has agreed to, or tries again what failed. */
export const makeName = "make";

/** How long something can be gone on with, in ms. */
export const keptMs = 24 * 60 * 60_000;
