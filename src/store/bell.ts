/** Rings between replicas, over the database's channel. */
import { randomUUID } from "node:crypto";
import type { Bell, Ring } from "../core/bell.ts";
import type { Channel } from "../database/channel.ts";
import { reasonOf } from "../errors.ts";

interface Sent {
  readonly from: string;
  readonly ring: Ring;
}

export function createBell(channel: Channel, log: { warn(fields: object, text: string): void }): Bell {
  const me = randomUUID();
  return {
    ring(ring) {
      channel
        .send(JSON.stringify({ from: me, ring } satisfies Sent))
        .catch((thrown: unknown) =>
          log.warn({ reason: reasonOf(thrown) }, "other replicas could not be told; they find it by looking"),
        );
    },
    listen(heard, missed) {
      channel.listen((text) => {
        const { from, ring } = JSON.parse(text) as Sent;
        if (from !== me) heard(ring);
      }, missed);
    },
  };
}
