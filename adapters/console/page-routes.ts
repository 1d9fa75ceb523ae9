/** The page and its files, with headers that let nothing run but these files. */
import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { readAssets, type Asset } from "./assets.ts";
import type { Gate } from "./token.ts";

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // `blob:` is for the preview of a picture before it is sent.
  "img-src 'self' blob:",
  "media-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function createPageRoutes(gate: Gate): Hono {
  const routes = new Hono();
  let assets: Promise<ReadonlyMap<string, Asset>> | undefined;
  const load = (): Promise<ReadonlyMap<string, Asset>> => (assets ??= readAssets());

  async function serve(c: Context, name: string, status: 200 | 401 = 200): Promise<Response> {
    const asset = (await load()).get(name);
    if (asset === undefined) return c.text("There is no such file.", 404);
    const headers = {
      "content-type": asset.type,
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      // Kept by the browser, but asked for each time: after an update no old module meets a new one.
      "cache-control": "no-cache",
      etag: asset.etag,
    };
    if (status === 200 && c.req.header("if-none-match") === asset.etag) return c.body(null, 304, headers);
    return c.body(asset.body, status, headers);
  }

  routes.get("/", (c) => (gate.admits(c.req.header("cookie")) ? serve(c, "index.html") : serve(c, "enter.html", 401)));
  routes.get("/assets/:path{.+}", (c) => serve(c, c.req.param("path")));
  routes.get("/favicon.ico", (c) => c.redirect("/assets/favicon.svg", 302));
  routes.post("/", bodyLimit({ maxSize: 4096 }), async (c) => {
    const { password } = await c.req.parseBody();
    const cookie = gate.enter(typeof password === "string" ? password : "", new URL(c.req.url).protocol === "https:");
    if (cookie === null) return serve(c, "enter.html", 401);
    c.header("set-cookie", cookie);
    return c.redirect("/", 303);
  });
  return routes;
}
