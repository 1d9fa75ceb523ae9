/** Turns whatever a provider's SDK throws into a Fault that an asker can read and that holds no secret. */
import { Fault, reasonOf } from "../../errors.ts";

/** Who failed, for the texts. */
export interface Blamed {
  /** As it begins a sentence: `OpenAI`, `The model server`. */
  readonly label: string;
  /** The environment variable of its key. */
  readonly keyVariable: string;
  /** Values that must not be shown. */
  readonly secrets: readonly string[];
}

/** Characters of a provider's own words that are passed on. */
const detailLimit = 300;

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** The message in a body of any of the usual shapes: `{error: {message}}`, `{error: "…"}`, `{message}`, `{detail}`. */
function messageInBody(body: unknown): string | undefined {
  const error = field(body, "error");
  return [field(error, "message"), error, field(body, "message"), field(body, "detail")].find(
    (text): text is string => typeof text === "string" && text !== "",
  );
}

function parsed(body: unknown): unknown {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    // An HTML page or plain text: nothing in it is meant for an asker.
    return undefined;
  }
}

/** One line without secrets, HTML, or more than an asker wants to read. */
function presentable(text: string, secrets: readonly string[]): string {
  let clean = text.replace(/\s+/g, " ").trim();
  if (/<!doctype|<\/?(?:html|head|body)\b/i.test(clean)) return "";
  for (const secret of secrets) if (secret !== "") clean = clean.replaceAll(secret, "[key]");
  clean = clean.replace(/\b(?:sk|pk|key|AIza)[-_A-Za-z0-9*]{12,}/g, "[key]").replace(/([?&]key=)[^&\s]+/gi, "$1[key]");
  return clean.length > detailLimit ? `${clean.slice(0, detailLimit).replace(/[\uD800-\uDBFF]$/, "")}…` : clean;
}

/** The chain of causes of `thrown`, itself first. */
function* causes(thrown: unknown): Generator<unknown> {
  const seen = new Set<unknown>();
  for (let at = thrown; at !== undefined && at !== null && !seen.has(at); at = field(at, "cause")) {
    seen.add(at);
    yield at;
  }
}

const unreachableCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** An error that carries nothing of `thrown` but its kind: SDK errors hold request bodies and headers, which belong in no log. */
const traced = (thrown: unknown, secrets: readonly string[]): Error => {
  const trace = new Error(presentable(reasonOf(thrown), secrets));
  trace.name = thrown instanceof Error ? thrown.name : "Error";
  return trace;
};

/**
 * The Fault for a failed provider call:
 * - `provider_unreachable`: no connection was made;
 * - `provider_key`: 401 or 403;
 * - `provider_busy`: 429;
 * - `provider_rejected`: any other 4xx: the request does not suit the model;
 * - `provider_unavailable`: 5xx, or an error inside the stream;
 * - `provider_lost`: the connection broke off.
 */
export function providerFault(thrown: unknown, { label, keyVariable, secrets }: Blamed): Fault {
  if (thrown instanceof Fault) return thrown;
  const cause = traced(thrown, secrets);
  const chain = [...causes(thrown)];
  const answered = chain.find((error) => typeof field(error, "statusCode") === "number");
  const status = Number(field(answered, "statusCode") ?? 0);
  const detail = presentable(messageInBody(parsed(field(answered, "responseBody"))) ?? messageInBody(answered) ?? "", secrets);
  const said = detail === "" ? "" : ` It says: ${detail}`;

  if (status >= 400) {
    if (status === 401 || status === 403)
      return new Fault("provider_key", `${label} does not accept the key: check ${keyVariable}.${said}`, { cause });
    if (status === 429)
      return new Fault("provider_busy", `${label} takes no more requests for now (429). Try again later.${said}`, { cause });
    if (status >= 500)
      return new Fault("provider_unavailable", `${label} failed (${status}). Try again later.${said}`, { cause });
    return new Fault("provider_rejected", `${label} refused the request (${status}).${said}`, { cause });
  }
  if (chain.some((error) => unreachableCodes.has(String(field(error, "code")))))
    return new Fault("provider_unreachable", `${label} cannot be reached. Check the network and the address.`, { cause });
  const inStream = messageInBody(thrown) ?? (typeof thrown === "string" ? thrown : undefined);
  if (inStream !== undefined && !(thrown instanceof Error)) {
    const words = presentable(inStream, secrets);
    return new Fault("provider_unavailable", `${label} broke off with an error.${words === "" ? "" : ` It says: ${words}`}`, {
      cause,
    });
  }
  return new Fault(
    "provider_lost",
    `The connection to ${label.replace(/^The /, "the ")} broke off before the answer was complete.`,
    {
      cause,
    },
  );
}
