/** Finds agents: by id, slug or tag, owned by a user or shared with them. */
import { sql, type ExpressionBuilder } from "kysely";
import { isNumericId } from "../../contract/identifiers.ts";
import type { ServiceContext } from "../context.ts";
import type { FileRow } from "../files/schema.ts";
import type { Span } from "../responses.ts";
import type { ServiceSchema } from "../schema.ts";
import type { AgentRow } from "./schema.ts";

type Db = Pick<ServiceContext, "db">;

/** The live agent that `:id` names, whoever owns it: digits are an ID, anything else is a slug. */
export function agentNamed({ db }: Db, idOrSlug: string): Promise<AgentRow | undefined> {
  const live = db.selectFrom("agents").selectAll().where("deleted_at", "is", null);
  return isNumericId(idOrSlug)
    ? live.where("id", "=", Number(idOrSlug)).executeTakeFirst()
    : live.where("slug", "=", idOrSlug).executeTakeFirst();
}

/** The agents with these IDs, deleted ones too: a message goes on naming who wrote it. */
export async function agentsById({ db }: Db, ids: readonly number[]): Promise<AgentRow[]> {
  return ids.length === 0 ? [] : db.selectFrom("agents").selectAll().where("id", "in", ids).execute();
}

/** The user's own live agents, oldest first: the only ones that the user can chat with or mention. Tags are unique among them. */
export const ownAgents = ({ db }: Db, userId: number): Promise<AgentRow[]> =>
  db.selectFrom("agents").selectAll().where("user_id", "=", userId).where("deleted_at", "is", null).orderBy("id").execute();

/** The user's own live agent with this ID. */
export async function ownAgent(ctx: Db, userId: number, id: number): Promise<AgentRow | undefined> {
  const agent = await agentNamed(ctx, String(id));
  return agent?.user_id === userId ? agent : undefined;
}

/** The live files of an agent, oldest first. */
export const agentFiles = ({ db }: Db, agentId: number): Promise<FileRow[]> =>
  db
    .selectFrom("agent_files")
    .innerJoin("files", "files.id", "agent_files.file_id")
    .selectAll("files")
    .where("agent_files.agent_id", "=", agentId)
    .where("files.deleted_at", "is", null)
    .orderBy("files.id")
    .execute();

/** True when the agent is shared with the user, directly or by way of the whole workspace. */
export async function isSharedWith({ db }: Db, agentId: number, userId: number): Promise<boolean> {
  const share = await db
    .selectFrom("agent_shares")
    .select("agent_id")
    .where("agent_id", "=", agentId)
    .where((where) => where.or([where("user_id", "=", userId), where("user_id", "is", null)]))
    .executeTakeFirst();
  return share !== undefined;
}

export interface AgentListQuery {
  /** Part of the name, in any case. */
  readonly search: string;
  /** False: own only; true: other users' only; undefined: both. */
  readonly shared: boolean | undefined;
  /** Most used first. */
  readonly byUsage: boolean;
}

/** A part of the agents that the user owns or may use, and how many there are in all. */
export async function visibleAgents(
  { db }: Db,
  userId: number,
  { search, shared, byUsage }: AgentListQuery,
  span: Span,
): Promise<{ rows: AgentRow[]; total: number }> {
  const sharedWithUser = (where: ExpressionBuilder<ServiceSchema, "agents">) =>
    where.and([
      where("agents.user_id", "!=", userId),
      where.exists(
        where
          .selectFrom("agent_shares")
          .select("agent_shares.agent_id")
          .whereRef("agent_shares.agent_id", "=", "agents.id")
          .where((share) => share.or([share("agent_shares.user_id", "=", userId), share("agent_shares.user_id", "is", null)])),
      ),
    ]);
  let agents = db.selectFrom("agents").where("agents.deleted_at", "is", null);
  if (search !== "") agents = agents.where(sql<boolean>`instr(agents.folded_name, ${search.toLowerCase()}) > 0`);
  agents = agents.where((where) => {
    if (shared === true) return sharedWithUser(where);
    const own = where("agents.user_id", "=", userId);
    return shared === false ? own : where.or([own, sharedWithUser(where)]);
  });
  const { total } = await agents.select((query) => query.fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  let rows = agents.selectAll("agents");
  if (byUsage) {
    // One answer for each message that was sent with the agent.
    rows = rows.orderBy(
      (query) =>
        query
          .selectFrom("messages")
          .select((message) => message.fn.countAll<number>().as("sent"))
          .whereRef("messages.agent_id", "=", "agents.id")
          .where("messages.is_user", "=", 0),
      "desc",
    );
  }
  return { rows: await rows.orderBy("agents.id").limit(span.size).offset(span.offset).execute(), total };
}
