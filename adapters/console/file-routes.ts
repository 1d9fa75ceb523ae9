/** Uploads and downloads: streamed, and never anything that a browser would run. */
import { Readable } from "node:stream";
import { Hono } from "hono";
import { isShownImage, type FileStore } from "./files.ts";
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
    const kind = isShownImage(row.media_type) && c.req.query("download") === undefined ? "inline" : "attachment";
    return c.body(Readable.toWeb(Readable.from(files.read(row.id))) as ReadableStream, 200, {
      // A type that a browser could run is given as bytes without a meaning.
      "content-type": kind === "inline" ? row.media_type : "application/octet-stream",
      "content-length": String(row.bytes),
      "content-disposition": disposition(kind, row.name),
      "cache-control": "private, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
    });
  });

  return routes;
}
