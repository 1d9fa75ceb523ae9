/** Uploads and downloads: streamed, and never anything that a browser would run. */
import { Readable } from "node:stream";
import { Hono } from "hono";
import { readRange } from "./byte-range.ts";
import { kindOf } from "./file-kinds.ts";
import type { FileStore } from "./files.ts";
import { isFileId } from "./ids.ts";
import { notStored } from "./refusals.ts";
import { fileView } from "./views.ts";

/** RFC 6266: a plain name for old readers, and the whole one percent-encoded. */
function disposition(kind: "inline" | "attachment", name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%;]/g, "_");
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}

export function createFileRoutes(files: FileStore): Hono {
  const routes = new Hono();

  routes.post("/", async (c) => {
    const { body } = c.req.raw;
    const content = body === null ? Readable.from([]) : Readable.fromWeb(body);
    try {
      const row = await files.save(c.req.query("name") ?? "file", c.req.header("content-type") ?? "", content);
      return c.json({ file: fileView(row) }, 201);
    } catch (cause) {
      const { status, error } = notStored(cause);
      return c.json({ error }, status);
    }
  });

  routes.get("/:id", async (c) => {
    const id = c.req.param("id");
    const row = isFileId(id) ? await files.one(id) : undefined;
    if (row === undefined) return c.json({ error: "There is no such file." }, 404);
    const kind = kindOf(row.media_type) !== null && c.req.query("download") === undefined ? "inline" : "attachment";
    const range = readRange(c.req.header("range"), row.bytes);
    if (range === "none") return c.body(null, 416, { "content-range": `bytes */${row.bytes}` });
    const { first, last } = range ?? { first: 0, last: row.bytes - 1 };
    const bytes = Readable.toWeb(Readable.from(files.read(row.id, range ?? undefined))) as ReadableStream;
    return c.body(bytes, range === null ? 200 : 206, {
      "accept-ranges": "bytes",
      ...(range === null ? {} : { "content-range": `bytes ${first}-${last}/${row.bytes}` }),
      // A type that a browser could run is given as bytes without a meaning.
      "content-type": kind === "inline" ? row.media_type : "application/octet-stream",
      "content-length": String(last - first + 1),
      "content-disposition": disposition(kind, row.name),
      "cache-control": "private, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
    });
  });

  return routes;
}
