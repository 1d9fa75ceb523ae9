/** Routes of saved prompts: lists, writing, sharing, favourites, files and variables. */
import { errorTexts } from "../../contract/errors.ts";
import { isNumericId } from "../../contract/identifiers.ts";
import {
  promptBody,
  promptFilesBody,
  promptShareBody,
  promptUpdateBody,
  promptVersionBody,
  variableBody,
} from "../../contract/prompt-bodies.ts";
import { ownFiles } from "../files/store.ts";
import { HttpError } from "../http-error.ts";
import type { Call, Handlers } from "../http.ts";
import { projectInHeader } from "../projects/header.ts";
import { json, listPage, noContent } from "../responses.ts";
import { allPrompts, favoritePrompts, lastUsedPrompts, listedPrompts, mostUsedPrompts, recentPrompts } from "./lists.ts";
import { bareVersion, favoriteRecord, fullPrompt, promptRecord, promptRecords, variableRecord } from "./record.ts";
import type { PromptRow } from "./schema.ts";
import { addFavorite, checkManages, movePrompt, removeFavorite, rightsIn, shareWithWorkspace } from "./sharing.ts";
import { ownPrompt, promptNamed, visiblePrompt } from "./store.ts";
import { createVariable, deleteVariable, updateVariable } from "./variables.ts";
import { attachFiles, createPrompt, deletePrompt, duplicatePrompt, updatePrompt, writeContent } from "./write.ts";

/** The numeric ID in the path. Throws HttpError 404 with `text` for anything else. */
function numericId({ param }: Pick<Call, "param">, text: string): number {
  const id = param("id");
  if (!isNumericId(id)) throw new HttpError(404, text);
  return Number(id);
}

const one = async ({ ctx, caller }: Call, status: 200 | 201, row: PromptRow): Promise<Response> =>
  json(status, await promptRecord(ctx, caller.userId, row));

const several = async ({ ctx, caller }: Call, rows: readonly PromptRow[]): Promise<Response> =>
  json(200, await promptRecords(ctx, caller.userId, rows));

export const promptHandlers: Handlers = {
  "GET /prompt": async ({ ctx, caller, request, query, page }) => {
    const search = query.get("search") ?? "";
    const projectId = projectInHeader(request);
    if (projectId === null) {
      const { rows, total } = await listedPrompts(ctx, { userId: caller.userId }, search, page);
      return listPage(await promptRecords(ctx, caller.userId, rows), page, total);
    }
    const { manages } = await rightsIn(ctx, caller.userId, projectId);
    const { rows, total } = await listedPrompts(ctx, { projectId }, search, page);
    const records = await promptRecords(ctx, caller.userId, rows);
    const listed = records.map((prompt) => ({ ...prompt, can_delete: manages && prompt.user_id === caller.userId }));
    return listPage(listed, page, total);
  },

  "GET /prompt/all": async ({ ctx, caller, query, page }) => {
    const asked = { search: query.get("search") ?? "", workspaceShared: query.get("showWorkspaceShared") === "true" };
    const { rows, total } = await allPrompts(ctx, caller.userId, asked, page);
    return listPage(await promptRecords(ctx, caller.userId, rows, { files: true }), page, total);
  },

  "GET /prompt/last_used": async ({ ctx, caller, page }) => {
    const rows = await lastUsedPrompts(ctx, caller.userId);
    // The headers are there, and paging is ignored all the same: so the interface has it.
    return listPage(await promptRecords(ctx, caller.userId, rows), page, rows.length);
  },

  "GET /prompt/most_used": async (call) => several(call, await mostUsedPrompts(call.ctx, call.caller.userId)),

  "GET /prompt/recently_added": async (call) => several(call, await recentPrompts(call.ctx, call.caller.userId)),

  "GET /prompt/favorite": async (call) => several(call, await favoritePrompts(call.ctx, call.caller.userId)),

  "POST /prompt": async (call) => {
    const { ctx, caller, request } = call;
    const fields = await call.body(promptBody);
    const projectId = projectInHeader(request);
    if (projectId !== null) await checkManages(ctx, caller.userId, projectId);
    return one(call, 201, await createPrompt(ctx, caller.userId, fields, projectId));
  },

  "PUT /prompt/:id": async (call) => {
    const { ctx, caller } = call;
    const fields = await call.body(promptUpdateBody);
    const prompt = await ownPrompt(ctx, caller.userId, String(numericId(call, errorTexts.promptNotFound)));
    return one(call, 200, await updatePrompt(ctx, prompt, fields));
  },

  "POST /prompt_version": async ({ ctx, caller, body }) => {
    const { prompt_id, content } = await body(promptVersionBody);
    const prompt = await ownPrompt(ctx, caller.userId, String(prompt_id));
    return json(201, bareVersion(await writeContent(ctx, prompt.id, content)));
  },

  "DELETE /prompt/:id": async ({ ctx, caller, param }) => {
    const id = param("id");
    const prompt = isNumericId(id) ? await promptNamed(ctx, id) : undefined;
    // This route's 404 has no body: so the interface has it.
    if (prompt?.user_id !== caller.userId) return new Response(null, { status: 404 });
    await deletePrompt(ctx, prompt);
    return noContent();
  },

  "POST /prompt/:id/duplicate": async ({ ctx, caller, request, param }) => {
    const prompt = await visiblePrompt(ctx, caller.userId, param("id"));
    const projectId = projectInHeader(request);
    if (projectId !== null) await checkManages(ctx, caller.userId, projectId);
    return json(200, await fullPrompt(ctx, caller.userId, await duplicatePrompt(ctx, caller.userId, prompt, projectId)));
  },

  "PUT /prompt/:id/move-to-project": async (call) =>
    one(call, 200, await movePrompt(call.ctx, call.caller.userId, call.param("id"), projectInHeader(call.request))),

  "PUT /prompt/:id/share_with_workspace": async (call) => {
    const { shared } = await call.body(promptShareBody);
    const prompt = await ownPrompt(call.ctx, call.caller.userId, call.param("id"));
    return one(call, 200, await shareWithWorkspace(call.ctx, prompt, shared));
  },

  "POST /prompt/:id/favorite": async (call) => {
    const id = numericId(call, errorTexts.promptNotFound);
    return json(201, favoriteRecord(await addFavorite(call.ctx, call.caller.userId, String(id))));
  },

  "DELETE /prompt/:id/favorite": async (call) => {
    await removeFavorite(call.ctx, call.caller.userId, numericId(call, errorTexts.promptNotFavorite));
    return noContent();
  },

  "POST /prompt/:id/file": async ({ ctx, caller, param, body }) => {
    const { file_ids } = await body(promptFilesBody);
    const prompt = await ownPrompt(ctx, caller.userId, param("id"));
    const files = await ownFiles(ctx, caller.userId, file_ids);
    if (files.length < new Set(file_ids).size) throw new HttpError(404, errorTexts.fileNotFound);
    await attachFiles(ctx, prompt.id, file_ids);
    return json(200, await fullPrompt(ctx, caller.userId, prompt));
  },

  "POST /variable": async ({ ctx, caller, body }) =>
    json(201, variableRecord(await createVariable(ctx, caller.userId, await body(variableBody)))),

  "PUT /variable/:id": async (call) => {
    const fields = await call.body(variableBody);
    const id = numericId(call, errorTexts.variableNotFound);
    return json(200, variableRecord(await updateVariable(call.ctx, call.caller.userId, id, fields)));
  },

  "DELETE /variable/:id": async (call) => {
    await deleteVariable(call.ctx, call.caller.userId, numericId(call, errorTexts.variableNotFound));
    return noContent();
  },
};
