/** What the suite's check of itself takes out, and what must be found then: the table in docs/faults.md has these by their names. */
import type { Guard } from "./paused/pause.ts";
import type { Patch } from "./patches.ts";
import type { Paused } from "./paused-owner.ts";
import type { SoakOptions, SoakResult } from "./run.ts";
import {
  discordRetries,
  noDeduplication,
  noNonce,
  noPermit,
  noPermitToCall,
  noPermitToCount,
  noPermitToKeep,
  noStoreFence,
  slackRetries,
} from "./sabotages.ts";

export interface Control {
  /** What is taken out, and what happens. */
  readonly name: string;
  readonly patches: readonly Patch[];
}

/** A paused owner of one question, while another follows. */
export type AllPaused = readonly [before: Paused, sending: Paused, amid: Paused];

export interface PausedControl extends Control {
  readonly shows: (...all: AllPaused) => boolean;
}

const everyFence: readonly Patch[] = [...noStoreFence, ...noPermit, ...noPermitToCall, ...noPermitToKeep, ...noPermitToCount];

export const pausedControls: readonly PausedControl[] = [
  {
    name: "nothing; an owner is paused for longer than its lease",
    patches: [],
    shows: (...all) => all.every(({ askedTwice, overwritten, outOfOrder }) => askedTwice + overwritten + outOfOrder === 0),
  },
  {
    name: "the fence in the store and the look at the lease before a write; an owner is paused",
    patches: [...noStoreFence, ...noPermit],
    shows: (before, sending) => [before, sending].every(({ askedTwice, outOfOrder }) => askedTwice > 0 && outOfOrder > 0),
  },
  {
    name: "the look at the lease before a write; an owner is paused",
    patches: noPermit,
    shows: (_before, _sending, amid) => amid.overwritten > 0,
  },
  {
    name: "the look at the lease before a send; an owner is paused",
    patches: noPermitToCall,
    shows: (_before, sending) => sending.askedTwice > 0 && sending.outOfOrder > 0,
  },
];

export interface SceneControl extends Control {
  /** Harm is done in the scenes that this guard keeps it away from, and in no others. */
  readonly harms: Guard | "every" | "none";
}

export const sceneControls: readonly SceneControl[] = [
  { name: "nothing; an owner is paused in each of the scenes", patches: [], harms: "none" },
  { name: "the fence in the store, in each of the scenes", patches: noStoreFence, harms: "every" },
  { name: "the look at the lease before calls, in each of the scenes", patches: noPermitToCall, harms: "call" },
  { name: "the look at the lease before what is kept, in each of the scenes", patches: noPermitToKeep, harms: "keep" },
  { name: "the look at the lease before counting, in each of the scenes", patches: noPermitToCount, harms: "count" },
];

export interface SoakControl extends Control {
  readonly shows: (result: SoakResult) => boolean;
  readonly options: Partial<SoakOptions>;
  /** One process stands still right before it sends a question, for longer than its lease; people ask until it has woken. */
  readonly pauses?: true;
}

/** Giving up is no failure of a safeguard. */
const sound = ({ verdict, lateRemovals }: SoakResult): boolean => {
  const { lost, unheard, duplicate, surplus, outOfOrder, shownOutOfOrder, orphaned, damaged, elsewhere, askedTwice } = verdict;
  const found = [lost, unheard, duplicate, outOfOrder, shownOutOfOrder, orphaned, damaged, elsewhere, askedTwice];
  return surplus === 0 && found.every(({ length }) => length === 0) && verdict.takenAway.length <= lateRemovals;
};
const doubled = ({ verdict: { duplicate, surplus } }: SoakResult): boolean => duplicate.length > 0 && surplus > 0;
/** What is posted first is that Parley works or waits: a second one of those has no answer in it. */
const overfull = ({ verdict: { surplus } }: SoakResult): boolean => surplus > 0;

/** What was asked is done, and the answer lost: whoever repeats it does it twice. */
const answersLost: Partial<SoakOptions> = { faults: 0.3, kinds: ["503 after"], kills: 0 };
/** So much goes wrong that it takes long: late is not lost. What is doubled would only be waited for in vain. */
const patient: Partial<SoakOptions> = { ...answersLost, patienceMs: 180_000 };
const two: Partial<SoakOptions> = { store: "postgres", replicas: 2, kills: 0 };
const often = "three of ten answers are lost";

export const soakControls: readonly SoakControl[] = [
  { name: "nothing; a tenth of all requests is spoiled, and a kill", patches: [], shows: sound, options: {} },
  { name: "deduplication", patches: noDeduplication, shows: doubled, options: {} },
  { name: `nothing; ${often}`, patches: [], shows: sound, options: patient },
  { name: `Slack's client repeats by itself; ${often}`, patches: slackRetries, shows: overfull, options: answersLost },
  { name: `discord.js repeats by itself; ${often}`, patches: discordRetries, shows: sound, options: patient },
  { name: `the nonce of Discord's messages; ${often}`, patches: noNonce, shows: sound, options: patient },
  {
    name: `the nonce, and discord.js repeats by itself; ${often}`,
    patches: [...discordRetries, ...noNonce],
    shows: overfull,
    options: answersLost,
  },
  {
    name: "nothing; two replicas, frozen at any time",
    patches: [],
    shows: sound,
    options: { ...two, freezes: 3, minutes: 1 },
  },
  {
    name: "nothing; two replicas, of which one is paused as it sends",
    patches: [],
    shows: sound,
    options: { ...two, faults: 0, minutes: 1.3 },
    pauses: true,
  },
  {
    name: "every fence; two replicas, of which one is paused as it sends",
    patches: everyFence,
    shows: ({ verdict }) => verdict.askedTwice.length > 0,
    options: { ...two, faults: 0, minutes: 1.3 },
    pauses: true,
  },
];
