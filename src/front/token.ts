/** A token that opens the console or the metrics beyond loopback: shown once in the address, kept in a cookie. */
import { createHash, timingSafeEqual } from "node:crypto";

const digest = (value: string): Buffer => createHash("sha256").update(value).digest();

/** Compares without telling by its time how much is right. */
export const sameToken = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));

const cookieName = "parley_console";

/** What the cookie holds: not the token itself. */
const cookieValue = (token: string): string => digest(`cookie:${token}`).toString("hex");

/** True when the request has the token: as a bearer, or by the cookie that an earlier visit set. */
export function hasToken(headers: Headers, token: string): boolean {
  const bearer = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1];
  if (bearer !== undefined && sameToken(bearer, token)) return true;
  const cookies = (headers.get("cookie") ?? "").split(/;\s*/);
  const value = cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
  return value !== undefined && sameToken(value, cookieValue(token));
}

/** The header that lets a browser in that came with `?token=`. `secure`: only over HTTPS. */
export const cookieFor = (token: string, secure: boolean): string =>
  `${cookieName}=${cookieValue(token)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000${secure ? "; Secure" : ""}`;
