/** Prompts, versions, variables and favourites as the interface shows them. */
import type {
  Prompt,
  PromptFavorite,
  PromptInstance,
  PromptVariable,
  PromptVersion,
  VariableValue,
} from "../../contract/prompt-records.ts";
import type { ToolChoice } from "../../contract/records.ts";
import type { ServiceContext } from "../context.ts";
import { fileRecord } from "../files/store.ts";
import type { PromptFavoriteRow, PromptInstanceRow, PromptRow, PromptVariableRow, PromptVersionRow } from "./schema.ts";
import { promptFiles, variablesOf, versionOf } from "./store.ts";

type Context = Pick<ServiceContext, "db" | "publicUrl">;

export const variableRecord = (row: PromptVariableRow): PromptVariable => ({
  ID: row.id,
  CreatedAt: row.created_at,
  UpdatedAt: row.updated_at,
  DeletedAt: null,
  prompt_version_id: row.version_id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  data_type: row.data_type,
  default_value: row.default_value,
  required: row.required === 1,
  sort: row.sort,
  is_primary: row.is_primary === 1,
  is_multi_select: row.is_multi_select === 1,
  options: JSON.parse(row.options) as string[],
  file_types: JSON.parse(row.file_types) as string[],
  default_file_id: row.default_file_id,
});

export const instanceRecord = (row: PromptInstanceRow, promptId: number): PromptInstance => ({
  ID: row.id,
  CreatedAt: row.created_at,
  UpdatedAt: row.created_at,
  DeletedAt: null,
  prompt_id: promptId,
  prompt_version_id: row.version_id,
  user_id: row.user_id,
  variables: JSON.parse(row.variables) as VariableValue[],
});

/** A version as the answer to writing it: nothing is loaded. */
export const bareVersion = (row: PromptVersionRow): PromptVersion => ({
  ID: row.id,
  CreatedAt: row.created_at,
  UpdatedAt: row.updated_at,
  DeletedAt: null,
  prompt_id: row.prompt_id,
  content: row.content,
  variables: null,
  current_instance_id: null,
  current_instance: null,
});

/** A version with its variables and the values that this user last ran it with: those of others are nobody's business. */
async function fullVersion(ctx: Context, userId: number, row: PromptVersionRow): Promise<PromptVersion> {
  const instance = await ctx.db
    .selectFrom("prompt_instances")
    .selectAll()
    .where("user_id", "=", userId)
    .where("version_id", "=", row.id)
    .orderBy("id", "desc")
    .executeTakeFirst();
  return {
    ...bareVersion(row),
    variables: (await variablesOf(ctx, row)).map(variableRecord),
    current_instance_id: instance?.id ?? null,
    current_instance: instance === undefined ? null : instanceRecord(instance, row.prompt_id),
  };
}

export const favoriteRecord = (row: PromptFavoriteRow): PromptFavorite => ({
  ID: row.id,
  CreatedAt: row.created_at,
  UpdatedAt: row.created_at,
  DeletedAt: null,
  user_id: row.user_id,
  prompt_id: row.prompt_id,
  Prompt: null,
});

const recordOf = (row: PromptRow, versionId: number | null, isFavorite: boolean): Prompt => ({
  ID: row.id,
  CreatedAt: row.created_at,
  UpdatedAt: row.updated_at,
  DeletedAt: null,
  name: row.name,
  slug: row.slug,
  user_id: row.user_id,
  project_id: row.project_id,
  shared_with_workspace_id: row.shared_with_workspace_id,
  current_version_id: versionId,
  current_version: null,
  ai_model_id: row.ai_model_id,
  description: row.description,
  example_output: row.example_output,
  is_favorite: isFavorite,
  category_id: row.category_id,
  // Categories can neither be made nor read with a key, and the embedded workspace has none.
  category: null,
  duplicated_from_id: row.duplicated_from_id,
  file_data: null,
  tools: row.tools === null ? null : (JSON.parse(row.tools) as ToolChoice[]),
  mcp_servers: JSON.parse(row.mcp_servers) as number[],
  ai_style: row.ai_style,
});

/** Prompts as lists show them: without content, with files only where they are asked for. */
export async function promptRecords(
  ctx: Context,
  userId: number,
  rows: readonly PromptRow[],
  { files = false }: { readonly files?: boolean } = {},
): Promise<Prompt[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const versions = await ctx.db.selectFrom("prompt_versions").select(["id", "prompt_id"]).where("prompt_id", "in", ids).execute();
  const versionIds = new Map(versions.map((version) => [version.prompt_id, version.id]));
  const favorites = await ctx.db
    .selectFrom("prompt_favorites")
    .select("prompt_id")
    .where("user_id", "=", userId)
    .where("prompt_id", "in", ids)
    .execute();
  const liked = new Set(favorites.map((favorite) => favorite.prompt_id));
  const attached = files ? await promptFiles(ctx, ids) : [];
  return rows.map((row) => ({
    ...recordOf(row, versionIds.get(row.id) ?? null, liked.has(row.id)),
    ...(files && { file_data: attached.filter((file) => file.prompt_id === row.id).map((file) => fileRecord(ctx, file)) }),
  }));
}

/** One prompt without its content. */
export async function promptRecord(ctx: Context, userId: number, row: PromptRow): Promise<Prompt> {
  const [record] = await promptRecords(ctx, userId, [row]);
  return record!;
}

/** One prompt with its content, its variables and its files. */
export async function fullPrompt(ctx: Context, userId: number, row: PromptRow): Promise<Prompt> {
  const [record] = await promptRecords(ctx, userId, [row], { files: true });
  const version = await versionOf(ctx, row.id);
  return { ...record!, current_version: version === undefined ? null : await fullVersion(ctx, userId, version) };
}
