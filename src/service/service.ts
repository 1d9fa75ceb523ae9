/** The embedded workspace as one piece: a database, an HTTP application, a live channel, and what runs behind them. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { sleep, type Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { agentHandlers } from "./agents/routes.ts";
import { agentTools } from "./agents/tools.ts";
import { createCatalogue } from "./catalogue.ts";
import type { Random, ServiceContext } from "./context.ts";
import { createDrafts } from "./conversations/drafts.ts";
import { repairMessages } from "./conversations/repair.ts";
import { conversationHandlers } from "./conversations/routes.ts";
import { conversationTools } from "./conversations/tools.ts";
import { createRunning } from "./conversations/running.ts";
import type { SendContext } from "./conversations/send.ts";
import { fileHandlers } from "./files/routes.ts";
import { sweepObjects } from "./files/sweep.ts";
import { fileTools } from "./files/tools.ts";
import { createHttp } from "./http.ts";
import { createLiveChannel } from "./live/channel.ts";
import { createHub } from "./live/hub.ts";
import { openMedia } from "./media/media.ts";
import { mediaHandlers } from "./media/routes.ts";
import { mediaTools } from "./media/tools.ts";
import { modelHandlers } from "./model-routes.ts";
import { modelTools } from "./model-tools.ts";
import { openWorkspace } from "./open.ts";
import { projectHandlers } from "./projects/routes.ts";
import { projectTools } from "./projects/tools.ts";
import type { MediaProvider } from "./providers/media/port.ts";
import { promptHandlers } from "./prompts/routes.ts";
import { promptRunHandlers } from "./prompts/run-routes.ts";
import { promptTools } from "./prompts/tools.ts";
import type { ModelProvider } from "./providers/port.ts";
import { createReader } from "./reading/reader.ts";
import type { Refreshing } from "./refreshing.ts";
import { runHandlers, runTools } from "./run.ts";
import { createToolServer, toolRoot } from "./tools/server.ts";

export interface ServiceOptions {
  readonly dataDir: string;
  readonly providers: readonly ModelProvider[];
  /** Who makes pictures, films, speech, music and transcripts; without it nobody does. */
  readonly media?: readonly MediaProvider[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Bytes of one uploaded file at most; without it the default of the files' routes. */
  readonly fileBytes?: number;
}

export interface Service {
  readonly ctx: ServiceContext;
  /** Answers everything below `/api/v1`, and the tool server at `/mcp/`. */
  fetch(request: Request): Promise<Response>;
  /** Takes over an upgrade to the live channel. False, with the socket untouched, for any path that is not one. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Sets the REST root that records name, without a trailing slash; whoever listens knows it. */
  setPublicUrl(url: string): void;
  /** Asks the providers for their models now, instead of at the next regular time. */
  refreshModels(): Promise<void>;
  /** Ends running replies, live channels and background work, then the database. */
  close(): Promise<void>;
}

/** How long the start waits for providers to list their models, in ms; a slow one's models come when they come. */
const firstCatalogueMs = 3000;

interface Started {
  /** The first catalogue is there, or the start has waited long enough for it. */
  readonly ready: Promise<unknown>;
  /** The refreshing has ended, as the signal asked. */
  readonly ended: Promise<void>;
}

function startCatalogue(ctx: ServiceContext, catalogue: Refreshing, signal: AbortSignal): Started {
  const first = catalogue.refresh(signal);
  const refresh = async (): Promise<void> => {
    try {
      await first;
      await catalogue.keepFresh(signal);
    } catch (error) {
      if (!signal.aborted) ctx.log.error({ error }, "the model catalogue is no longer refreshed");
    }
  };
  const enough = new AbortController();
  const patience = sleep(ctx.clock, firstCatalogueMs, enough.signal).catch(() => undefined);
  return { ready: Promise.race([first, patience]).finally(() => enough.abort()), ended: refresh() };
}

/**
 * Opens the workspace in `dataDir`: makes or migrates its database, and finishes what an earlier process left unfinished.
 * One process at a time; the command line may open the database beside it.
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const db = await openWorkspace(options.dataDir);
  try {
    return await assemble(options, db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

async function assemble(options: ServiceOptions, db: ServiceContext["db"]): Promise<Service> {
  const { dataDir, clock, random, log } = options;
  let publicUrl = "";
  const ctx: ServiceContext = { db, clock, random, dataDir, log, publicUrl: () => publicUrl };
  await repairMessages(ctx);
  await sweepObjects(ctx);

  const stopping = new AbortController();
  const catalogue = createCatalogue(ctx, options.providers);
  const media = openMedia(ctx, options.media ?? []);
  const refreshing = [catalogue, media.catalogue].map((one) => startCatalogue(ctx, one, stopping.signal));
  await Promise.all(refreshing.map(({ ready }) => ready));
  await media.runner.resume();
  const hub = createHub();
  const running = createRunning();
  const drafts = createDrafts(ctx);
  const live = createLiveChannel(ctx, hub);
  const sendContext: SendContext = { ...ctx, catalogue, hub, running, drafts, reader: createReader({ clock }) };
  const rest = createHttp(ctx, {
    ...modelHandlers,
    ...runHandlers(catalogue),
    ...conversationHandlers(sendContext),
    ...agentHandlers,
    ...fileHandlers(options.fileBytes === undefined ? {} : { fileBytes: options.fileBytes }),
    ...projectHandlers,
    ...mediaHandlers(media),
    ...promptHandlers,
    ...promptRunHandlers(sendContext),
  });
  const toolServer = createToolServer(ctx, {
    ...modelTools,
    ...runTools(catalogue),
    ...conversationTools(sendContext),
    ...agentTools,
    ...fileTools,
    ...projectTools,
    ...promptTools(sendContext),
    ...mediaTools(media),
  });
  return {
    ctx,
    fetch: (request) => (new URL(request.url).pathname.startsWith(toolRoot) ? toolServer.fetch(request) : rest(request)),
    upgrade: (request, socket, head) => live.upgrade(request, socket, head),
    setPublicUrl: (url) => void (publicUrl = url),
    async refreshModels() {
      await Promise.all([catalogue.refresh(stopping.signal), media.catalogue.refresh(stopping.signal)]);
    },
    async close() {
      stopping.abort(new Error("the workspace is closing"));
      await toolServer.close();
      await running.close();
      await media.runner.close();
      await drafts.close();
      live.close();
      await Promise.all(refreshing.map(({ ended }) => ended));
      await db.destroy();
    },
  };
}
