/** Turns the contract's route table into an HTTP application: who calls, whether they may, and every answer's correlation id. */
import { Hono } from "hono";
import type { z } from "zod";
import { errorTexts, missingPermissions } from "../contract/errors.ts";
import { routes, type Route, type ServedRoute } from "../contract/routes.ts";
import { authenticate } from "./authenticate.ts";
import { readBody } from "./body.ts";
import type { Caller, ServiceContext } from "./context.ts";
import { HttpError } from "./http-error.ts";
import { json, pageOf, type PageRequest } from "./responses.ts";

export const restRoot = "/api/v1";

/** One request to a route that needs no key. */
interface OpenCall {
  readonly ctx: ServiceContext;
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly page: PageRequest;
  /** A `:name` part of the path, decoded. */
  readonly param: (name: string) => string;
  /** The checked JSON body. */
  readonly body: <T extends z.ZodType>(schema: T) => Promise<z.output<T>>;
}

/** One request with a key that may use the route. */
export interface Call extends OpenCall {
  readonly caller: Caller;
}

/** Routes whose table entry asks for no permission. */
type OpenRoute = "GET /public/file/:slug" | "GET /storage/:key";

/** A room's handlers by route; `service.ts` joins them. */
export type Handlers = {
  readonly [K in ServedRoute]?: (call: K extends OpenRoute ? OpenCall : Call) => Promise<Response> | Response;
};
type Handler = (call: Call) => Promise<Response> | Response;

/** Throws HttpError 403 unless `caller` holds one of the permissions that `route` asks for. */
export function checkPermission(route: Route, caller: Caller): void {
  if (route.permissions.some((permission) => caller.permissions.has(permission))) return;
  throw new HttpError(403, missingPermissions(route.permissions));
}

/** A reference that finds this answer again in the log. */
export const correlationId = (ctx: ServiceContext): string => Buffer.from(ctx.random(new Uint8Array(12))).toString("hex");

/** The answer to anything thrown: an HttpError as it says, all else 500 with the reason kept in the log. */
export function answerTo(thrown: unknown, ctx: ServiceContext, where: { correlation: string; route: string }): Response {
  if (thrown instanceof HttpError) return json(thrown.status, thrown.body);
  ctx.log.error({ error: thrown, ...where }, "a workspace request failed");
  return json(500, { error: "internal server error" });
}

/** What `work` answers to `request`, or what it throws, with a correlation id of its own. */
export async function correlated(
  ctx: ServiceContext,
  request: Request,
  work: (correlation: string) => Response | Promise<Response>,
): Promise<Response> {
  const correlation = correlationId(ctx);
  let response: Response;
  try {
    response = await work(correlation);
  } catch (thrown) {
    response = answerTo(thrown, ctx, { correlation, route: `${request.method} ${new URL(request.url).pathname}` });
  }
  response.headers.set("X-Correlation-ID", correlation);
  return response;
}

async function answer(ctx: ServiceContext, route: Route, handler: Handler | undefined, call: OpenCall): Promise<Response> {
  const open = route.permissions.length === 0 && route.status !== "closed";
  // An open route's handler takes an OpenCall; the type of `Handlers` holds it to that.
  if (open && handler !== undefined) return handler(call as Call);
  const caller = await authenticate(ctx, call.request.headers.get("authorization"));
  if (route.status === "closed") throw new HttpError(403, errorTexts.closedRoute);
  checkPermission(route, caller);
  if (handler === undefined) {
    throw new HttpError(501, `${route.method} ${route.path} is not served by this version of the embedded workspace`);
  }
  return handler({ ...call, caller });
}

/** The application for everything below `restRoot`. Throws a RangeError when a served route has no handler. Fixed paths come before `/:id` because the table has them in that order. */
export function createHttp(ctx: ServiceContext, handlers: Handlers): (request: Request) => Promise<Response> {
  const app = new Hono().basePath(restRoot);
  for (const route of routes) {
    const key = `${route.method} ${route.path}`;
    const handler = (handlers as Record<string, Handler | undefined>)[key];
    if (route.status === "served" && handler === undefined) throw new RangeError(`expected a handler for ${key}, got none`);
    app.on(route.method, route.path, (context) => {
      const request = context.req.raw;
      const query = new URL(request.url).searchParams;
      return answer(ctx, route, handler, {
        ctx,
        request,
        query,
        page: pageOf(query),
        param: (name) => context.req.param(name) ?? "",
        body: (schema) => readBody(request, schema),
      });
    });
  }
  // Hono would answer by itself; the answer has to carry the correlation id that the log names.
  app.onError((thrown) => {
    throw thrown;
  });
  app.notFound(() => json(404, { error: "there is no such route" }));
  return (request) => correlated(ctx, request, () => app.fetch(request));
}
