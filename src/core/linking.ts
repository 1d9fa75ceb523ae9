/** A person's own account: proved, linked, taken away, and what has waited for it let go on. */
import type { Clock } from "../clock.ts";
import { WorkspaceFault } from "../errors.ts";
import type { Inbound } from "./inbound.ts";
import type { Holder, Link, Links } from "./links.ts";
import { linkedKey, type Parked } from "./parked.ts";
import type { Workspace } from "./workspace.ts";

/** What the workspace tells of a key. */
export interface Proof {
  /** The number of the account, where it has a conversation that tells it. */
  readonly userId: number | null;
  /** Names of the tools that the key may call; null where the workspace does not tell. */
  readonly tools: readonly string[] | null;
}

export interface Linking {
  of(holder: Holder): Promise<Link | undefined>;
  /** One cheap read, and the list of tools. Undefined: no key of the workspace. Throws `WorkspaceFault` when it cannot be asked. */
  prove(key: string, signal: AbortSignal): Promise<Proof | undefined>;
  /** Links the key and lets go on what has waited for it; returns how much that was. */
  link(holder: Holder, key: string): Promise<number>;
  /** False: there was no link. */
  unlink(holder: Holder): Promise<boolean>;
}

export interface LinkingOptions {
  readonly links: Links;
  readonly parked: Parked;
  readonly connect: (key: string) => Workspace;
  readonly enqueue: (inbound: Inbound) => Promise<unknown>;
  readonly clock: Clock;
}

/** A key without the right for a call is a key all the same. */
async function unlessForbidden<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (thrown) {
    if (thrown instanceof WorkspaceFault && (thrown.kind === "forbidden" || thrown.kind === "not_found")) return null;
    throw thrown;
  }
}

export const createLinking = ({ links, parked, connect, enqueue, clock }: LinkingOptions): Linking => ({
  of: (holder) => links.of(holder),
  async prove(key, signal) {
    const workspace = connect(key);
    try {
      const newest = await unlessForbidden(workspace.conversations.list({ size: 1, signal }));
      const tools = await unlessForbidden(workspace.tools.list({ signal }));
      return { userId: newest?.items[0]?.userId ?? null, tools: tools?.map(({ name }) => name) ?? null };
    } catch (thrown) {
      if (thrown instanceof WorkspaceFault && thrown.kind === "unauthorized") return undefined;
      throw thrown;
    }
  },
  async link(holder, key) {
    await links.put(holder, key, clock.now());
    const waiting = await parked.of(holder);
    for (const inbound of waiting) {
      await enqueue({ ...inbound, key: linkedKey(inbound.key) });
      await parked.remove(inbound.key);
    }
    return waiting.length;
  },
  unlink: (holder) => links.remove(holder),
});
