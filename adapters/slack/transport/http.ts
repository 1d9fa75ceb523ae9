/** `/slack/events`: signed HTTP requests, each answered once what it brings is stored. */
import type { ReceiverEvent } from "@slack/bolt";
import { reasonOf } from "../../../src/errors.ts";
import { isPayload, textIn } from "../payload.ts";
import type { IntakeReceiver } from "./receiver.ts";
import { isSigned } from "./signature.ts";

export interface HttpOptions {
  readonly signingSecret: string;
  readonly receiver: IntakeReceiver;
  readonly now: () => number;
  /** False: nothing is taken in, and Slack is to send it again. */
  readonly isOpen: () => boolean;
  readonly log: { error(fields: object, text: string): void };
}

/** Slack's own are below 1 MB; more is not read. */
const mostBytes = 4 * 1024 * 1024;

const empty = (status: number): Response => new Response(null, { status });

async function bodyOf(request: Request): Promise<string | undefined> {
  if (request.body === null || Number(request.headers.get("content-length") ?? 0) > mostBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** JSON, or a form: a slash command's fields, or an interaction's `payload`. Undefined when it is neither. */
function parsed(type: string, raw: string): unknown {
  try {
    if (!type.startsWith("application/x-www-form-urlencoded")) return JSON.parse(raw);
    const form = new URLSearchParams(raw);
    const payload = form.get("payload");
    return payload === null ? Object.fromEntries(form) : JSON.parse(payload);
  } catch {
    return undefined;
  }
}

const answered = (answer: unknown): Response => {
  if (answer === undefined || answer === "") return empty(200);
  return typeof answer === "string" ? new Response(answer) : Response.json(answer);
};

export const createHttp =
  ({ signingSecret, receiver, now, isOpen, log }: HttpOptions) =>
  async (request: Request): Promise<Response> => {
    if (request.method !== "POST") return empty(405);
    const raw = await bodyOf(request);
    if (raw === undefined) return empty(413);
    // Nothing is parsed, and Slack's check of the certificate is not answered, before the signature is found right.
    if (!isSigned(request.headers, raw, signingSecret, now())) return empty(401);
    const body = parsed(request.headers.get("content-type") ?? "", raw);
    if (body === undefined) return empty(400);
    if (isPayload(body) && body["type"] === "url_verification") return Response.json({ challenge: textIn(body, "challenge") });
    if (!isOpen()) return empty(503);
    const retry = Number(request.headers.get("x-slack-retry-num"));
    return new Promise((resolve) => {
      const ack: ReceiverEvent["ack"] = (answer?: unknown) => {
        resolve(answered(answer));
        return Promise.resolve();
      };
      receiver.receive(body, ack, Number.isInteger(retry) && retry > 0 ? retry : undefined).then(
        // A listener that answered nothing: there is nothing to answer.
        () => resolve(empty(200)),
        (thrown: unknown) => {
          log.error({ reason: reasonOf(thrown) }, "something from Slack could not be stored; Slack will send it again");
          resolve(empty(503));
        },
      );
    });
  };
