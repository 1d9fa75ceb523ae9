/** Files on their way: streamed, named safely, and the key told to nobody else. */
import type { IncomingMessage } from "node:http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quotedName } from "../../src/client/multipart.ts";
import { fakeClock } from "../fakes/clock.ts";
import { clientOf, httpServer, jsonServer, rawServer } from "./raw-server.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
}
/** What a promise rejects with. */
const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
const read = async (request: IncomingMessage | AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
};

describe("upload", () => {
  test("is one part of the name that the workspace takes, in pieces, with a lower-case extension", async () => {
    const seen: Array<{ body: string; type: string | undefined; length: string | undefined }> = [];
    const server = await httpServer((request, response) => {
      void read(request).then((body) => {
        seen.push({ body, type: request.headers["content-type"], length: request.headers["content-length"] });
        response.end('[{"ID":9,"name":"Photo.png"}]');
      });
    });
    const stored = await clientOf(server).files.upload("Photo.PNG", "image/png", pieces("one ", "two"));
    expect(stored).toMatchObject({ ID: 9, name: "Photo.png" });
    const boundary = /boundary=(parley-[a-z0-9]{32})$/.exec(seen[0]!.type ?? "")?.[1];
    expect(seen).toEqual([
      {
        type: `multipart/form-data; boundary=${boundary}`,
        length: undefined,
        body: `--${boundary}\r\nContent-Disposition: form-data; name="upload[]"; filename="Photo.png"\r\nContent-Type: image/png\r\n\r\none two\r\n--${boundary}--\r\n`,
      },
    ]);
  });

  test("a name cannot leave its quotes or its line, and a media type is one or none", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        expect(quotedName(name)).not.toMatch(/["\r\n\0]/);
      }),
    );
    expect(quotedName('say "hi"\r\nX: y.txt')).toBe("say %22hi%22%0D%0AX: y.txt");
  });

  test("an empty list is a failure: the workspace found no file", async () => {
    const call = clientOf(await jsonServer([])).files.upload("a.txt", "text/plain", pieces("x"));
    await expect(call).rejects.toMatchObject({ kind: "malformed", correlationId: "c-1" });
  });

  test("reads its source no faster than the workspace takes it, and tells a silent workspace", async () => {
    const clock = fakeClock();
    const asked = Promise.withResolvers<void>();
    const server = await rawServer((socket) => {
      socket.pause();
      asked.resolve();
    });
    let produced = 0;
    let closed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          produced += 65_536;
          yield new Uint8Array(65_536);
        }
      } finally {
        closed = true;
      }
    }
    const call = clientOf(server, { clock, timeouts: { silenceMs: 1_000 } }).files.upload("zeros.bin", "text/plain", endless());
    const ended = reasonOf(call);
    await asked.promise;
    let before = -1;
    while (before !== produced) {
      before = produced;
      await clock.advance(0);
    }
    expect(produced).toBeLessThan(64 * 1024 * 1024);
    await clock.advance(1_000);
    expect(await ended).toMatchObject({ kind: "lost" });
    await clock.advance(0);
    expect(closed).toBe(true);
    expect(clock.pending).toBe(0);
  });

  test("a source that fails is not the workspace's fault", async () => {
    const failure = new Error("the platform cut the file");
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield bytes("half");
      throw failure;
    }
    const server = await httpServer((request) => request.resume());
    await expect(clientOf(server).files.upload("a.txt", "text/plain", failing())).rejects.toBe(failure);
  });

  test("nobody there: unreachable, and the source is closed", async () => {
    const server = await rawServer(() => {});
    const baseUrl = server.baseUrl.replace(/:\d+/, ":1");
    await expect(clientOf({ baseUrl }).files.upload("a.txt", "text/plain", pieces("x"))).rejects.toMatchObject({
      kind: "unreachable",
    });
  });
});

describe("download", () => {
  test("the workspace's own origin is told the key, another is not, also behind a redirect", async () => {
    const keys: Array<[string, string | undefined]> = [];
    const other = await httpServer((request, response) => {
      keys.push(["other", request.headers.authorization]);
      response.end("bytes");
    });
    const server = await httpServer((request, response) => {
      keys.push(["own", request.headers.authorization]);
      if (request.url === "/api/v1/storage/moved") response.writeHead(302, { location: `${other.origin}/signed` }).end();
      else response.end("own bytes");
    });
    const { files } = clientOf(server);
    expect(await read(await files.download(`${server.origin}/api/v1/storage/here`))).toBe("own bytes");
    expect(await read(await files.download("/api/v1/storage/moved"))).toBe("bytes");
    expect(await read(await files.download(`${other.origin}/x`))).toBe("bytes");
    const key = "Bearer PARLEY-API-secret";
    expect(keys).toEqual([
      ["own", key],
      ["own", key],
      ["other", undefined],
      ["other", undefined],
    ]);
  });

  test.for(["file:///etc/passwd", "ftp://127.0.0.1/x", "http://", "data:text/plain,x"])(
    "%s is no address of a file",
    async (path) => {
      await expect(clientOf(await jsonServer({})).files.download(path)).rejects.toMatchObject({ kind: "malformed" });
    },
  );

  test("an endless chain of redirects, an error and a cut are faults", async () => {
    const server = await httpServer((request, response) => {
      if (request.url === "/round") response.writeHead(302, { location: "/round" }).end();
      else if (request.url === "/gone") response.writeHead(404, { "x-correlation-id": "c-9" }).end();
      else response.writeHead(200, { "content-length": "10" }).write("half", () => response.destroy());
    });
    const { files } = clientOf(server);
    await expect(files.download("/round")).rejects.toMatchObject({ kind: "malformed" });
    await expect(files.download("/gone")).rejects.toMatchObject({ kind: "not_found", correlationId: "c-9" });
    await expect(files.download("/cut").then(read)).rejects.toMatchObject({ kind: "lost" });
  });

  test("silence ends it, a reader that leaves or aborts too; no timer stays", async () => {
    const clock = fakeClock();
    const server = await httpServer((_, response) => void response.write("first"));
    const { files } = clientOf(server, { clock, timeouts: { silenceMs: 1_000 } });
    for await (const chunk of await files.download("/a")) {
      expect(Buffer.from(chunk).toString()).toBe("first");
      break;
    }
    const silent = reasonOf(read(await files.download("/b")));
    await clock.advance(1_000);
    expect(await silent).toMatchObject({ kind: "lost" });
    const slow = (await files.download("/slow"))[Symbol.asyncIterator]();
    await slow.next();
    await clock.advance(10_000);
    server.sockets.at(-1)!.write("6\r\nsecond\r\n");
    expect(Buffer.from((await slow.next()).value ?? []).toString()).toBe("second");
    await slow.return?.();
    const controller = new AbortController();
    const aborted = read(await files.download("/c", { signal: controller.signal }));
    controller.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    expect(clock.pending).toBe(0);
  });
});
