/** What must never stand in the log, however it came there. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault, WorkspaceFault } from "../src/errors.ts";
import { createLog, type Log } from "../src/log.ts";

function capture(level: Parameters<typeof createLog>[0] = "info"): {
  log: Log;
  lines: string[];
  last: () => Record<string, unknown>;
} {
  const lines: string[] = [];
  const log = createLog(level, { write: (line) => void lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? "{}") as Record<string, unknown> };
}
const key = `PARLEY-API-${"k9Z8".repeat(16)}`;

describe("secrets", () => {
  const forms = [key, `ACME-API-${"x".repeat(64)}`, "xoxb-12345-canary", "xapp-1-canary", "sk-proj-canary0123456789"];

  test.for(forms)("%s is cut out of every part of a line", (secret) => {
    const { log, lines } = capture();
    log.error({ err: new Error(`refused ${secret}`, { cause: new Error(`header was Bearer ${secret}`) }) }, `sent ${secret}`);
    log.info({ url: `http://host/?k=${secret}`, deep: { er: { and: { deeper: [secret] } } } }, "a line");
    log.child({ bound: secret }).warn("from a child");
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line).not.toContain(secret);
      expect(line).toContain("[key]");
    }
  });

  test.for(["authorization", "apiKey", "api_key", "token", "secret", "password", "encryptionKey"])(
    "a field called %s is cut out, down to the third level",
    (name) => {
      const { log, lines } = capture();
      log.info({ [name]: "canary", request: { [name]: "canary", headers: { [name]: "canary" } } }, "a line");
      expect(lines[0]).not.toContain("canary");
      expect(lines[0]?.match(/\[removed\]/g)).toHaveLength(3);
    },
  );
});

test.for(["x", "9", "a-", "_"])("a line of a million “%s” costs no time", (one) => {
  const { log, lines } = capture();
  // Quadratic, this would take an hour.
  log.warn({ turn: one.repeat(1_000_000) }, "a line");
  expect(lines).toHaveLength(1);
});

test("what people wrote is cut out", () => {
  const { log, lines } = capture("trace");
  const inbound = { key: "console:local:general:1", text: "canary", runs: [{ typed: "canary" }] };
  log.info({ inbound, body: { message: "canary" }, prompt: "canary", record: { raw_text: "canary" } }, "a line");
  expect(lines[0]).not.toContain("canary");
  expect(lines[0]).toContain("console:local:general:1");
});

describe("thrown values", () => {
  test("a workspace's fault tells its code, status, correlation id and cause", () => {
    const { log, last } = capture();
    const cause = new Error("socket hang up");
    log.error({ err: new WorkspaceFault("lost", "no answer came", { status: 502, correlationId: "c0ffee", cause }) }, "a line");
    expect(last()["err"]).toMatchObject({
      code: "workspace_lost",
      reason: "no answer came",
      status: 502,
      correlationId: "c0ffee",
      cause: { reason: "socket hang up" },
    });
  });

  test("an expected fault has no stack, an unexpected one has", () => {
    const { log, last } = capture();
    log.error({ err: new Fault("listen", "the port is taken") }, "a line");
    expect(last()["err"]).toEqual({ name: "Fault", code: "listen", reason: "the port is taken" });
    log.error({ err: new TypeError("x is not a function") }, "a line");
    expect(last()["err"]).toHaveProperty("stack");
  });

  test("a thrown object that is no error tells its kind only, a thrown text itself", () => {
    const { log, last } = capture();
    log.error({ err: { body: "canary" } }, "a line");
    expect(last()["err"]).toEqual({ reason: "[Object]" });
    log.error({ err: "out of reach" }, "a line");
    expect(last()["err"]).toEqual({ reason: "out of reach" });
  });

  test("anything can be thrown", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (thrown) => {
        const { log, lines, last } = capture();
        log.error({ err: thrown }, "a line");
        expect(lines).toHaveLength(1);
        expect(last()).toMatchObject({ level: "error", msg: "a line" });
      }),
    );
  });
});

test("a chain of causes that runs in a circle ends", () => {
  const { log, last } = capture();
  const circle = new Error("one");
  circle.cause = new Error("two", { cause: circle });
  log.error({ err: circle }, "a line");
  expect(last()).toMatchObject({ err: { reason: "one", cause: { reason: "two", cause: { reason: "one" } } } });
});

test("a line is JSON with its level and time, and levels below are not written", () => {
  const { log, lines, last } = capture("warn");
  log.info("not written");
  log.warn({ turn: "t1" }, "written");
  expect(lines).toHaveLength(1);
  expect(last()).toMatchObject({ level: "warn", turn: "t1", msg: "written" });
  expect(Date.parse(String(last()["time"]))).not.toBeNaN();
});
