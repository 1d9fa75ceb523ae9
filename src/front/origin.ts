/** Who may talk to the console and the workspace: pages of this host only, by a name that this host goes by. */
import { isLoopback } from "../config.ts";

export interface OriginRules {
  /** True when the server listens on loopback only: then only loopback's names are its own. */
  readonly loopback: boolean;
}

/** The host name of a Host header; undefined when it is none: a URL would take a user and a path before and behind it. */
const nameOf = (host: string): string | undefined =>
  /^[^/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`)
    ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, "")
    : undefined;

/**
 * Why a request is refused, or null.
 * A foreign Host on loopback is a name that somebody pointed at this machine; a foreign Origin is another site's page.
 */
export function refuseOrigin(headers: Headers, rules: OriginRules): string | null {
  const host = headers.get("host");
  const name = host === null ? undefined : nameOf(host);
  if (host === null || name === undefined) return "expected a Host header";
  if (rules.loopback && !isLoopback(name)) return `this server goes by localhost and 127.0.0.1, not by ${JSON.stringify(name)}`;
  const origin = headers.get("origin");
  if (origin === null) return null;
  // "null" is what sandboxed pages and files send.
  if (!URL.canParse(origin) || new URL(origin).host !== host.toLowerCase())
    return "pages of another origin may not use this server";
  return null;
}
