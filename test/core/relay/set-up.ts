/** One reply on a fake platform, and what its tests look at. */
import { createPacer } from "../../../src/core/relay/pacer.ts";
import { openRelay, type Delivery, type RelayOptions, type ReplyState } from "../../../src/core/relay/relay.ts";
import { fakeClock } from "../../fakes/clock.ts";
import { createFakePlatform, type FakePlatform, type FakePlatformOptions } from "../../fakes/platform.ts";

export const place = { platform: "fake", tenant: "t", channel: "c", thread: "1" };
export const silent = { warn: () => {}, error: () => {} } as unknown as RelayOptions["log"];

export const reply = (text: string, change: Partial<ReplyState> = {}): ReplyState => ({
  text,
  state: "working",
  status: null,
  notice: null,
  footnotes: [],
  footer: null,
  actions: [],
  ...change,
});
export const done = (text: string, change: Partial<ReplyState> = {}): ReplyState => reply(text, { state: "done", ...change });

/** All text that a platform shows, message by message. */
export const shownText = (platform: FakePlatform): string[] => platform.messages.map(({ document }) => textOf(document.blocks));
const textOf = (node: unknown): string => {
  if (Array.isArray(node)) return node.map(textOf).join("");
  const { value, children } = node as { value?: string; children?: unknown[] };
  return (value ?? "") + (children === undefined ? "" : textOf(children));
};

export function setUp(change: Partial<RelayOptions> = {}, platformChange: Partial<FakePlatformOptions> = {}) {
  const clock = fakeClock();
  const platform = createFakePlatform({ clock, latencyMs: 100, ...platformChange });
  const journal: Delivery[] = [];
  const measured: Record<string, number[]> = {
    firstWords: [],
    staleness: [],
    finish: [],
    editSent: [],
    editSaved: [],
    heldBack: [],
  };
  const options: RelayOptions = {
    platform,
    place,
    key: "turn",
    delivery: { messages: [], attached: null },
    resumed: false,
    pacer: createPacer({ clock, log: silent }),
    guard: { permit: () => new AbortController().signal, acknowledged: () => {}, lost: () => false },
    journal: (delivery) => {
      journal.push(delivery);
      return Promise.resolve();
    },
    onStray: () => {},
    clock,
    random: () => 0.5,
    metrics: {
      firstWords: (ms) => measured["firstWords"]?.push(ms),
      staleness: (ms) => measured["staleness"]?.push(ms),
      finish: (ms) => measured["finish"]?.push(ms),
      editSent: () => measured["editSent"]?.push(1),
      editSaved: () => measured["editSaved"]?.push(1),
      heldBack: (ms) => measured["heldBack"]?.push(ms),
    },
    log: silent,
    ...change,
  };
  return { clock, platform, journal, measured, options, relay: openRelay(options) };
}
