import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { createCipher } from "../../src/store/cipher.ts";
import { createMap } from "../../src/store/key-values.ts";
import { createSealedMap } from "../../src/store/sealed-map.ts";
import { fakeClock } from "../fakes/clock.ts";
import { overBoth } from "./open.ts";

overBoth((openStore) => {
  test("secrets come back, are nowhere in the database, and end", async () => {
    const clock = fakeClock();
    const opened = await openStore();
    onTestFinished(() => opened.close());
    const cipher = createCipher(randomBytes(32));
    const map = createSealedMap<{ token: string }>(
      createMap<string>(opened.db, clock, "discord-tokens"),
      cipher,
      "discord-tokens",
    );
    await map.set("a", { token: "very-secret" }, 1_000);
    expect(await map.get("a")).toEqual({ token: "very-secret" });
    expect(await map.get("b")).toBeUndefined();
    expect(JSON.stringify(await opened.db.selectFrom("key_values").selectAll().execute())).not.toContain("very-secret");
    await clock.advance(10_000);
    expect(await map.get("a")).toBeUndefined();
  });
});
