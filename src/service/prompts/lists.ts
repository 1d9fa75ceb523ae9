/** The lists of prompts: own ones, a project's, all that a user may run, and the short ones of what is used most. */
import { sql, type ExpressionBuilder } from "kysely";
import type { ServiceContext } from "../context.ts";
import type { Span } from "../responses.ts";
import type { ServiceSchema } from "../schema.ts";
import type { PromptRow } from "./schema.ts";
import { maySee } from "./store.ts";

type Db = Pick<ServiceContext, "db">;
type Where = ExpressionBuilder<ServiceSchema, "prompts">;

/** Items of the short lists at most, as the interface says. */
const shortList = 8;

interface Listed {
  readonly rows: PromptRow[];
  readonly total: number;
}

const live = ({ db }: Db, search: string) => {
  const prompts = db.selectFrom("prompts").where("prompts.deleted_at", "is", null);
  return search === "" ? prompts : prompts.where(sql<boolean>`instr(prompts.folded_text, ${search.toLowerCase()}) > 0`);
};

const hasFavorite = (where: Where, userId: number) =>
  where.exists(
    where
      .selectFrom("prompt_favorites")
      .select("prompt_favorites.id")
      .whereRef("prompt_favorites.prompt_id", "=", "prompts.id")
      .where("prompt_favorites.user_id", "=", userId),
  );

const hasShare = (where: Where, userId: number) =>
  where.exists(
    where
      .selectFrom("prompt_shares")
      .select("prompt_shares.user_id")
      .whereRef("prompt_shares.prompt_id", "=", "prompts.id")
      .where("prompt_shares.user_id", "=", userId),
  );

/** What a user may see outside projects: own, shared with them, shared with all. */
const visible = (where: Where, userId: number) =>
  where.or([
    where("prompts.user_id", "=", userId),
    where("prompts.shared_with_workspace_id", "is not", null),
    hasShare(where, userId),
  ]);

/** A page of the user's own prompts outside projects or, with a project, of all of that project's; newest first. */
export async function listedPrompts(
  ctx: Db,
  where: { readonly userId: number } | { readonly projectId: number },
  search: string,
  page: Span,
): Promise<Listed> {
  const all =
    "projectId" in where
      ? live(ctx, search).where("prompts.project_id", "=", where.projectId)
      : live(ctx, search).where("prompts.project_id", "is", null).where("prompts.user_id", "=", where.userId);
  const { total } = await all.select((query) => query.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await all.selectAll("prompts").orderBy("prompts.id", "desc").limit(page.size).offset(page.offset).execute();
  return { rows, total };
}

/** A page of the prompts outside projects that the user owns, likes or was given, by their last run or else their creation. */
export async function allPrompts(
  ctx: Db,
  userId: number,
  { search, workspaceShared }: { readonly search: string; readonly workspaceShared: boolean },
  page: Span,
): Promise<Listed> {
  const all = live(ctx, search)
    .where("prompts.project_id", "is", null)
    // A favourite counts only for as long as its owner still shows it.
    .where((where) => visible(where, userId))
    .where((where) =>
      where.or([
        where("prompts.user_id", "=", userId),
        hasShare(where, userId),
        hasFavorite(where, userId),
        ...(workspaceShared ? [where("prompts.shared_with_workspace_id", "is not", null)] : []),
      ]),
    );
  const { total } = await all.select((query) => query.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await all
    .selectAll("prompts")
    .orderBy(
      (query) =>
        query.fn.coalesce(
          query
            .selectFrom("prompt_runs")
            .select((run) => run.fn.max("prompt_runs.created_at").as("last"))
            .whereRef("prompt_runs.prompt_id", "=", "prompts.id")
            .where("prompt_runs.user_id", "=", userId),
          "prompts.created_at",
        ),
      "desc",
    )
    .orderBy("prompts.id", "desc")
    .limit(page.size)
    .offset(page.offset)
    .execute();
  return { rows, total };
}

/** The first `limit` of `rows` that the user may still see: a prompt can be taken back from those who used it. */
async function stillVisible(ctx: Db, userId: number, rows: readonly PromptRow[], limit: number): Promise<PromptRow[]> {
  const seen: PromptRow[] = [];
  for (const row of rows) {
    if (seen.length === limit) break;
    if (await maySee(ctx, row, userId)) seen.push(row);
  }
  return seen;
}

/** The prompts that the user has run and may still see, the first few by `order`. */
async function usedPrompts(ctx: Db, userId: number, order: "latest" | "most"): Promise<PromptRow[]> {
  const runs = ctx.db
    .selectFrom("prompt_runs")
    .select("prompt_runs.prompt_id")
    .select((query) => [query.fn.max("prompt_runs.id").as("latest"), query.fn.countAll<number>().as("most")])
    .where("prompt_runs.user_id", "=", userId)
    .groupBy("prompt_runs.prompt_id")
    .as("runs");
  const rows = await ctx.db
    .selectFrom("prompts")
    .innerJoin(runs, "runs.prompt_id", "prompts.id")
    .selectAll("prompts")
    .where("prompts.deleted_at", "is", null)
    .orderBy(`runs.${order}`, "desc")
    .orderBy("runs.latest", "desc")
    .execute();
  return stillVisible(ctx, userId, rows, shortList);
}

export const lastUsedPrompts = (ctx: Db, userId: number): Promise<PromptRow[]> => usedPrompts(ctx, userId, "latest");
export const mostUsedPrompts = (ctx: Db, userId: number): Promise<PromptRow[]> => usedPrompts(ctx, userId, "most");

/** The user's newest prompts, in projects and outside. */
export const recentPrompts = (ctx: Db, userId: number): Promise<PromptRow[]> =>
  live(ctx, "")
    .selectAll("prompts")
    .where("prompts.user_id", "=", userId)
    .orderBy("prompts.id", "desc")
    .limit(shortList)
    .execute();

/** The user's favourites that they may still see, the oldest favourite first. */
export async function favoritePrompts(ctx: Db, userId: number): Promise<PromptRow[]> {
  const rows = await ctx.db
    .selectFrom("prompts")
    .innerJoin("prompt_favorites", "prompt_favorites.prompt_id", "prompts.id")
    .selectAll("prompts")
    .where("prompts.deleted_at", "is", null)
    .where("prompt_favorites.user_id", "=", userId)
    .orderBy("prompt_favorites.id")
    .execute();
  return stillVisible(ctx, userId, rows, rows.length);
}
