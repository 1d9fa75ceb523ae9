/** Requests as the fake's routes get them, and the table that finds a route. */
import { noRoute } from "./errors.ts";

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  // Bodies are checked field by field.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly files: readonly { readonly name: string; readonly type: string; readonly bytes: Uint8Array }[];
  /** Whom a written message pinged, for the commit log. */
  pings: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

export interface Route {
  /** `GET /channels/:channel`. */
  readonly name: string;
  /** `bot`: with the bot's token. `token`: with the one in its path. */
  readonly auth: "bot" | "token";
  readonly answer: (request: ApiRequest) => Answer;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const done: Answer = { status: 204 };

export interface Found {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  /** The part of the path that has a bucket of its own. */
  readonly major: string;
}

const majors = ["channel", "guild", "webhook", "token"];

export function findRoute(routes: readonly Route[], method: string, path: string): Found {
  const parts = path.split("/");
  for (const route of routes) {
    const [wantedMethod, template = ""] = route.name.split(" ");
    const wanted = template.split("/");
    if (wantedMethod !== method || wanted.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = wanted.every((name, at) => {
      if (!name.startsWith(":")) return name === parts[at];
      params[name.slice(1)] = decodeURIComponent(parts[at] ?? "");
      return parts[at] !== "";
    });
    if (fits) return { route, params, major: majors.map((name) => params[name] ?? "").join("/") };
  }
  throw noRoute();
}
