/** Discord's token, the tokens of interactions and people's words are found in no log line of any level, no row and no byte of the store. */
import { afterEach, expect, it } from "vitest";
import { openWorld, type World } from "./world.ts";

let world: World;
afterEach(() => world.close());

it("keeps tokens and words to itself, also over a restart", async () => {
  world = await openWorld();
  const { fake, general, ann, ben, answers, shows, until } = world;
  const said = ann.says(general, `${fake.mention} canary-question`, {
    files: [{ name: "canary-name.txt", bytes: Buffer.from("canary-content") }],
  });
  await answers("canary-answer");
  await shows(said.id, "canary-answer");
  const run = ben.runs(general, "ask", { question: "canary-asked" });
  await fake.acknowledged(run);
  await answers("canary-second");
  await world.restart();
  await fake.acknowledged(ann.runs(general, "model", { model: "canary-model" }));
  await until(() => fake.whispers(ann).some(({ content }) => content.includes("canary-model")));
  const secrets = ["canary", fake.token, ...[...fake.interactions.values()].map(({ token }) => token)];
  expect(secrets.length).toBeGreaterThanOrEqual(4);
  const places = { log: world.log.join(""), store: await world.dump() };
  for (const [place, text] of Object.entries(places)) {
    expect(text.length).toBeGreaterThan(100);
    for (const secret of secrets) expect.soft(text.includes(secret) ? `${secret} in ${place}` : "nothing").toBe("nothing");
  }
});

it("forgets who asks, tells them so by their interaction, and keeps nothing of it either", async () => {
  world = await openWorld();
  const { fake, general, ann, answers, shows, until } = world;
  const said = ann.says(general, `${fake.mention} remember this`);
  await answers("I do.");
  await shows(said.id, "I do.");
  await fake.acknowledged(ann.runs(general, "forget"));
  const asked = await until(() =>
    fake.whispers(ann).find(({ content }) => content.includes("This deletes what Parley holds of you")),
  );
  await fake.acknowledged(ann.presses(asked, "Forget me"));
  await until(() => fake.whispers(ann).some(({ content }) => content.includes("Parley has deleted what it held of you")));
  await until(() => world.log.some((line) => line.includes('"outcome":"done"')));
  await expect.poll(() => rowsOf(world)).not.toContain(ann.user.id);
});

/** The rows, without the files' bytes, where deleted ones are overwritten later. */
const rowsOf = async (of: World): Promise<string> => (await of.dump()).split("SQLite format 3")[0] ?? "";
