/** The embedded workspace as one piece: a database, an HTTP application, a live channel, and what runs behind them. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { createCatalogue } from "./catalogue.ts";
import type { Random, ServiceContext } from "./context.ts";
import { createHttp, type Handlers } from "./http.ts";
import { openWorkspace } from "./open.ts";
import type { ModelProvider } from "./providers/port.ts";

export interface ServiceOptions {
  readonly dataDir: string;
  readonly providers: readonly ModelProvider[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface Service {
  readonly ctx: ServiceContext;
  /** Answers everything below `/api/v1`. */
  fetch(request: Request): Promise<Response>;
  /** Takes over an upgrade to the live channel. False, with the socket untouched, for any path that is not one. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Sets the REST root that records name, without a trailing slash; whoever listens knows it. */
  setPublicUrl(url: string): void;
  /** Ends running replies, live channels and background work, then the database. */
  close(): Promise<void>;
}

export async function createService(options: ServiceOptions): Promise<Service> {
  const { dataDir, clock, random, log } = options;
  const db = await openWorkspace(dataDir);
  let publicUrl = "";
  const ctx: ServiceContext = { db, clock, random, dataDir, log, publicUrl: () => publicUrl };
  const stopping = new AbortController();
  const catalogue = createCatalogue(ctx, options.providers);
  await catalogue.refresh(stopping.signal);

  const handlers: Handlers = {};
  const fetch = createHttp(ctx, handlers);
  return {
    ctx,
    fetch,
    upgrade: () => false,
    setPublicUrl: (url) => void (publicUrl = url),
    async close() {
      stopping.abort(new Error("the workspace is closing"));
      await db.destroy();
    },
  };
}
