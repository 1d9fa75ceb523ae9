/** The console: a chat of its own on one page, so that Parley can be tried with no account. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { Hono } from "hono";
import type { Kysely } from "kysely";
import type { Clock } from "../../src/clock.ts";
import type { Directory } from "../../src/core/commands/types.ts";
import type { ChatPlatform } from "../../src/core/platform.ts";
import { createApi } from "./api.ts";
import { createChoosing } from "./choosing.ts";
import { createFormRoutes } from "./form-routes.ts";
import { createFormSending } from "./form-sending.ts";
import { createFeed } from "./feed.ts";
import { createFileRoutes } from "./file-routes.ts";
import { createFileStore } from "./files.ts";
import type { Random } from "./ids.ts";
import { consoleLimits } from "./limits.ts";
import { createMessageLog } from "./message-log.ts";
import { createPageRoutes } from "./page-routes.ts";
import { createPlatform } from "./platform.ts";
import type { ConsoleSchema } from "./schema.ts";
import { createSending } from "./sending.ts";
import { createShowing } from "./showing.ts";
import { createGate } from "./token.ts";
import { createWhispers } from "./whispers.ts";

export { consoleMigrations } from "./schema.ts";

export interface ConsoleOptions {
  /** Has had `consoleMigrations`. The console uses the `console_*` tables only. */
  // Every room sees its own tables of the one database.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly db: Kysely<any>;
  /** Where the bytes of files are kept; made when it is missing. */
  readonly filesDir: string;
  readonly directory: Directory;
  readonly clock: Clock;
  /** Fills the bytes it is given; cryptographic in production. */
  readonly random: Random;
  readonly log: { error(fields: object, text: string): void };
  /** Asked for before anything is shown; undefined on a loopback address only. */
  readonly token?: string;
}

export interface Console {
  readonly platform: ChatPlatform;
  /** To be mounted at "/": serves `/`, `/assets/*` and `/console/*`, and nothing else. */
  readonly app: Hono;
  /** Takes over a connection to `/console/ws`. False: not the console's. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Ends every page's connection. The pages keep trying to come back. */
  close(): Promise<void>;
}

export function createConsole(options: ConsoleOptions): Console {
  const { directory, clock, random } = options;
  const db = options.db as Kysely<ConsoleSchema>;
  const log = createMessageLog(db, clock);
  const files = createFileStore({ db, dir: options.filesDir, limitBytes: consoleLimits.fileBytes, clock, random });
  const feed = createFeed({ clock, random });
  const whispers = createWhispers(feed);
  const showing = createShowing(log, files, feed);
  const sending = createSending({ log, files, showing, whispers, clock });
  const gate = createGate(options.token);

  const app = new Hono();
  app.onError((error, c) => {
    options.log.error({ err: error, path: c.req.path }, "a request of the console failed");
    return c.json({ error: "Something went wrong in the console. The log has the reason." }, 500);
  });
  app.use("/console/*", async (c, next) => {
    c.header("x-content-type-options", "nosniff");
    c.header("referrer-policy", "no-referrer");
    c.header("cache-control", "no-store");
    if (gate.admits(c.req.header("cookie"))) return next();
    return c.json({ error: "The console asks for its password: load the page again." }, 401);
  });
  app.route("/", createPageRoutes(gate));
  app.route("/console/api/files", createFileRoutes(files));
  const forms = createFormSending({ directory, inbox: () => sending.inbox(), personName: () => log.personName(), clock });
  app.route("/console/api/forms", createFormRoutes(forms));
  const choosing = createChoosing({ directory, inbox: () => sending.inbox(), log, files, clock });
  app.route("/console/api", createApi({ log, files, sending, choosing, whispers, feed, directory }));

  return {
    platform: createPlatform({ log, files, sending, showing, whispers, clock, random }),
    app,
    upgrade(request, socket, head) {
      if (new URL(request.url ?? "/", "http://localhost").pathname !== "/console/ws") return false;
      if (gate.admits(request.headers.cookie)) feed.accept(request, socket, head);
      else socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      return true;
    },
    close: () => feed.close(),
  };
}
