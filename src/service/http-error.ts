/** A "no" of the workspace that ends a request: thrown anywhere below a handler, written once by `http.ts`. */
import type { ErrorBody } from "../contract/errors.ts";

export class HttpError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  constructor(status: number, body: ErrorBody | string) {
    const whole = typeof body === "string" ? { error: body } : body;
    super(whole.error);
    this.name = "HttpError";
    this.status = status;
    this.body = whole;
  }
}
