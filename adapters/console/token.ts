/** The one password of a console that is open to a network: asked for once, then kept in a cookie that no script can read. */
import { createHash, timingSafeEqual } from "node:crypto";
import { parse, serialize } from "hono/utils/cookie";

const cookieName = "parley_console";
/** 30 days, in seconds. */
const cookieAge = 30 * 24 * 60 * 60;

const digest = (value: string): Buffer => createHash("sha256").update(`parley console ${value}`).digest();

export interface Gate {
  /** The request may see the console. */
  admits(cookieHeader: string | undefined): boolean;
  /** The `Set-Cookie` of a right password; null for a wrong one. */
  enter(password: string, secure: boolean): string | null;
}

/** @param token undefined: everybody who can reach it may come in, which is right only on the machine itself */
export function createGate(token: string | undefined): Gate {
  if (token === undefined) return { admits: () => true, enter: () => null };
  const expected = digest(token);
  // Not the token itself: what a browser keeps must not open anything else.
  const pass = digest(expected.toString("hex")).toString("base64url");
  return {
    admits(cookieHeader) {
      const given = parse(cookieHeader ?? "", cookieName)[cookieName] ?? "";
      return timingSafeEqual(digest(given), digest(pass));
    },
    enter: (password, secure) =>
      timingSafeEqual(digest(password), expected)
        ? serialize(cookieName, pass, { httpOnly: true, sameSite: "Strict", path: "/", maxAge: cookieAge, secure })
        : null,
  };
}
