import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureOwner } from "../../../src/service/accounts.ts";
import { createDrafts, type DraftFields } from "../../../src/service/conversations/drafts.ts";
import { insertConversation, messageById, updateMessage } from "../../../src/service/conversations/store.ts";
import { openDatabase, type TestDatabase } from "../database.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await openDatabase();
});
afterEach(() => database.close());

const said = (text: string): DraftFields => ({ status: "generating", text, thinking: null, citations: "[]", attachments: "[]" });
const textOf = async (id: number): Promise<string | undefined> => (await messageById(database.ctx, id))?.text;

async function emptyMessages(count: number): Promise<number[]> {
  const { ctx } = database;
  const { id: user } = await ensureOwner(ctx);
  const options = { ai_style: "prompty", invited_agent_ids: "[]" };
  const { id: conversation } = await insertConversation(ctx, { slug: "abcdefgh", user_id: user, ...options });
  const json = { attachments: "[]", tools: "[]", knowledge_base_ids: "[]", citations: "[]" };
  const flags = { is_user: 0, is_auto_model: 0, world_knowledge: 0 };
  const row = { conversation_id: conversation, status: "thinking" as const, text: "", ai_model_id: 1, ai_style: "prompty" };
  const times = { created_at: "", updated_at: "" };
  const ids: number[] = [];
  for (let made = 0; made < count; made++) {
    const message = { ...row, ...json, ...flags, ...times };
    ids.push((await ctx.db.insertInto("messages").values(message).returning("id").executeTakeFirstOrThrow()).id);
  }
  return ids;
}

test("all that has grown is stored, the newest of each, and nothing after the end", async () => {
  const { ctx, clock } = database;
  const [one = 0, two = 0] = await emptyMessages(2);
  const drafts = createDrafts(ctx);
  for (let step = 0; step <= 100; step++) {
    drafts.grown(one, () => said(`one ${step}`));
    drafts.grown(two, () => said(`two ${step}`));
    await clock.advance(10);
  }
  await clock.advance(1000);
  expect([await textOf(one), await textOf(two)]).toEqual(["one 100", "two 100"]);

  drafts.grown(one, () => said("one, in time"));
  await clock.advance(10);
  drafts.grown(one, () => said("one, too late"));
  await drafts.end(one);
  await clock.advance(1000);
  expect(await textOf(one)).toBe("one, in time");
  await drafts.close();
  expect(clock.pending).toBe(0);
});

test("a draft never replaces what was finished", async () => {
  const { ctx, clock } = database;
  const [one = 0] = await emptyMessages(1);
  const drafts = createDrafts(ctx);
  await updateMessage(ctx, one, { status: "finished", text: "whole" });
  drafts.grown(one, () => said("half"));
  await clock.advance(1000);
  expect(await messageById(ctx, one)).toMatchObject({ status: "finished", text: "whole" });
  await drafts.close();
});

test("a database that fails does not end the writing of other drafts", async () => {
  const { ctx, clock } = database;
  const [one = 0] = await emptyMessages(1);
  const drafts = createDrafts(ctx);
  drafts.grown(one, () => {
    throw new Error("disk full");
  });
  await clock.advance(1000);
  drafts.grown(one, () => said("after"));
  await clock.advance(1000);
  expect(await textOf(one)).toBe("after");
  await drafts.close();
});
