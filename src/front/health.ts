/** `/healthz`, `/readyz` and `/metrics`. */
import type { Part } from "./server.ts";
import { hasBearer } from "./token.ts";

/** What can be not ready, each with its reason, or null when it is ready. */
export type Checks = Readonly<Record<string, () => Promise<string | null> | string | null>>;

export const alive: Part = { fetch: () => Response.json({ status: "alive" }) };

/** 200 when every check gives null, else 503; the body names each with its reason. */
export const ready = (checks: Checks): Part => ({
  async fetch() {
    const named = await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await check()] as const));
    const ok = named.every(([, reason]) => reason === null);
    return Response.json(
      {
        status: ok ? "ready" : "not ready",
        checks: Object.fromEntries(named.map(([name, reason]) => [name, reason ?? "ready"])),
      },
      { status: ok ? 200 : 503 },
    );
  },
});

/** @param token null: everybody who reaches it may read */
export const metricsPage = (source: { text(): Promise<string>; readonly contentType: string }, token: string | null): Part => ({
  async fetch(request) {
    if (token !== null && !hasBearer(request.headers, token)) {
      return Response.json(
        { error: "expected METRICS_TOKEN as a bearer" },
        { status: 401, headers: { "www-authenticate": "Bearer" } },
      );
    }
    return new Response(await source.text(), { headers: { "content-type": source.contentType } });
  },
});
