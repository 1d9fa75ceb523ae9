/** An event's delay is explained by what was harmed on its way at that moment, and by nothing else. */
import { expect, test } from "vitest";
import { causeOf, takingMs, type Cause } from "./acknowledging.ts";
import type { Span } from "./spans.ts";
import type { Try } from "./stage.ts";

const at = 100_000;
const span = (from: number, to: number): Span => ({ how: "killed", from, to });
const first = { host: "first", away: [] as Span[], spoiledLive: [] as { port: number; at: number }[] };
const second = { ...first, host: "second" };
const sent: Try = { at, to: { host: "first", port: 7 }, ackMs: null };

const cases: readonly [what: string, expected: Cause, by: Parameters<typeof causeOf>][] = [
  ["nothing was harmed", "none", [sent, [first, second], []]],
  ["its replica was killed", "replica", [sent, [{ ...first, away: [span(at + 10, at + 4_000)] }, second], []]],
  ["another replica was killed", "none", [sent, [first, { ...second, away: [span(at, at + 4_000)] }], []]],
  [
    "its replica was killed after it should have been taken in",
    "none",
    [sent, [{ ...first, away: [span(at + takingMs + 1, Infinity)] }, second], []],
  ],
  [
    "its replica was killed after it had acknowledged",
    "none",
    [{ ...sent, ackMs: 5 }, [{ ...first, away: [span(at + 10, at + 4_000)] }], []],
  ],
  ["its connection was silent", "connection", [sent, [{ ...first, spoiledLive: [{ port: 7, at: at - 9_000 }] }], []]],
  ["another connection was silent", "none", [sent, [{ ...first, spoiledLive: [{ port: 8, at: at - 9_000 }] }], []]],
  ["the store was frozen", "store", [sent, [first], [span(at - 500, at + 500)]]],
  [
    "the store was frozen, and it was acknowledged at once all the same",
    "store",
    [{ ...sent, ackMs: 5 }, [first], [span(at - 500, at + 500)]],
  ],
  ["the store was well again", "none", [sent, [first], [span(at - 500, at - 1)]]],
  [
    "nobody had a socket, as all were killed",
    "replica",
    [{ ...sent, to: null }, [first, second].map((one) => ({ ...one, away: [span(at - 9_000, at - 1_000)] })), []],
  ],
  [
    "nobody had a socket, as the last one was broken",
    "connection",
    [{ ...sent, to: null }, [{ ...first, spoiledLive: [{ port: 7, at: at - 100 }] }], []],
  ],
  [
    "nobody had a socket, and one of them for no reason",
    "none",
    [{ ...sent, to: null }, [{ ...first, away: [span(at - 9_000, at)] }, second], []],
  ],
];

test.each(cases)("%s: %s", (_, expected, by) => {
  expect(causeOf(...by)).toBe(expected);
});
