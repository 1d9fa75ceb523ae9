/** Creates, changes and deletes agents, with the rules that their fields are held to. */
import type { Insertable, Transaction, Updateable } from "kysely";
import type { z } from "zod";
import { agentNameLimit, type agentBody } from "../../contract/bodies.ts";
import { errorTexts } from "../../contract/errors.ts";
import { randomSlug } from "../../contract/identifiers.ts";
import { timestamp, type ServiceContext } from "../context.ts";
import { ownFiles } from "../files/store.ts";
import { HttpError } from "../http-error.ts";
import { modelById } from "../models.ts";
import { guardText, readRules, residencyRestriction } from "../rules.ts";
import type { ServiceSchema } from "../schema.ts";
import type { AgentRow, AgentTables } from "./schema.ts";
import { agentNamed } from "./store.ts";
import { freeTag, isTag, tagOf } from "./tags.ts";

/** A checked body; a field that was omitted or null is undefined. */
type Fields = z.output<typeof agentBody>;
type Context = Pick<ServiceContext, "db" | "clock" | "random">;
type Db = ServiceContext["db"] | Transaction<ServiceSchema>;

const slugLength = 8;

/** Throws HttpError 400 for a field that breaks a rule of its own or of the workspace. */
async function check(ctx: Context, fields: Fields): Promise<void> {
  if (fields.name?.trim() === "") throw new HttpError(400, errorTexts.agentNameRequired);
  if ((fields.name?.length ?? 0) > agentNameLimit) {
    throw new HttpError(400, `name: expected at most ${agentNameLimit} characters`);
  }
  if (fields.tag !== undefined && !isTag(fields.tag)) {
    throw new HttpError(400, "tag: expected 1 to 50 of a-z, 0-9, - and _, beginning with a letter or digit, and not ai");
  }
  if (fields.system_prompt !== undefined) await guardText(ctx, fields.system_prompt, "code");
  if (fields.ai_model_id !== undefined) await checkResidency(ctx, fields.ai_model_id);
}

/** A model that is not in the catalogue passes: the interface checks an agent's model against the policy only. */
async function checkResidency(ctx: Context, modelId: number): Promise<void> {
  const model = await modelById(ctx, modelId);
  const blocked = model === undefined ? undefined : residencyRestriction(await readRules(ctx.db), model);
  if (blocked === undefined) return;
  throw new HttpError(400, { error: blocked.text, ...(blocked.code === undefined ? {} : { code: blocked.code }) });
}

/** Tags of the owner's live agents, but for `except`. */
async function takenTags(db: Db, userId: number, except?: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom("agents")
    .select(["id", "tag"])
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .execute();
  return new Set(rows.filter(({ id }) => id !== except).map(({ tag }) => tag));
}

/** The tag to store: a chosen one must be free, a derived one is made so. */
function tagFor(fields: Fields, taken: ReadonlySet<string>): string {
  if (fields.tag === undefined) return freeTag(tagOf(fields.name ?? ""), taken);
  if (taken.has(fields.tag)) throw new HttpError(400, `tag: another of your agents already has the tag ${fields.tag}`);
  return fields.tag;
}

/** The columns that `fields` names; what is undefined is left out. */
const columns = (fields: Fields): Updateable<AgentTables["agents"]> =>
  Object.fromEntries(
    Object.entries({
      name: fields.name,
      folded_name: fields.name?.toLowerCase(),
      icon: fields.icon,
      color: fields.color,
      description: fields.description,
      system_prompt: fields.system_prompt,
      ai_model_id: fields.ai_model_id,
      tools: fields.tools && JSON.stringify(fields.tools),
      knowledge_base_limit_node_ids: fields.knowledge_base_limit_node_ids && JSON.stringify(fields.knowledge_base_limit_node_ids),
      world_knowledge: fields.world_knowledge === undefined ? undefined : Number(fields.world_knowledge),
    }).filter(([, value]) => value !== undefined),
  );

/** Makes the caller's files among `ids` the agent's files; others are ignored, as the interface says. */
async function replaceFiles(db: Transaction<ServiceSchema>, agent: AgentRow, ids: readonly number[] | undefined): Promise<void> {
  if (ids === undefined) return;
  await db.deleteFrom("agent_files").where("agent_id", "=", agent.id).execute();
  const files = await ownFiles({ db }, agent.user_id, ids);
  if (files.length === 0) return;
  await db
    .insertInto("agent_files")
    .values(files.map((file) => ({ agent_id: agent.id, file_id: file.id })))
    .execute();
}

/** Creates an agent of `userId`. Throws HttpError 400 for a body that breaks a rule. */
export async function createAgent(ctx: Context, userId: number, fields: Fields): Promise<AgentRow> {
  if (fields.name === undefined) throw new HttpError(400, errorTexts.agentNameRequired);
  await check(ctx, fields);
  const now = timestamp(ctx);
  const defaults = {
    icon: "cpu",
    color: "#F59E0B",
    description: null,
    system_prompt: "",
    ai_model_id: 0,
    tools: null,
    knowledge_base_limit_node_ids: null,
    world_knowledge: 0,
  };
  return ctx.db.transaction().execute(async (transaction) => {
    const tag = tagFor(fields, await takenTags(transaction, userId));
    const row = {
      ...defaults,
      ...columns(fields),
      slug: randomSlug(slugLength, ctx.random),
      user_id: userId,
      tag,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    } as Insertable<AgentTables["agents"]>;
    const agent = await transaction.insertInto("agents").values(row).returningAll().executeTakeFirstOrThrow();
    await replaceFiles(transaction, agent, fields.file_ids);
    return agent;
  });
}

/** Changes what `fields` names; an array replaces the whole set. Throws HttpError 400 for a field that breaks a rule. */
export async function updateAgent(ctx: Context, agent: AgentRow, fields: Fields): Promise<AgentRow> {
  await check(ctx, fields);
  return ctx.db.transaction().execute(async (transaction) => {
    // The tag of an agent that exists is in people's messages: a new name does not change it.
    const tag = fields.tag === undefined ? agent.tag : tagFor(fields, await takenTags(transaction, agent.user_id, agent.id));
    const changed = await transaction
      .updateTable("agents")
      .set({ ...columns(fields), tag, updated_at: timestamp(ctx) })
      .where("id", "=", agent.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await replaceFiles(transaction, changed, fields.file_ids);
    return changed;
  });
}

/** Deletes an agent and clears what it was linked to; its files stay. */
export async function deleteAgent(ctx: Context, agent: AgentRow): Promise<void> {
  const now = timestamp(ctx);
  await ctx.db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("agent_files").where("agent_id", "=", agent.id).execute();
    await transaction.deleteFrom("agent_shares").where("agent_id", "=", agent.id).execute();
    await transaction.updateTable("agents").set({ deleted_at: now, updated_at: now }).where("id", "=", agent.id).execute();
  });
}

/**
 * Shares an agent with one user, or with the whole workspace. The interface has no route for it.
 * Throws a RangeError for an agent that does not exist.
 */
export async function shareAgent(ctx: Context, agentId: number, audience: { userId: number } | "workspace"): Promise<void> {
  if ((await agentNamed(ctx, String(agentId))) === undefined) throw new RangeError(`expected the ID of an agent, got ${agentId}`);
  await ctx.db
    .insertInto("agent_shares")
    .values({ agent_id: agentId, user_id: audience === "workspace" ? null : audience.userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
