/** The live channel: WebSockets at `/conversation/:id/ws`, with the key and its permission checked before the upgrade. */
import type { IncomingMessage } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import type { Cancel } from "../../clock.ts";
import { errorTexts } from "../../contract/errors.ts";
import { isNumericId } from "../../contract/identifiers.ts";
import { routeOf } from "../../contract/routes.ts";
import { authenticate } from "../authenticate.ts";
import type { ServiceContext } from "../context.ts";
import { wholeMessage } from "../conversations/record.ts";
import { conversationOf, unfinishedMessages } from "../conversations/store.ts";
import { HttpError } from "../http-error.ts";
import { answerTo, checkPermission, correlationId, restRoot } from "../http.ts";
import type { Hub } from "./hub.ts";
import { socketFollower } from "./socket.ts";

export interface LiveChannel {
  /** Takes over an upgrade to the live channel. False, with the socket untouched, for any other path. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Ends every connection. */
  close(): void;
}

const route = routeOf("GET /conversation/:id/ws");
const path = new RegExp(`^${restRoot}/conversation/([^/?]+)/ws(?:\\?|$)`);

/** A reader is asked for a sign of life this often, in ms, and is gone when the next question finds the last one unanswered. */
const heartbeatMs = 10_000;
/** Readers have nothing to say; what they may send at most, in bytes. */
const inboundLimit = 4096;

/** The conversation that an upgrade may follow. Throws HttpError like any route. */
async function permitted(ctx: ServiceContext, request: IncomingMessage, id: string): Promise<number> {
  const caller = await authenticate(ctx, request.headers.authorization ?? null);
  checkPermission(route, caller);
  if (!isNumericId(id)) throw new HttpError(400, "expected the numeric ID of a conversation");
  const conversation = await conversationOf(ctx, caller.userId, id);
  if (conversation === undefined) throw new HttpError(404, errorTexts.conversationNotFound);
  return conversation.id;
}

async function refuse(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ""}`;
  socket.end([status, ...headers, `content-length: ${Buffer.byteLength(body)}`, "connection: close", "", body].join("\r\n"));
}

export function createLiveChannel(ctx: ServiceContext, hub: Hub): LiveChannel {
  const correlations = new WeakMap<IncomingMessage, string>();
  const server = new WebSocketServer({ noServer: true, maxPayload: inboundLimit, perMessageDeflate: false });
  server.on("headers", (headers, request) => headers.push(`X-Correlation-ID: ${correlations.get(request) ?? ""}`));

  const silent = new WeakSet<WebSocket>();
  let cancelBeat: Cancel | undefined;
  const beat = (): void => {
    cancelBeat = undefined;
    for (const socket of server.clients) {
      if (silent.has(socket)) socket.terminate();
      else {
        silent.add(socket);
        socket.ping();
      }
    }
    if (server.clients.size > 0) cancelBeat = ctx.clock.after(heartbeatMs, beat);
  };

  const follow = async (conversationId: number, socket: WebSocket): Promise<void> => {
    const follower = socketFollower(socket);
    const shown = new Set<number>();
    const leave = hub.follow(conversationId, {
      show: (message) => {
        shown.add(message.ID);
        follower.show(message);
      },
      end: () => follower.end(),
    });
    socket.on("close", leave);
    socket.on("pong", () => void silent.delete(socket));
    // A broken connection ends with "close", which is all that matters of it.
    socket.on("error", (error) => ctx.log.debug({ error }, "a live channel broke"));
    cancelBeat ??= ctx.clock.after(heartbeatMs, beat);
    // What is being made right now is shown at once, not only when it next grows.
    for (const row of await unfinishedMessages(ctx, conversationId)) {
      const message = await wholeMessage(ctx, row);
      // What was published while this was read is newer.
      if (!shown.has(message.ID)) follower.show(message);
    }
  };

  const accept = async (request: IncomingMessage, socket: Duplex, head: Buffer, id: string): Promise<void> => {
    const correlation = correlationId(ctx);
    correlations.set(request, correlation);
    const onBroken = (): void => void socket.destroy();
    socket.on("error", onBroken);
    try {
      const conversationId = await permitted(ctx, request, id);
      socket.off("error", onBroken);
      server.handleUpgrade(request, socket, head, (opened) => {
        follow(conversationId, opened).catch((error: unknown) => {
          ctx.log.error({ error, correlation }, "a live channel could not be opened");
          opened.terminate();
        });
      });
    } catch (thrown) {
      const response = answerTo(thrown, ctx, { correlation, route: `${route.method} ${route.path}` });
      response.headers.set("X-Correlation-ID", correlation);
      await refuse(socket, response);
    }
  };

  return {
    upgrade(request, socket, head) {
      const id = path.exec(request.url ?? "")?.[1];
      if (id === undefined) return false;
      void accept(request, socket, head, id);
      return true;
    },
    close() {
      cancelBeat?.();
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
