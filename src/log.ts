/** Log lines as JSON, without secrets and without what people wrote. */
import { inspect } from "node:util";
import { pino, type DestinationStream, type Logger } from "pino";
import type { LogLevel } from "./config.ts";
import { Fault, WorkspaceFault, type WorkspaceFaultKind } from "./errors.ts";

export type Log = Logger;

// Text of messages and secrets never belong in a log line; should one be put there, it is cut out.
const secretFields = [
  "authorization",
  "apiKey",
  "api_key",
  "token",
  "secret",
  "password",
  "encryptionKey",
  "text",
  "message",
  "prompt",
  "runs",
  "raw_text",
];
const redactPaths = secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

// Every run of characters is bounded before its mark: without a bound, a long text without any mark takes minutes.
const keyShape =
  /[A-Za-z0-9]{1,64}-API-[A-Za-z0-9]{64}|xox[a-z]-[A-Za-z0-9-]+|xapp-[A-Za-z0-9-]+|sk-[A-Za-z0-9_-]{16,}|[\w-]{23,30}\.[\w-]{6,7}\.[\w-]{27,}/g;
const withoutKeys = (value: string): string => value.replace(keyShape, "[key]");

/** Faults whose message is the workspace's own text. */
const inItsWords: ReadonlySet<WorkspaceFaultKind> = new Set([
  "unauthorized",
  "forbidden",
  "not_found",
  "rejected",
  "quota",
  "rate_limited",
  "unavailable",
]);

/** Causes of causes that are told; a chain may run in a circle. */
const causesTold = 8;

/**
 * What a thrown value tells an operator: code, kind, reason, correlation id and the chain of causes; no content.
 * @param causes how many of the chain are told
 */
function describeThrown(thrown: unknown, causes = causesTold): Record<string, unknown> {
  if (!(thrown instanceof Error)) {
    // Of an object that is no error only its kind: its fields may hold anything.
    return { reason: withoutKeys(typeof thrown === "string" ? thrown : inspect(thrown, { depth: -1 })) };
  }
  return {
    name: thrown.name,
    // The workspace's own words may repeat the asker's; its correlation id leads to them.
    ...(thrown instanceof WorkspaceFault && inItsWords.has(thrown.kind) ? {} : { reason: withoutKeys(thrown.message) }),
    ...(thrown instanceof Fault ? { code: thrown.code } : {}),
    ...(thrown instanceof WorkspaceFault
      ? { status: thrown.status, correlationId: thrown.correlationId, blockCode: thrown.blockCode }
      : {}),
    ...(thrown.cause === undefined || causes === 0 ? {} : { cause: describeThrown(thrown.cause, causes - 1) }),
    ...(thrown instanceof Fault || thrown.stack === undefined ? {} : { stack: withoutKeys(thrown.stack) }),
  };
}

export const createLog = (level: LogLevel, destination?: DestinationStream): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactPaths, censor: "[removed]" },
      serializers: { err: (thrown) => describeThrown(thrown), error: (thrown) => describeThrown(thrown) },
      // Whatever way a key came into a line, it does not leave with it.
      hooks: { streamWrite: withoutKeys },
    },
    destination ?? pino.destination(2),
  );
