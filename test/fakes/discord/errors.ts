/** Refusals of Discord's REST interface, with the codes that it documents. */

export class ApiError extends Error {
  readonly status: number;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, body: object, headers: Readonly<Record<string, string>> = {}) {
    super(JSON.stringify(body));
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Status and text of each documented code that the fake gives. */
const known = {
  0: [401, "401: Unauthorized"],
  10003: [404, "Unknown Channel"],
  10004: [404, "Unknown Guild"],
  10007: [404, "Unknown Member"],
  10008: [404, "Unknown Message"],
  10013: [404, "Unknown User"],
  10015: [404, "Unknown Webhook"],
  10062: [404, "Unknown interaction"],
  30046: [429, "Maximum number of edits to messages older than 1 hour reached. Try again later"],
  40005: [413, "Request entity too large"],
  40060: [400, "Interaction has already been acknowledged."],
  50001: [403, "Missing Access"],
  50005: [403, "Cannot edit a message authored by another user"],
  50006: [400, "Cannot send an empty message"],
  50007: [403, "Cannot send messages to this user"],
  50013: [403, "Missing Permissions"],
  50024: [400, "Cannot execute action on this channel type"],
  50027: [401, "Invalid Webhook Token"],
  50083: [400, "Thread is archived"],
  160004: [400, "A thread has already been created for this message"],
} as const satisfies Record<number, readonly [number, string]>;

export type ErrorCode = keyof typeof known;

export function refuse(code: ErrorCode): never {
  const [status, message] = known[code];
  throw new ApiError(status, { message, code });
}

/** 404 of a route that does not exist. */
export const noRoute = (): ApiError => new ApiError(404, { message: "404: Not Found", code: 0 });

/** 50035, naming the field and what is wrong with it. */
export function invalid(field: string, code: string, message: string): never {
  const errors = field.split(".").reduceRight<object>((inner, name) => ({ [name]: inner }), { _errors: [{ code, message }] });
  throw new ApiError(400, { message: "Invalid Form Body", code: 50035, errors });
}
