/** The page's own files, and the three modules that it takes from packages: nothing is built, nothing comes from elsewhere. */
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

export interface Asset {
  readonly body: string;
  readonly type: string;
  readonly etag: string;
}

const pageFolder = new URL("page/", import.meta.url);

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Served names of the modules from packages. */
const vendor: Readonly<Record<string, string>> = {
  "preact.js": import.meta.resolve("preact"),
  "preact-hooks.js": import.meta.resolve("preact/hooks"),
  "htm.js": import.meta.resolve("htm"),
};

/** Browsers do not know package names, and an import map would need an inline script. */
const withPaths = (code: string): string =>
  code.replace(/\bfrom\s*"preact"/g, 'from"./preact.js"').replace(/^\/\/# sourceMappingURL=.*$/m, "");

function asset(name: string, body: string): Asset {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
  return { body, type: types[extname(name)] ?? "text/plain; charset=utf-8", etag };
}

/** All assets by their name: read once, at the first request, so that no path from a request ever reaches the file system. */
export async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>();
  for (const name of await readdir(pageFolder)) {
    if (extname(name) in types) assets.set(name, asset(name, await readFile(new URL(name, pageFolder), "utf8")));
  }
  for (const [name, url] of Object.entries(vendor)) {
    assets.set(`vendor/${name}`, asset(name, withPaths(await readFile(fileURLToPath(url), "utf8"))));
  }
  return assets;
}
