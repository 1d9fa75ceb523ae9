/** A token that opens something beyond loopback, sent as a bearer. */
import { createHash, timingSafeEqual } from "node:crypto";

const digest = (value: string): Buffer => createHash("sha256").update(value).digest();

/** Compares without telling by its time how much is right. */
export function hasBearer(headers: Headers, token: string): boolean {
  const given = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}
