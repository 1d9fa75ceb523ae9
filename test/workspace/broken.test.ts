/** What the workspace says when its own disk or database fails under it: the interface's texts, and nothing of the reason. */
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { errorTexts } from "../../src/contract/errors.ts";
import { bytesOf, faultOf, startWorkspace, uploadText, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await startWorkspace();
  onTestFinished(() => workspace.close());
});

/** Takes a table away, as damage or a botched restore would. */
const without = (table: string) =>
  sql`alter table ${sql.table(table)} rename to ${sql.table(`lost_${table}`)}`.execute(workspace.service.ctx.db);

test("a folder that cannot be written to: 500 on upload, and uploads work again once it can", async () => {
  const objects = join(workspace.service.ctx.dataDir, "objects");
  await uploadText(workspace.owner, "before.txt", "x");
  await rename(objects, `${objects}.away`);
  await writeFile(objects, "in the way");
  const refused = await faultOf(workspace.owner.files.upload("a.txt", "text/plain", bytesOf("x")));
  expect(refused).toMatchObject({ kind: "unavailable", status: 500, message: errorTexts.filesNotUploaded });
  expect((await workspace.owner.files.list()).total).toBe(1);
  await rm(objects);
  await rename(`${objects}.away`, objects);
  expect(await uploadText(workspace.owner, "after.txt", "x")).toBeGreaterThan(0);
});

test("an object that cannot be removed: 502 on deletion, and the record stays", async () => {
  const { ID, path } = await workspace.owner.files.upload("stuck.txt", "text/plain", bytesOf("x"));
  const object = join(workspace.service.ctx.dataDir, "objects", path.split("/").at(-1)!);
  await rm(object);
  await mkdir(join(object, "in the way"), { recursive: true });
  expect(await faultOf(workspace.owner.files.remove(ID))).toMatchObject({
    kind: "unavailable",
    status: 502,
    message: errorTexts.fileNotDeleted,
  });
  expect((await workspace.owner.files.list()).items.map((file) => file.ID)).toEqual([ID]);
  await rm(object, { recursive: true });
  await workspace.owner.files.remove(ID);
});

test("an object that is gone from disk is not found, and may still be deleted", async () => {
  const { ID, path } = await workspace.owner.files.upload("lost.txt", "text/plain", bytesOf("x"));
  await rm(join(workspace.service.ctx.dataDir, "objects", path.split("/").at(-1)!));
  expect(await faultOf(workspace.owner.files.download(path))).toMatchObject({
    kind: "not_found",
    message: errorTexts.fileNotFound,
  });
  await workspace.owner.files.remove(ID);
});

test("a database that fails: 500 with the text for agents and projects, a plain one elsewhere", async () => {
  await without("agents");
  await without("projects");
  await without("messages");
  const text = (call: Promise<unknown>) => faultOf(call).then(({ status, message }) => [status, message]);
  expect(await text(workspace.owner.agents.create({ name: "Ada" }))).toEqual([500, errorTexts.agentNotCreated]);
  expect(await text(workspace.owner.projects.create({ name: "Harbour" }))).toEqual([500, errorTexts.projectNotCreated]);
  expect(await text(workspace.owner.conversations.start({ message: "x", ai_model_id: 1 }))).toEqual([
    500,
    "internal server error",
  ]);
  expect(await text(workspace.owner.agents.list())).toEqual([500, "internal server error"]);
  expect(await workspace.owner.models.list()).toHaveLength(5);
});
