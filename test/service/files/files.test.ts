import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sweepObjects } from "../../../src/service/files/sweep.ts";
import { filesForm, openRooms, type Member, type Rooms } from "../rooms.ts";

let rooms: Rooms;
let ada: Member;
let ben: Member;
beforeAll(async () => {
  rooms = await openRooms({ fileBytes: 1000 });
  ada = await rooms.member("ada");
  ben = await rooms.member("ben");
});
afterAll(() => rooms.close());

const objects = (): string => join(rooms.folder, "objects");
const upload = async (name: string, content: string | Uint8Array<ArrayBuffer>) =>
  (await ada.call("POST", "/file", filesForm({ [name]: content }))).body[0];

describe("an upload", () => {
  test("gives the records of its files in their order", async () => {
    const answer = await ada.call("POST", "/file", filesForm({ "b.txt": "second letter", "a.PNG": "x", "empty.csv": "" }));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject([
      { name: "b.txt", fileType: "file_search", partial: false, preview_path: "", public_path: "", project_id: null },
      // The match is case-sensitive.
      { name: "a.PNG", fileType: "code_interpreter" },
      { name: "empty.csv", fileType: "spreadsheet" },
    ]);
    expect(answer.body[0]).toMatchObject({ user_id: ada.id, DeletedAt: null });
  });

  test("ignores parts of any other name, and is still a success", async () => {
    const before = await readdir(objects());
    expect(await ada.call("POST", "/file", filesForm({ "a.txt": "a" }, "file"))).toMatchObject({ status: 200, body: [] });
    const field = new FormData();
    field.append("upload[]", "text without a file name");
    expect(await ada.call("POST", "/file", field)).toMatchObject({ status: 200, body: [] });
    expect(await readdir(objects())).toEqual(before);
  });

  test.each([
    ["no multipart at all", "hello", "text/plain"],
    ["multipart without a boundary", "hello", "multipart/form-data"],
    [
      "multipart that ends early",
      '--x\r\nContent-Disposition: form-data; name="upload[]"; filename="a"\r\n\r\nhalf',
      "multipart/form-data; boundary=x",
    ],
    [
      "an ignored part that ends early",
      '--x\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\nhalf',
      "multipart/form-data; boundary=x",
    ],
  ])("of %s is refused and leaves nothing", async (_what, body, type) => {
    const before = await readdir(objects());
    const answer = await ada.call("POST", "/file", body, { "content-type": type });
    expect(answer).toMatchObject({ status: 500, body: { error: "could not upload files" } });
    expect(await readdir(objects())).toEqual(before);
  });

  test("without a body is refused", async () => {
    const answer = await ada.call("POST", "/file", undefined, { "content-type": "multipart/form-data; boundary=x" });
    expect(answer).toMatchObject({ status: 500, body: { error: "could not upload files" } });
  });

  test("with one file over the limit is refused as a whole", async () => {
    const before = await readdir(objects());
    const answer = await ada.call("POST", "/file", filesForm({ "ok.txt": "fine", "big.txt": "x".repeat(1001) }));
    expect(answer).toMatchObject({ status: 413, body: { error: expect.stringContaining("at most 1000 bytes") } });
    expect(await readdir(objects())).toEqual(before);
    expect((await ada.call("POST", "/file", filesForm({ "max.txt": "x".repeat(1000) }))).status).toBe(200);
  });

  test("with a great many files is stored in its order, with too many refused as a whole", async () => {
    const cleo = await rooms.member("collector");
    const numbers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}.txt`, `${at}`]));
    const stored = await cleo.call("POST", "/file", filesForm(numbers(300)));
    expect(stored.body.map((file: { name: string }) => file.name)).toEqual(Object.keys(numbers(300)));
    const before = await readdir(objects());
    expect((await cleo.call("POST", "/file", filesForm(numbers(1001)))).status).toBe(413);
    expect(await readdir(objects())).toEqual(before);
  });

  test("that the sender breaks off leaves nothing", async () => {
    const before = await readdir(objects());
    const sending = request(`${rooms.url}/file`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada.key}`, "content-type": "multipart/form-data; boundary=x", "content-length": 9000 },
    });
    const failed = new Promise((resolve) => sending.once("error", resolve));
    sending.write('--x\r\nContent-Disposition: form-data; name="upload[]"; filename="a.txt"\r\n\r\nbegun');
    await expect.poll(() => readdir(objects())).toHaveLength(before.length + 1);
    sending.destroy(new Error("gone"));
    await failed;
    await expect.poll(() => readdir(objects())).toEqual(before);
  });

  test("that cannot be stored is refused", async () => {
    const other = await openRooms();
    try {
      const eve = await other.member("eve");
      // A file where the folder should be: the nearest thing to a disk that takes no more.
      await writeFile(join(other.folder, "objects"), "");
      const answer = await eve.call("POST", "/file", filesForm({ "a.txt": "x".repeat(300_000) }));
      expect(answer).toMatchObject({ status: 500, body: { error: "could not upload files" } });
      expect((await eve.call("GET", "/file")).body).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test("needs a key with the permission", async () => {
    const reader = await rooms.member("reader", ["files_get"]);
    expect(await reader.call("POST", "/file", filesForm({ "a.txt": "a" }))).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining("files_manage") },
    });
  });

  test("stores nothing under a name that the sender chose", async () => {
    const record = await upload("../../../evil.sh", "rm -rf");
    expect(record.name).toBe("evil.sh");
    expect(await readdir(objects())).not.toContain("evil.sh");
    expect(record.path).toMatch(/\/api\/v1\/storage\/[a-z0-9]{40}$/);
  });
});

describe("the bytes of a file", () => {
  test("are served without a key, as something to save", async () => {
    const record = await upload("page é.html", "<script>alert(1)</script>");
    const answer = await rooms.anyone("GET", record.path);
    expect(answer.status).toBe(200);
    expect(answer.body).toBe("<script>alert(1)</script>");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="page _.html"; filename*=UTF-8''page%20%C3%A9.html`,
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "content-length": "25",
    });
  });

  test("of a picture have its type, those of a drawing with scripts do not", async () => {
    const photo = await upload("photo.JPG", "x");
    expect((await rooms.anyone("GET", photo.path)).headers.get("content-type")).toBe("image/jpeg");
    const drawing = await upload("drawing.svg", "<svg/>");
    expect((await rooms.anyone("GET", drawing.path)).headers.get("content-type")).toBe("application/octet-stream");
  });

  test("are not found under another key, or when the object is lost", async () => {
    expect((await rooms.anyone("GET", "/storage/..%2f..%2fworkspace.sqlite")).status).toBe(404);
    const record = await upload("lost.txt", "x");
    await rm(join(objects(), record.path.split("/").at(-1)));
    expect((await rooms.anyone("GET", record.path)).status).toBe(404);
  });
});

describe("the list of files", () => {
  test("has the caller's uploads only, in pages", async () => {
    const cleo = await rooms.member("cleo");
    await cleo.call("POST", "/file", filesForm({ "1.txt": "", "2.txt": "", "3.txt": "" }));
    const answer = await cleo.call("GET", "/file?page=2&size=2");
    expect(answer.body).toMatchObject([{ name: "3.txt" }]);
    expect(answer.headers.get("x-total-count")).toBe("3");
  });
});

describe("deleting a file", () => {
  test("removes its bytes, its text and its record", async () => {
    const record = await upload("gone.txt", "x");
    const object = join(objects(), record.path.split("/").at(-1));
    await writeFile(`${object}.text`, "{}");
    expect((await ada.call("DELETE", `/file/${record.ID}`)).status).toBe(204);
    expect(await readdir(objects())).not.toContain(record.path.split("/").at(-1));
    expect((await readdir(objects())).filter((name) => name.endsWith(".text"))).toEqual([]);
    expect((await rooms.anyone("GET", record.path)).status).toBe(404);
    expect(await ada.call("DELETE", `/file/${record.ID}`)).toMatchObject({ status: 404, body: { error: "File not found" } });
  });

  test("is refused for a bad id, and to anyone but the uploader", async () => {
    const record = await upload("mine.txt", "x");
    expect(await ada.call("DELETE", "/file/abc")).toMatchObject({ status: 400, body: { error: "Invalid file ID" } });
    expect((await ben.call("DELETE", `/file/${record.ID}`)).status).toBe(403);
  });

  test("that the disk refuses keeps the record", async () => {
    const record = await upload("stuck.txt", "x");
    const object = join(objects(), record.path.split("/").at(-1));
    await rm(object);
    await mkdir(object);
    expect(await ada.call("DELETE", `/file/${record.ID}`)).toMatchObject({
      status: 502,
      body: { error: "Failed to delete file" },
    });
    await rm(object, { recursive: true });
    expect((await ada.call("DELETE", `/file/${record.ID}`)).status).toBe(204);
  });
});

describe("a public link", () => {
  test("shows the record to anyone until it is replaced or taken back", async () => {
    const record = await upload("shared.txt", "x");
    const first = await ada.call("POST", `/file/${record.ID}/public`);
    expect(first).toMatchObject({ status: 200, body: { ID: record.ID, public_path: expect.stringMatching(/^[a-z0-9]{32}$/) } });
    expect((await rooms.anyone("GET", `/public/file/${first.body.public_path}`)).body).toEqual(first.body);
    const second = await ada.call("POST", `/file/${record.ID}/public`);
    const gone = { status: 404, body: { error: "File not found" } };
    expect(await rooms.anyone("GET", `/public/file/${first.body.public_path}`)).toMatchObject(gone);
    expect((await ada.call("DELETE", `/file/${record.ID}/public`)).status).toBe(204);
    expect(await rooms.anyone("GET", `/public/file/${second.body.public_path}`)).toMatchObject(gone);
  });

  test.each(["POST", "DELETE"])("is the uploader's alone (%s)", async (method) => {
    const record = await upload("private.txt", "x");
    expect(await ada.call(method, "/file/x1/public")).toMatchObject({ status: 400, body: { error: "Invalid file ID" } });
    expect(await ada.call(method, "/file/999999/public")).toMatchObject({ status: 404, body: { error: "File not found" } });
    expect((await ben.call(method, `/file/${record.ID}/public`)).status).toBe(403);
  });
});

test("what a crash left of uploads is cleared away, and nothing else", async () => {
  const record = await upload("kept.txt", "kept");
  const key = record.path.split("/").at(-1);
  for (const name of ["abandoned.part", "unrecorded", "unrecorded.text", `${key}.text`]) {
    await writeFile(join(objects(), name), "{}");
  }
  expect(await sweepObjects(rooms.ctx)).toBe(3);
  const left = await readdir(objects());
  expect(left).toContain(key);
  expect(left).toContain(`${key}.text`);
  expect(left).not.toContain("unrecorded");
});
