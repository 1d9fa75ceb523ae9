/** Files through the front door: what is stored and how it is named, who may touch it, and uploads that are not what they should be. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorTexts } from "../../src/contract/errors.ts";
import { listKeys, revokeKey } from "../../src/service/admin.ts";
import { bytesOf, faultOf, startWorkspace, textOf, uploadText, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.close());

const files = () => workspace.owner.files;
const objects = (): Promise<string[]> => readdir(join(workspace.service.ctx.dataDir, "objects"));
const boundary = "----frontdoor";
const part = (name: string, file: string, content: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n`;
const upload = (body: string, contentType = `multipart/form-data; boundary=${boundary}`) =>
  workspace.ask("POST", "/file", { headers: { "content-type": contentType }, body });

describe("upload", () => {
  test("stores the bytes as they are; the record says what the interface says", async () => {
    const stored = await files().upload(
      "Notes of ünïcode 🌊.TXT",
      "text/plain",
      bytesOf("one ", new Uint8Array([0, 255]), " two"),
    );
    expect(stored).toMatchObject({
      name: "Notes of ünïcode 🌊.txt",
      preview_path: "",
      public_path: "",
      project_id: null,
      fileType: "file_search",
      partial: false,
    });
    const chunks = [];
    for await (const chunk of await files().download(stored.path)) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(Buffer.from([...Buffer.from("one "), 0, 255, ...Buffer.from(" two")]));
  });

  test("of no bytes works, and the file is of no bytes", async () => {
    const stored = await files().upload("empty.txt", "text/plain", bytesOf());
    expect(await textOf(await files().download(stored.path))).toBe("");
  });

  test("of several files gives their records in order; parts of other names are ignored", async () => {
    const body = `${part("upload[]", "1.txt", "1")}${part("file", "no.txt", "x")}${part("upload[]", "2.PNG", "2")}--${boundary}--\r\n`;
    expect(await upload(body)).toMatchObject({
      status: 200,
      body: [
        { name: "1.txt", fileType: "file_search" },
        // The match is case-sensitive; only the client lower-cases what it sends.
        { name: "2.PNG", fileType: "code_interpreter" },
      ],
    });
  });

  test("of parts of other names only is an empty list, which the client takes for the failure it is", async () => {
    expect(await upload(`${part("file", "a.txt", "a")}--${boundary}--\r\n`)).toMatchObject({ status: 200, body: [] });
  });

  test.for([
    ["no multipart at all", "hello", "text/plain"],
    ["JSON", "{}", "application/json"],
    ["no boundary", "hello", "multipart/form-data"],
    ["an end before the last part's", part("upload[]", "cut.txt", "cut"), `multipart/form-data; boundary=${boundary}`],
    ["an empty body", "", `multipart/form-data; boundary=${boundary}`],
  ] as const)("of %s is 500 with the interface's text, and leaves nothing behind", async ([, body, type]) => {
    await uploadText(workspace.owner, "there.txt", "so that the folder is there");
    const before = await objects();
    expect(await upload(body, type)).toMatchObject({ status: 500, body: { error: errorTexts.filesNotUploaded } });
    expect(await objects()).toEqual(before);
  });

  test("that breaks off leaves neither a record nor bytes", async () => {
    const before = [await objects(), (await files().list()).total];
    const failure = new Error("the source ended");
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(300_000);
      throw failure;
    }
    await expect(files().upload("broken.bin", "text/plain", breaking())).rejects.toBe(failure);
    await expect.poll(async () => [await objects(), (await files().list()).total]).toEqual(before);
  });
});

describe("an upload that is refused while it is being sent", () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < 64; sent++) yield new Uint8Array(1024 * 1024);
  }

  test("tells why: the key's permissions, or the key", async () => {
    const { key, client } = await workspace.keyWith(["files_get"]);
    expect(await faultOf(client.files.upload("large.bin", "text/plain", endless()))).toMatchObject({ kind: "forbidden" });
    const { ctx } = workspace.service;
    await revokeKey(ctx, (await listKeys(ctx)).at(-1)!.id);
    expect(key).toBeDefined();
    expect(await faultOf(client.files.upload("large.bin", "text/plain", endless()))).toMatchObject({ kind: "unauthorized" });
  });
});

describe("a hostile name", () => {
  test.for([
    ["../../../etc/passwd", "passwd"],
    ["..\\..\\windows\\system.ini", "system.ini"],
    ["/absolute/path.txt", "path.txt"],
    ["..", "unnamed"],
    ["nul\0byte.txt", "nul_byte.txt"],
    ["<script>alert(1)</script>.html", "script>.html"],
    ["rtl\u202Etxt.exe", "rtltxt.exe"],
    [" ".repeat(10), "unnamed"],
    ["", "unnamed"],
  ] as const)("%j becomes %j, and stays within the folder", async ([given, kept]) => {
    const before = new Set(await objects());
    const stored = await files().upload(given, "text/plain", bytesOf("harmless"));
    expect(stored.name).toBe(kept);
    const added = (await objects()).filter((name) => !before.has(name));
    expect(added).toHaveLength(1);
    expect(added[0]).toMatch(/^[a-z0-9]{32,}$/);
    expect(await textOf(await files().download(stored.path))).toBe("harmless");
  });

  test("cannot break out of the header on its way here or back", async () => {
    const stored = await files().upload('a"\r\nX-Evil: 1\r\n\r\n<b>.txt', "text/plain", bytesOf("x"));
    expect(stored.name).not.toMatch(/["\r\n]/);
    const raw = await fetch(stored.path);
    expect(raw.headers.get("x-evil")).toBeNull();
    expect(raw.headers.get("content-disposition")).toMatch(/^attachment; /);
    await raw.body?.cancel();
  });

  test("of great length is cut, and keeps its extension", async () => {
    const { name } = await files().upload(`${"n".repeat(5000)}.pdf`, "application/pdf", bytesOf("x"));
    expect(name.length).toBeLessThanOrEqual(255);
    expect(name).toMatch(/n\.pdf$/);
  });
});

describe("stored bytes", () => {
  test("are sent so that no page or script in them can run, and need no key but their address", async () => {
    const stored = await files().upload("page.html", "text/html", bytesOf("<script>alert(1)</script>"));
    const path = new URL(stored.path).pathname.replace("/api/v1", "");
    expect(path).toMatch(/^\/storage\/[a-z0-9]{32,}$/);
    const raw = await fetch(stored.path);
    expect(raw.status).toBe(200);
    expect(raw.headers.get("content-type")).toBe("application/octet-stream");
    expect(raw.headers.get("x-content-type-options")).toBe("nosniff");
    expect(raw.headers.get("content-security-policy")).toContain("sandbox");
    expect(raw.headers.get("x-correlation-id")).toBeTruthy();
    expect(await raw.text()).toBe("<script>alert(1)</script>");
  });
});

describe("deleting and sharing", () => {
  test("a deleted file is gone from every route and from disk", async () => {
    const stored = await files().upload("gone.txt", "text/plain", bytesOf("x"));
    const { public_path } = await files().publish(stored.ID);
    const before = (await objects()).length;
    await files().remove(stored.ID);
    expect((await objects()).length).toBeLessThan(before);
    for (const call of [
      () => files().remove(stored.ID),
      () => files().publish(stored.ID),
      () => files().unpublish(stored.ID),
      () => files().published(public_path),
      () => files().download(stored.path),
    ]) {
      expect(await faultOf(call())).toMatchObject({ kind: "not_found", message: errorTexts.fileNotFound });
    }
  });

  test("publishing again replaces the slug; unpublishing ends it; the record needs no key", async () => {
    const { ID } = await files().upload("shared.txt", "text/plain", bytesOf("x"));
    const first = (await files().publish(ID)).public_path;
    const second = (await files().publish(ID)).public_path;
    expect(first).toMatch(/^[a-z0-9]{32}$/);
    expect(second).not.toBe(first);
    expect(await faultOf(files().published(first))).toMatchObject({ message: errorTexts.fileNotFound });
    const open = await workspace.ask("GET", `/public/file/${second}`, { authorization: null });
    expect(open).toMatchObject({ status: 200, body: { ID, name: "shared.txt" } });
    await files().unpublish(ID);
    expect(await faultOf(files().published(second))).toMatchObject({ kind: "not_found" });
  });

  test("takes a numeric ID, of a file that the caller uploaded", async () => {
    const { client } = await workspace.member("uploader");
    const theirs = await uploadText(client, "theirs.txt", "x");
    for (const [method, path] of [
      ["DELETE", ""],
      ["POST", "/public"],
      ["DELETE", "/public"],
    ] as const) {
      expect(await workspace.ask(method, `/file/abc${path}`)).toMatchObject({
        status: 400,
        body: { error: errorTexts.invalidFileId },
      });
      expect(await workspace.ask(method, `/file/999999${path}`)).toMatchObject({
        status: 404,
        body: { error: errorTexts.fileNotFound },
      });
      expect(await workspace.ask(method, `/file/${theirs}${path}`)).toMatchObject({ status: 403 });
    }
    expect((await client.files.list()).total).toBe(1);
  });

  test("the list has only the caller's files, in pages", async () => {
    const { client } = await workspace.member("pager");
    for (let n = 0; n < 12; n++) await uploadText(client, `${n}.txt`, "x");
    expect((await client.files.list()).items).toHaveLength(10);
    expect(await client.files.list({ page: 2 })).toMatchObject({ total: 12, items: [{ name: "10.txt" }, { name: "11.txt" }] });
  });
});
