/**
 * What a turn does with its account, as long as the turn is its own: an owner that was paused for longer than its lease may have
 * been followed by another, who has asked, run or begun the same meanwhile. So the lease is looked at right before each call,
 * with no wait in between that could be a long one: a look before a lock, a list or an upload would be none.
 */
import type { Account } from "../accounts.ts";
import { watchedWorkspace } from "../workspace-calls.ts";
import type { Lease } from "./lease.ts";

/** Each call that may change or cost something rejects with `LeaseLost` once too little of the lease is left. */
export const permittedAccount = (account: Account, lease: Pick<Lease, "permit">): Account => ({
  ...account,
  workspace: watchedWorkspace(account.workspace, () => void lease.permit()),
});

/**
 * A map of Parley's own whose calls of these names, which write, are made by the turn's owner alone: the store's fence guards the
 * turn, and not what is kept beside it. What is kept of something that was just paid for is no case for it.
 */
export const permittedWrites = <T extends object>(
  map: T,
  lease: Pick<Lease, "permit">,
  writes: ReadonlyArray<keyof T & string>,
): T =>
  new Proxy(map, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]): unknown => {
        if (writes.some((write) => write === name))
          try {
            lease.permit();
          } catch (thrown) {
            return Promise.reject(thrown as Error);
          }
        return (member as (...all: unknown[]) => unknown).apply(of, args);
      };
    },
  });
