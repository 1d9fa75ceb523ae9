import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openHost, say, type Host } from "./host.ts";

interface Uploaded {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly shown: string | null;
}

describe("files of the console", () => {
  let host: Host;
  beforeEach(async () => void (host = await openHost()));
  afterEach(() => host.close());

  async function upload(name: string, type: string, body: NonNullable<RequestInit["body"]>): Promise<Uploaded> {
    const url = `${host.url}/console/api/files?${new URLSearchParams({ name }).toString()}`;
    const response = await fetch(url, { method: "POST", headers: { "content-type": type }, body });
    expect(response.status).toBe(201);
    return ((await response.json()) as { file: Uploaded }).file;
  }
  const stored = (): Promise<string[]> => readdir(join(host.dir, "console"));

  it("gives back the bytes that it got, an empty file too", async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251));
    const file = await upload("data.bin", "application/octet-stream", bytes);
    expect(file).toMatchObject({ name: "data.bin", bytes: 70_000, shown: null });
    const response = await fetch(`${host.url}/console/api/files/${file.id}`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    const empty = await upload("empty.txt", "text/plain", "");
    expect(empty.bytes).toBe(0);
    expect(await (await fetch(`${host.url}/console/api/files/${empty.id}`)).text()).toBe("");
  });

  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\report.pdf", "report.pdf"],
    ["a\r\nSet-Cookie: x.txt", "aSet-Cookie: x.txt"],
    ["nul\u0000.txt", "nul.txt"],
    ["invoice\u202Egpj.exe", "invoicegpj.exe"],
    ["..", "file"],
    ["", "file"],
    [`${"n".repeat(300)}.docx`, `${"n".repeat(195)}.docx`],
    ['quo"te; filename=x.html', 'quo"te; filename=x.html'],
    ["naïve 数据.csv", "naïve 数据.csv"],
  ])("keeps a hostile name %j as a name only", async (name, shown) => {
    const file = await upload(name, "text/plain", "x");
    expect(file.name).toBe(shown);
    expect(await stored()).toEqual([file.id]);
    const { headers } = await fetch(`${host.url}/console/api/files/${file.id}`);
    const disposition = headers.get("content-disposition") ?? "";
    expect(disposition.startsWith("attachment; ")).toBe(true);
    expect(disposition.split(";")).toHaveLength(3);
    expect(decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(disposition)?.[1] ?? "")).toBe(shown);
  });

  it.each([
    ["picture.png", "image/png", "image"],
    ["song.mp3", "audio/mpeg", "audio"],
    ["film.mp4", "video/mp4", "video"],
    ["picture.svg", "image/svg+xml", null],
    ["page.html", "text/html", null],
    ["script.js", "text/javascript", null],
    ["odd", "nonsense", null],
  ])("lets a browser run nothing of %s", async (name, type, shown) => {
    const file = await upload(name, type, "<script>alert(1)</script>");
    expect(file.shown).toBe(shown);
    const { headers } = await fetch(`${host.url}/console/api/files/${file.id}`);
    expect(headers.get("content-type")).toBe(shown !== null ? type : "application/octet-stream");
    expect(headers.get("content-disposition")).toMatch(shown !== null ? /^inline/ : /^attachment/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("sandbox");
  });

  it.each([
    ["bytes=0-3", 206, "0123", "bytes 0-3/10"],
    ["bytes=7-", 206, "789", "bytes 7-9/10"],
    ["bytes=-2", 206, "89", "bytes 8-9/10"],
    ["bytes=5-500", 206, "56789", "bytes 5-9/10"],
    ["bytes=10-", 416, "", "bytes */10"],
    ["bytes=-0", 416, "", "bytes */10"],
    ["bytes=3-1", 200, "0123456789", null],
    ["bytes=0-1,4-5", 200, "0123456789", null],
    ["lines=1-2", 200, "0123456789", null],
  ])("gives the part %s of a film", async (range, status, content, told) => {
    const { id } = await upload("film.mp4", "video/mp4", "0123456789");
    const response = await fetch(`${host.url}/console/api/files/${id}`, { headers: { range } });
    expect(response.status).toBe(status);
    expect(await response.text()).toBe(content);
    expect(response.headers.get("content-range")).toBe(told);
  });

  it("refuses a file that is too large, and leaves nothing of it", async () => {
    const chunk = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => (sent++ < 101 ? controller.enqueue(chunk) : controller.close()),
    });
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    const response = await fetch(`${host.url}/console/api/files?name=large.bin`, init);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: expect.stringContaining("at most 100 MB") });
    expect(await stored()).toEqual([]);
  });

  it("leaves nothing of an upload that broke off", async () => {
    const stop = new AbortController();
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.alloc(1000)) });
    const init = { method: "POST", body, duplex: "half", signal: stop.signal } as RequestInit;
    const lost = fetch(`${host.url}/console/api/files?name=half.bin`, init).catch((error: unknown) => error);
    await expect.poll(stored).toHaveLength(1);
    stop.abort();
    expect(await lost).toBeInstanceOf(Error);
    await expect.poll(stored).toEqual([]);
  });

  it("finds no file by anything but its id", async () => {
    for (const id of ["..%2f..%2fetc%2fpasswd", "0".repeat(32), "parley.sqlite"]) {
      expect((await fetch(`${host.url}/console/api/files/${id}`)).status).toBe(404);
    }
  });

  it("removes a deleted message's files", async () => {
    const file = await upload("secret.txt", "text/plain", "x");
    const { body } = await say(host, "look", { files: [file.id] });
    await fetch(`${host.url}/console/api/messages/${String(body.message.id)}`, { method: "DELETE" });
    expect(await stored()).toEqual([]);
    expect((await fetch(`${host.url}/console/api/files/${file.id}`)).status).toBe(404);
  });

  it("removes at a start what was never sent and is old, and nothing else", async () => {
    const forgotten = await upload("forgotten.txt", "text/plain", "x");
    const recent = await upload("recent.txt", "text/plain", "x");
    const sent = await upload("sent.txt", "text/plain", "x");
    await say(host, "keep", { files: [sent.id] });
    await host.db.updateTable("console_files").set({ at: 1 }).where("id", "in", [forgotten.id, sent.id]).execute();
    const folder = join(host.dir, "console");
    const half = `${"a".repeat(32)}.part`;
    for (const name of [half, "notes.txt"]) {
      await writeFile(join(folder, name), "x");
      await utimes(join(folder, name), 1, 1);
    }
    host = await host.restart();
    expect((await stored()).toSorted()).toEqual([recent.id, sent.id, "notes.txt"].toSorted());
  });
});
