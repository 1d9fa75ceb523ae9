import { expect, test } from "vitest";
import { formKeptMs } from "../../../src/core/forms/book.ts";
import { openForms } from "../../../src/store/forms.ts";
import { fakeClock } from "../../fakes/clock.ts";
import { openStore } from "../../store/open.ts";

test("a form is kept for a day, also when it was sent meanwhile", async () => {
  const opened = await openStore();
  const clock = fakeClock();
  const forms = openForms(opened.db, opened.cipher, clock);
  const draft = { title: "Tea", submit: "Order", open: "Order", fields: [], purpose: { kind: "tea", data: null } };
  const place = { platform: "fake", tenant: "t", channel: "c", thread: null };
  const kept = await forms.offer(draft, { person: { id: "u1", name: "Ann" }, place }, 5);
  await clock.advance(formKeptMs - 1);
  expect(await forms.spend(kept, "s1")).toBe(true);
  expect(await forms.spend({ ...kept, spentBy: "s1" }, "s2")).toBe(false);
  expect(await forms.find(kept.id)).toMatchObject({ spentBy: "s1" });
  await clock.advance(1);
  expect(await forms.find(kept.id)).toBeUndefined();
  await opened.close();
});
