/**
 * Leaves a workspace alone that says "too many".
 *
 * The workspace itself limits nobody's rate: its own 429 names a reason, and is a quota. One without a reason is of a proxy in
 * front, and what that counts is not known: each key, or the address that all keys share. So it closes the gate of the account
 * that was told, and that of all where another account is told the same with no answer to anybody in between.
 */
import type { Clock } from "../clock.ts";
import { WorkspaceFault } from "../errors.ts";
import { createGate, type Gate } from "./gate.ts";

export interface Limits {
  /** The gates that a request of an account has to pass. */
  gates(account: string): readonly Gate[];
  /** The account was told "too many". @param probe it was a gate's probe, and not one of those that were under way as it closed */
  limited(account: string, fault: WorkspaceFault, probe: boolean): void;
  /** The account was answered. */
  answered(account: string, probe: boolean): void;
}

/** Where no time is named, in ms; doubled at each probe that is refused, up to the limit, and spread over half to one and a half. */
const firstWaitMs = 1_000;
const waitLimitMs = 30_000;
/** The longest named time that is believed, in ms: well before an answer that nobody can read any more is given up. */
const longestMs = 120_000;
/** A named time is kept to, and by chance exceeded by up to this part of it. */
const spread = 0.25;

interface Account {
  readonly gate: Gate;
  /** Refusals in a row: of those that were under way together, one. */
  refusals: number;
}

/** @param random from 0 up to 1 */
export function createLimits(clock: Clock, random: () => number, log?: { warn(fields: object, text: string): void }): Limits {
  const open = (): Account => ({ gate: createGate(clock), refusals: 0 });
  const all = open();
  // Only those that are closed: one that is open is as if it had never been.
  const accounts = new Map<string, Account>();
  let lastTold: string | undefined;

  const waitMs = (asked: number, refusals: number): number => {
    if (asked === 0) return Math.min(firstWaitMs * 2 ** (refusals - 1), waitLimitMs) * (0.5 + random());
    const kept = Math.min(asked, longestMs);
    if (kept < asked) log?.warn({ askedMs: asked, heldMs: kept }, "the workspace's rate limit names a time that is not believed");
    return kept * (1 + spread * random());
  };
  const close = (account: Account, fault: WorkspaceFault, probe: boolean): void => {
    if (probe || !account.gate.closed) account.refusals++;
    account.gate.close(waitMs(fault.retryAfterMs, account.refusals));
  };

  return {
    gates(account) {
      const own = accounts.get(account)?.gate;
      return own === undefined ? [all.gate] : [all.gate, own];
    },
    limited(account, fault, probe) {
      for (const [name, { gate }] of accounts) if (gate.until < clock.now() - longestMs) accounts.delete(name);
      const own = accounts.get(account) ?? open();
      accounts.set(account, own);
      close(own, fault, probe);
      if (all.gate.closed || (lastTold !== undefined && lastTold !== account)) close(all, fault, probe);
      lastTold = account;
    },
    answered(account, probe) {
      lastTold = undefined;
      if (!probe) return;
      accounts.delete(account);
      all.refusals = 0;
      all.gate.open();
    },
  };
}
