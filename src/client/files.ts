/** Files: upload as they are read, list, publish, delete, and the bytes behind a record's path. */
import { withLowerCaseExtension } from "../contract/file-types.ts";
import { randomSlug } from "../contract/identifiers.ts";
import type { WorkspaceFile } from "../contract/records.ts";
import { isPublic } from "./anonymous.ts";
import { pageIn, recordIn, recordsIn, type Page, type Paging } from "./answers.ts";
import { download } from "./download.ts";
import { malformed } from "./faults.ts";
import type { CallOptions, Http } from "./http.ts";
import { multipartFile } from "./multipart.ts";
import { readFile } from "./records.ts";

export const fileCalls = (http: Http, random: (bytes: Uint8Array) => Uint8Array) => ({
  /** Uploads one file as it is read. The extension goes in lower case, as the workspace tells the kind of a file by it. */
  async upload(
    name: string,
    mediaType: string,
    content: AsyncIterable<Uint8Array>,
    options?: CallOptions,
  ): Promise<WorkspaceFile> {
    const boundary = `parley-${randomSlug(32, random)}`;
    const answer = await http.call("POST /file", {
      stream: {
        contentType: `multipart/form-data; boundary=${boundary}`,
        content: multipartFile(boundary, withLowerCaseExtension(name), mediaType, content),
      },
      ...options,
    });
    const [stored] = recordsIn(answer, readFile);
    // The workspace answers with an empty list when it found no file in what it was sent.
    if (stored === undefined) throw malformed("expected the uploaded file's record", answer.status, answer.correlationId);
    return stored;
  },
  /** One page of all that the caller uploaded, in no order. */
  async list(options: Paging & CallOptions = {}): Promise<Page<WorkspaceFile>> {
    const { signal, ...query } = options;
    return pageIn(await http.call("GET /file", { query, ...(signal && { signal }) }), readFile);
  },
  async remove(id: number, options?: CallOptions): Promise<void> {
    await http.call("DELETE /file/:id", { params: { id }, ...options });
  },
  /** Gives the file a public slug; an earlier one ends. */
  async publish(id: number, options?: CallOptions): Promise<WorkspaceFile> {
    return recordIn(await http.call("POST /file/:id/public", { params: { id }, ...options }), readFile);
  },
  async unpublish(id: number, options?: CallOptions): Promise<void> {
    await http.call("DELETE /file/:id/public", { params: { id }, ...options });
  },
  /** The record behind a public slug. */
  async published(slug: string, options?: CallOptions): Promise<WorkspaceFile> {
    return recordIn(await http.call("GET /public/file/:slug", { params: { slug }, ...options }), readFile);
  },
  /** The bytes of a file record's `path`. To end before the last byte, leave the loop or end `signal`. */
  download(path: string, options?: CallOptions): Promise<AsyncIterable<Uint8Array>> {
    return download(http, path, options);
  },
  /** Whether anybody can read a file record's `path` without a key, by trying it. */
  isPublic(path: string, options?: CallOptions): Promise<boolean> {
    return isPublic(http, path, options);
  },
});
