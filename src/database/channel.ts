/** Short texts from one process to all others on the same PostgreSQL and schema, by LISTEN and NOTIFY. */
import { sql, type Kysely } from "kysely";
import type { Client } from "pg";
import { sleep, type Clock } from "../clock.ts";
import { Fault, reasonOf } from "../errors.ts";
import { connectionOf } from "./postgres.ts";

export interface Channel {
  /** Sends to everybody who listens, this process too. Throws when the database does not take it. */
  send(text: string): Promise<void>;
  /** @param missed a connection was made anew: texts of the time before may be lost */
  listen(heard: (text: string) => void, missed: () => void): void;
  close(): Promise<void>;
}

/** How often the connection that listens is tried, in ms: one that froze says nothing by itself. */
const tryMs = 5_000;
/** An answer that takes longer than this, in ms, is none. */
const answerMs = 2_000;
/** Before a broken connection is made anew, in ms; doubled at each try. */
const againMs = 250;
const againLimitMs = 5_000;

export interface ChannelOptions {
  /** Statements go over it; the connection that listens is one of its own. */
  // Of any schema: no table is asked.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly db: Kysely<any>;
  readonly url: string;
  readonly clock: Clock;
  readonly log: { warn(fields: object, text: string): void };
}

/** SQL of a name for this schema, so that several Parleys in one database do not hear each other. */
const name = "'parley_' || md5(current_schema())";

export function openChannel({ db, url, clock, log }: ChannelOptions): Channel {
  const closing = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const hear = async (client: Client, heard: (text: string) => void, onOpen: () => void): Promise<void> => {
    const broken = Promise.withResolvers<never>();
    broken.promise.catch(() => {});
    client.on("error", (error) => broken.reject(error));
    client.on("end", () => broken.reject(new Fault("channel_closed", "the connection was closed")));
    client.on("notification", ({ payload }) => heard(payload ?? ""));
    await client.connect();
    const { rows } = await client.query<{ name: string }>(`select ${name} as name`);
    await client.query(`listen "${rows[0]?.name ?? ""}"`);
    onOpen();
    while (!closing.signal.aborted) {
      await Promise.race([sleep(clock, tryMs, closing.signal), broken.promise]);
      await Promise.race([client.query("select 1"), broken.promise]);
    }
  };

  const keepHearing = async (heard: (text: string) => void, missed: () => void): Promise<void> => {
    const { default: pg } = await import("pg");
    let wait = againMs;
    while (!closing.signal.aborted) {
      const client = new pg.Client({
        ...(await connectionOf(url)),
        connectionTimeoutMillis: answerMs,
        query_timeout: answerMs,
      });
      const stop = (): void => void client.end().catch(() => {});
      closing.signal.addEventListener("abort", stop, { once: true });
      try {
        await hear(client, heard, () => {
          wait = againMs;
          missed();
        });
      } catch (thrown) {
        if (closing.signal.aborted) return;
        log.warn({ reason: reasonOf(thrown) }, "what other replicas tell cannot be heard; it is found by looking, until it can");
      } finally {
        closing.signal.removeEventListener("abort", stop);
        client.removeAllListeners();
        client.on("error", () => {});
        void client.end().catch(() => {});
      }
      await sleep(clock, wait, closing.signal).catch(() => {});
      wait = Math.min(wait * 2, againLimitMs);
    }
  };

  return {
    async send(text) {
      await sql`select pg_notify(${sql.raw(name)}, ${text})`.execute(db);
    },
    listen(heard, missed) {
      running = keepHearing(heard, missed);
    },
    async close() {
      closing.abort(new Fault("channel_closed", "this process is stopping"));
      await running;
    },
  };
}
