/** Two Parleys that Slack may send to, on one PostgreSQL. */
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/clock.ts";
import { signatureOf } from "../fakes/slack/delivery.ts";
import { mention } from "../fakes/slack/people.ts";
import { openPostgresStore, type Opened } from "../store/open.ts";
import { hasPostgres } from "../store/postgres.ts";
import { openWorld, type World } from "./world.ts";

let store: Opened;
let worlds: readonly World[];
afterEach(async () => {
  await Promise.all(worlds.map((world) => world.close()));
  await store.close();
});

describe.skipIf(!hasPostgres)("two replicas", () => {
  it("take an event that is sent to both of them a hundred times as one turn", async () => {
    store = await openPostgresStore();
    worlds = await Promise.all(
      [1, 2].map(async () => {
        const shared = await store.again();
        return openWorld("http", { store: { ...shared, close: () => shared.close({ keep: true }) } });
      }),
    );
    const body = JSON.stringify({
      type: "event_callback",
      team_id: "T0ACME",
      event_id: "Ev1",
      event: {
        type: "message",
        channel: "C0GENERAL",
        channel_type: "channel",
        user: "U0ANN",
        ts: "1700000000.000100",
        text: `${mention} once`,
      },
    });
    const timestamp = String(Math.floor(systemClock.now() / 1_000));
    const headers = {
      "content-type": "application/json",
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": signatureOf(body, timestamp),
    };
    const send = async ({ slack }: World): Promise<number> =>
      (await fetch(slack.requestUrl, { method: "POST", body, headers })).status;
    const statuses = await Promise.all(Array.from({ length: 100 }, () => worlds.map(send)).flat());
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(worlds.map(({ received }) => received.length)).toEqual([100, 100]);
    const rows = await store.db.selectFrom("turns").select(["key", "kind"]).execute();
    expect(rows).toEqual([{ key: "slack:T0ACME:C0GENERAL:1700000000.000100:message", kind: "message" }]);
    const asked = () => worlds.flatMap(({ workspace }) => [...workspace.held.keys()]).length;
    await expect.poll(asked).toBe(1);
  });
});
