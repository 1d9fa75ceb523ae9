/** A platform that holds everybody to its rules: budgets as strict sliding windows, sizes, and faults on order. */
import type { Clock } from "../../src/clock.ts";
import { WriteFault } from "../../src/errors.ts";
import { emptyDocument, type Block, type Document } from "../../src/core/document.ts";
import type { Inbound, InboundFile, Inbox, Person } from "../../src/core/inbound.ts";
import { channelOf, placeKey, type Place } from "../../src/core/place.ts";
import type { Budget, ChatPlatform, Limits, OutboundFile, Posted, WriteMethod } from "../../src/core/platform.ts";
import { documentCost } from "../../src/core/render/measure.ts";

export interface FakeMessage {
  readonly posted: Posted;
  readonly key: string;
  readonly document: Document;
  readonly files: readonly OutboundFile[];
  /** How often it was edited. */
  readonly edits: number;
}

/** One write that the platform carried out. */
export interface FakeWrite {
  readonly at: number;
  readonly method: "post" | "edit" | "remove" | "attach";
  readonly id: string;
  readonly key: string | null;
  readonly document: Document | null;
}

export type FakeMethod = FakeWrite["method"] | "find" | "whisper" | "recentFiles" | "open";

/**
 * What the next call comes to:
 * - a WriteFault: not done, and answered so;
 * - `answer_lost`: done, but the answer never arrives;
 * - `request_lost`: not done, and no answer either;
 * - `silence`: neither, until the caller's signal ends it.
 */
export type Order = WriteFault | "answer_lost" | "request_lost" | "silence";

export interface FakePlatformOptions {
  readonly clock: Clock;
  readonly limits?: Partial<Limits>;
  /** From request to answer, in ms; counted against the budget at the request. */
  readonly latencyMs?: number;
  /** False for long runs: keeps no log of writes. */
  readonly record?: boolean;
  /** Bytes of files, by id, for `open`. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /**
   * A second post with a key that a message has already: an error of the test's, another message as in Slack, or that message
   * as on Discord, which remembers a nonce for a while.
   */
  readonly sameKey?: "error" | "another" | "same";
}

export interface FakePlatform extends ChatPlatform {
  /** What people see now, in the order of posting. */
  readonly messages: readonly FakeMessage[];
  readonly log: readonly FakeWrite[];
  readonly whispers: readonly { readonly person: Person; readonly document: Document }[];
  /** Files of the newest messages by the key of their place, newest first. */
  readonly recent: Map<string, readonly InboundFile[]>;
  /** Writes that were refused because their budget was used up. A test of pacing expects 0. */
  readonly overBudget: number;
  /** Orders the outcome of the next calls of `method`, first in first out. */
  order(method: FakeMethod, ...outcomes: Order[]): void;
  /** A message is removed by somebody else: later writes to it are `gone`. */
  removeByOthers(id: string): void;
  /** Something comes in; resolves as the inbox does. */
  receive(inbound: Inbound): Promise<"new" | "known">;
}

/** Every character counts, and every node takes a few for its marks. */
const plainCost = (node: Block): number => {
  const { value, url, children } = node as { value?: string; url?: string; children?: Block[] };
  return 2 + (value?.length ?? 0) + (url?.length ?? 0) + (children ?? []).reduce((sum, child) => sum + plainCost(child), 0);
};

const defaultLimits: Limits = {
  characters: 4_000,
  blocks: 50,
  cost: (block) => ({ characters: plainCost(block), blocks: 1 }),
  formFields: 3,
  howToAttach: (command) => `attach one to \`/${command}\``,
  ownSettings: ["follow_ups", "streaming"],
  messagesPerReply: 10,
  fileBytes: 1_000_000,
  budgets: (method: WriteMethod, place: Place) => [
    { key: `${method}:${placeKey(channelOf(place))}`, count: 100, windowMs: 1_000, burst: 100 },
  ],
};

export function createFakePlatform(options: FakePlatformOptions): FakePlatform {
  const { clock, latencyMs = 0, record = true, sameKey = "error" } = options;
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const messages = new Map<string, FakeMessage>();
  const byKey = new Map<string, Posted>();
  const log: FakeWrite[] = [];
  const recent: FakePlatform["recent"] = new Map();
  const whispers: { person: Person; document: Document }[] = [];
  const windows = new Map<string, number[]>();
  const orders = new Map<FakeMethod, Order[]>();
  let ids = 0;
  let overBudget = 0;
  let inbox: Inbox | undefined;
  let ready = false;

  const take = (budgets: readonly Budget[]): void => {
    const now = clock.now();
    for (const { key, count, windowMs } of budgets) {
      const times = windows.get(key) ?? [];
      while (times[0] !== undefined && times[0] <= now - windowMs) times.shift();
      windows.set(key, times);
      if (times.length < count) continue;
      overBudget++;
      const retryAfterMs = (times[0] ?? now) + windowMs - now;
      throw new WriteFault("rate_limited", "too many writes", { retryAfterMs, budgetKey: key });
    }
    for (const { key } of budgets) windows.get(key)?.push(now);
  };

  const answer = <T>(value: T, signal: AbortSignal): Promise<T> =>
    new Promise((resolve, reject) => {
      const lost = (): void => {
        cancel();
        reject(new WriteFault("unknown", "no answer before the deadline", { cause: signal.reason }));
      };
      const cancel = clock.after(latencyMs, () => {
        signal.removeEventListener("abort", lost);
        resolve(value);
      });
      if (signal.aborted) lost();
      else signal.addEventListener("abort", lost, { once: true });
    });

  const silence = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      const lost = (): void => reject(new WriteFault("unknown", "no answer before the deadline", { cause: signal.reason }));
      if (signal.aborted) lost();
      else signal.addEventListener("abort", lost, { once: true });
    });

  /** Carries one call out, or what was ordered in its place. */
  const call = async <T>(method: FakeMethod, signal: AbortSignal, budgets: readonly Budget[], act: () => T): Promise<T> => {
    signal.throwIfAborted();
    take(budgets);
    const ordered = orders.get(method)?.shift();
    if (ordered === "silence") return silence(signal);
    if (ordered === "request_lost" || ordered instanceof WriteFault) {
      await answer(undefined, signal);
      throw ordered instanceof WriteFault ? ordered : new WriteFault("unknown", "the request was lost");
    }
    const result = act();
    await answer(undefined, signal);
    if (ordered === "answer_lost") throw new WriteFault("unknown", "the answer was lost");
    return result;
  };

  const note = (method: FakeWrite["method"], id: string, key: string | null, document: Document | null): void => {
    if (record) log.push({ at: clock.now(), method, id, key, document });
  };

  const measure = (document: Document): void => {
    const { characters, blocks } = documentCost(document, limits);
    if (characters <= limits.characters && blocks <= limits.blocks) return;
    throw new Error(`a message of ${characters} characters and ${blocks} blocks is too large`);
  };

  const put = (
    method: "post" | "attach",
    place: Place,
    key: string,
    document: Document | null,
    files: readonly OutboundFile[],
  ): Posted => {
    const before = byKey.get(key);
    if (before !== undefined && sameKey === "error") throw new Error(`posted twice: ${key}`);
    if (before !== undefined && sameKey === "same") return before;
    const posted: Posted = { place, id: `m${++ids}` };
    byKey.set(key, before ?? posted);
    messages.set(posted.id, { posted, key, document: document ?? emptyDocument, files, edits: 0 });
    note(method, posted.id, key, document);
    return posted;
  };

  return {
    name: "fake",
    limits,
    get messages() {
      return [...messages.values()];
    },
    log,
    whispers,
    recent,
    get overBudget() {
      return overBudget;
    },
    order(method, ...outcomes) {
      orders.set(method, [...(orders.get(method) ?? []), ...outcomes]);
    },
    removeByOthers(id) {
      messages.delete(id);
    },
    receive(inbound) {
      if (inbox === undefined) throw new Error("the platform is not started");
      return inbox.receive(inbound);
    },
    start(into) {
      inbox = into;
      ready = true;
      return Promise.resolve();
    },
    stop() {
      ready = false;
      return Promise.resolve();
    },
    health: () => (ready ? null : "not connected"),
    post(place, document, key, signal) {
      return call("post", signal, limits.budgets("post", place), () => {
        measure(document);
        return put("post", place, key, document, []);
      });
    },
    edit(posted, document, signal) {
      return call("edit", signal, limits.budgets("edit", posted.place), () => {
        measure(document);
        const shown = messages.get(posted.id);
        if (shown === undefined) throw new WriteFault("gone", "the message no longer exists");
        messages.set(posted.id, { ...shown, document, edits: shown.edits + 1 });
        note("edit", posted.id, shown.key, document);
      });
    },
    remove(posted, signal) {
      return call("remove", signal, limits.budgets("edit", posted.place), () => {
        const shown = messages.get(posted.id);
        if (shown === undefined) return;
        messages.delete(posted.id);
        const next = [...messages.values()].find(({ key }) => key === shown.key);
        if (next === undefined) byKey.delete(shown.key);
        else byKey.set(shown.key, next.posted);
        note("remove", posted.id, shown.key, null);
      });
    },
    attach(place, files, key, signal) {
      return call("attach", signal, limits.budgets("post", place), () => {
        if (files.some((file) => file.bytes.length > limits.fileBytes)) throw new Error("a file is too large");
        return put("attach", place, key, null, files);
      });
    },
    find(_place, key, signal, besides = []) {
      return call("find", signal, [], () => {
        const first = byKey.get(key);
        if (first === undefined || !besides.includes(first.id)) return first;
        return [...messages.values()].find((one) => one.key === key && !besides.includes(one.posted.id))?.posted;
      });
    },
    whisper(_place, person, document, signal) {
      return call("whisper", signal, [], () => void whispers.push({ person, document }));
    },
    complete: (inbound) => Promise.resolve(inbound),
    recentFiles(place, signal) {
      return call("recentFiles", signal, [], () => recent.get(placeKey(place)) ?? []);
    },
    open(file, signal) {
      return call("open", signal, [], () => {
        const bytes = options.files?.[file.id];
        if (bytes === undefined) throw new WriteFault("gone", "no such file");
        return (async function* () {
          yield await Promise.resolve(bytes);
        })();
      });
    },
  };
}
