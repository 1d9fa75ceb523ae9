/** Reads a JSON body within a bound and checks it; what is wrong is said with the field's name. */
import type { z } from "zod";
import { HttpError } from "./http-error.ts";

/** Bytes of a JSON body at most: room for 1 MB of text even where JSON escapes every second character. Files have their own route. */
const jsonBodyLimit = 4 * 2 ** 20;

async function bytesOf(request: Request): Promise<Uint8Array> {
  const tooLarge = (): HttpError => new HttpError(413, `expected a JSON body of at most ${jsonBodyLimit} bytes, got more`);
  if (Number(request.headers.get("content-length") ?? 0) > jsonBodyLimit) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > jsonBodyLimit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function parse(bytes: Uint8Array): unknown {
  // An empty body is an empty object: no field is mandatory before the rules are asked.
  if (bytes.byteLength === 0) return {};
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof TypeError) throw new HttpError(400, "the body is not valid JSON");
    throw cause;
  }
}

/** `value` as `schema` gives it. Throws HttpError 400 with the field that is wrong; @param what names the whole */
export function checked<T extends z.ZodType>(value: unknown, schema: T, what: string): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  throw new HttpError(400, `${field === "" ? what : field}: ${issue?.message ?? "not valid"}`);
}

/** The body of `request` as `schema` gives it. Throws HttpError 400 for malformed JSON or a wrong field, 413 for too many bytes. */
export const readBody = async <T extends z.ZodType>(request: Request, schema: T): Promise<z.output<T>> =>
  checked(parse(await bytesOf(request)), schema, "the body");
