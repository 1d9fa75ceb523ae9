/** What the workspace answered, or failed to answer, as one kind of fault. */
import { errors } from "undici";
import { quotaReasons, type QuotaReason } from "../contract/errors.ts";
import { reasonOf, WorkspaceFault, type WorkspaceFaultKind } from "../errors.ts";
import { isObject } from "./fields.ts";
import { retryAfterMs } from "./retry-after.ts";

/** Marks what went wrong before there was a connection: the request was certainly not received. */
export class ConnectFailure extends Error {
  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
    this.name = "ConnectFailure";
  }
}

// A workspace's own text is one line for a person; anything longer is not that.
const longestText = 500;

const defaultTexts: Record<WorkspaceFaultKind, string> = {
  unreachable: "the workspace cannot be reached: check that it runs and that its address is right",
  lost: "the workspace was asked and no whole answer came: it may have acted all the same",
  malformed: "the workspace gave an answer that is not of its interface: check that its address is right",
  unauthorized: "the workspace does not accept the API key: check it, or make a new one",
  forbidden: "the workspace does not allow this with this API key",
  not_found: "the workspace has no such thing, or does not show it to this API key",
  rejected: "the workspace did not accept the request",
  quota: "the workspace's quota is used up",
  rate_limited: "something in front of the workspace limits requests: try again later",
  unavailable: "the workspace failed at this: try again later",
};

export const faultText = (kind: WorkspaceFaultKind): string => defaultTexts[kind];

/** A fault for an answer that the interface does not know. What was answered is never part of the text. */
export const malformed = (what: string, status: number, correlationId?: string, cause?: unknown): WorkspaceFault =>
  new WorkspaceFault("malformed", `${what}: ${defaultTexts.malformed}`, { status, correlationId, cause });

const textIn = (body: Record<string, unknown>, key: string): string | undefined => {
  const value = body[key];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
};

function kindOf(status: number, reason: string | undefined): WorkspaceFaultKind {
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 404) return "not_found";
  if (status === 429) return reason === undefined ? "rate_limited" : "quota";
  if (status >= 500) return "unavailable";
  return status >= 400 ? "rejected" : "malformed";
}

/** What a proxy answers for a server that it could not get an answer from. */
const gatewayStatuses = new Set([502, 503, 504]);

function faultIn(
  body: Record<string, unknown>,
  kind: WorkspaceFaultKind,
  answer: { status: number; correlationId: string | undefined; retryAfterMs?: number },
): WorkspaceFault {
  const reason = textIn(body, "reason");
  const own = textIn(body, "error")?.slice(0, longestText);
  return new WorkspaceFault(kind, own ?? `${defaultTexts[kind]} (status ${answer.status})`, {
    ...answer,
    // A reason that is not of the list still says that this is a quota.
    reason: kind === "quota" ? (quotaReasons.find((known) => known === reason) ?? ("unknown" satisfies QuotaReason)) : undefined,
    blockCode: textIn(body, "error_code") ?? textIn(body, "code"),
    foreign: own === undefined && gatewayStatuses.has(answer.status),
  });
}

/**
 * The fault of an answer that is no success.
 * @param text its body: an error object of the interface, nothing, or anything a proxy may say (then it is not shown)
 * @param header the answer's, by their names in small letters
 */
export function faultOf(status: number, text: string, header: (name: string) => string | undefined, now: number): WorkspaceFault {
  const parsed = parseJson(text);
  const body = isObject(parsed) ? parsed : {};
  return faultIn(body, kindOf(status, textIn(body, "reason")), {
    status,
    correlationId: header("x-correlation-id"),
    retryAfterMs: retryAfterMs(header("retry-after"), now),
  });
}

/**
 * The fault of a tool that said no.
 * @param text an error object of the interface as JSON, or plain words
 */
export function toolFault(text: string, answer: { status: number; correlationId: string | undefined }): WorkspaceFault {
  const parsed = parseJson(text);
  const body = isObject(parsed) ? parsed : { error: text };
  return faultIn(body, textIn(body, "reason") === undefined ? "rejected" : "quota", answer);
}

// What servers of the protocol say of a tool that is not there: "tool 'x' not found", "Unknown tool: x".
const unknownTool = /\btool\b.*\bnot found\b|\bunknown tool\b/i;

/** The fault of a JSON-RPC error: -32602 and -32600 say that the request was wrong, all else that the server failed at it. */
export function rpcFault(
  error: Record<string, unknown>,
  answer: { status: number; correlationId: string | undefined },
): WorkspaceFault {
  const said = textIn(error, "message");
  const wrong = error["code"] === -32602 || error["code"] === -32600;
  const kind = said !== undefined && unknownTool.test(said) ? "not_found" : wrong ? "rejected" : "unavailable";
  return faultIn(said === undefined ? {} : { error: said }, kind, answer);
}

/** The value of a JSON text; undefined when it is empty or not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The fault of a call that got no answer. */
export function transportFault(thrown: unknown, correlationId?: string, status = 0): WorkspaceFault {
  if (thrown instanceof WorkspaceFault) return thrown;
  // Not kept as the cause: it holds the bytes that were not understood.
  if (thrown instanceof errors.HTTPParserError) return malformed("expected HTTP", status, correlationId);
  const code = codeOf(thrown);
  const kind = thrown instanceof ConnectFailure || connectCodes.has(code) ? "unreachable" : "lost";
  return new WorkspaceFault(kind, `${defaultTexts[kind]}${code === "" ? "" : ` (${code})`}`, {
    status,
    correlationId,
    cause: thrown,
  });
}

// For a dispatcher or a socket that is not ours, only the code tells that no connection was made.
const connectCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function codeOf(thrown: unknown): string {
  for (let error = thrown; isObject(error); error = error["cause"]) {
    if (typeof error["code"] === "string") return error["code"];
  }
  return "";
}
