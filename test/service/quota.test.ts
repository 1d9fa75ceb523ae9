import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureOwner, readQuota, setQuota } from "../../src/service/accounts.ts";
import { charge, checkQuota, costOf } from "../../src/service/quota.ts";
import { testProvider } from "../workspace/provider.ts";
import { openDatabase, type TestDatabase } from "./database.ts";

let database: TestDatabase;
let owner: number;
beforeEach(async () => {
  database = await openDatabase();
  owner = (await ensureOwner(database.ctx)).id;
});
afterEach(() => database.close());

test("the cost is tokens by price by multiplier, exactly", async () => {
  const [entry] = await testProvider().catalogue(new AbortController().signal);
  if (entry === undefined) throw new Error("expected a test model");
  const priced = {
    ...entry,
    credit_cost_per_input_token: "0.0001",
    credit_cost_per_output_token: "0.0000003",
    multiplier: "1.1",
  };
  expect(costOf(priced, { inputTokens: 3, outputTokens: 1_000_001 })).toBe("0.33033033");
  expect(costOf(priced, { inputTokens: 0, outputTokens: 0 })).toBe("0");
});

test("charges at the same time are all counted, to the last digit", async () => {
  await Promise.all(Array.from({ length: 30 }, () => charge(database.ctx, owner, "0.1")));
  await charge(database.ctx, owner, "0.000000000000000000001");
  expect((await readQuota(database.ctx, "owner")).used).toBe("3.000000000000000000001");
});

test("credits end exactly at the limit; a reason ends them before", async () => {
  const { ctx } = database;
  await expect(checkQuota(ctx, owner)).resolves.toBeUndefined();
  await setQuota(ctx, "owner", { limit: "1", used: "0.999999999999999999" });
  await expect(checkQuota(ctx, owner)).resolves.toBeUndefined();
  await charge(ctx, owner, "0.000000000000000001");
  await expect(checkQuota(ctx, owner)).rejects.toMatchObject({
    status: 429,
    body: { error: "Quota exceeded", reason: "credit_count" },
  });
  await setQuota(ctx, "owner", { limit: null, reason: "trial_expired" });
  await expect(checkQuota(ctx, owner)).rejects.toMatchObject({ body: { reason: "trial_expired" } });
  await setQuota(ctx, "owner", { reason: null });
  await expect(checkQuota(ctx, owner)).resolves.toBeUndefined();
});

test.for(["-1", "many", "1,5", "", "NaN"])("%j is no amount of credits", async (limit) => {
  await expect(setQuota(database.ctx, "owner", { limit })).rejects.toMatchObject({ code: "quota_amount" });
  expect((await readQuota(database.ctx, "owner")).limit).toBeNull();
});

test("a quota belongs to a user that exists", async () => {
  await expect(readQuota(database.ctx, "nobody")).rejects.toMatchObject({ code: "user_unknown" });
});
