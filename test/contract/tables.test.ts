/** The tables hold every route and tool of the interface, and every served route has its client method. */
import { describe, expect, test } from "vitest";
import { inertPermissions, isPermission, permissions, staffPermissions } from "../../src/contract/permissions.ts";
import { documentedRoutes, routeOf, routes, undocumentedRoutes, type ServedRoute } from "../../src/contract/routes.ts";
import { servedTools, tools } from "../../src/contract/tools.ts";
import { missingPermissions } from "../../src/contract/errors.ts";
import { clientOf, httpServer } from "../client/raw-server.ts";
import { callsByRoute } from "./calls.ts";

const keyOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const served = routes.filter(({ status }) => status === "served").map((route) => keyOf(route) as ServedRoute);

describe("routes", () => {
  test("113 are documented, each once", () => {
    expect(documentedRoutes).toHaveLength(113);
    expect(new Set(routes.map(keyOf)).size).toBe(routes.length);
  });

  test("only those are marked as undocumented that are ours, or of which nothing but the permissions is shown", () => {
    expect(undocumentedRoutes.map(keyOf)).toEqual(["POST /conversation/:id/stop", "GET /storage/:key"]);
    const marked = routes.filter(({ undocumented }) => undocumented === true);
    const hidden = documentedRoutes.filter(({ path }) => /^\/(tts_generation|transcription)(_model)?\b/.test(path));
    expect(hidden).toHaveLength(12);
    expect(marked).toEqual([...hidden, ...undocumentedRoutes]);
  });

  test("fixed paths come before the placeholder that would take them", () => {
    const taken = routes.filter((route, index) =>
      routes
        .slice(0, index)
        .some(
          (earlier) =>
            earlier.method === route.method &&
            !route.path.includes(":") &&
            new RegExp(`^${earlier.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(route.path),
        ),
    );
    expect(taken.map(keyOf)).toEqual([]);
  });

  test("every route but the public ones asks for a permission that a key may hold, and none for one that unlocks nothing", () => {
    for (const route of routes) {
      for (const permission of route.permissions) {
        expect(isPermission(permission)).toBe(true);
        expect(inertPermissions).not.toContain(permission);
      }
    }
    expect(routes.filter(({ permissions: needed }) => needed.length === 0).map(keyOf)).toEqual([
      "GET /prompt/:id",
      "GET /public/file/:slug",
      "GET /storage/:key",
    ]);
  });

  test("a name that is not in the table is a mistake", () => {
    expect(() => routeOf("GET /nothing" as ServedRoute)).toThrow("GET /nothing");
  });
});

describe("tools and permissions", () => {
  test("60 tools, each once, each with one permission", () => {
    expect(tools).toHaveLength(60);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(60);
    for (const { permission } of tools) expect(permissions).toContain(permission);
  });

  test("a tool that is served is one of them", () => {
    const names = tools.map(({ name }) => name);
    expect(servedTools.filter((name) => !names.includes(name))).toEqual([]);
    expect(
      tools
        .filter(({ status }) => status === "served")
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([...servedTools].toSorted());
  });

  test("permissions come once, staff-only ones are none of them, inert ones are", () => {
    expect(new Set(permissions).size).toBe(permissions.length);
    for (const staff of staffPermissions) expect(isPermission(staff)).toBe(false);
    for (const inert of inertPermissions) expect(isPermission(inert)).toBe(true);
  });

  test("the refusal names what would do", () => {
    expect(missingPermissions(["agents_get", "agents_manage"])).toBe(
      "This api key does not have any of the required permissions. You need at least one of: agents_get, agents_manage",
    );
  });
});

describe("the client", () => {
  test("has a call for every served route, and no other", () => {
    expect(Object.keys(callsByRoute).toSorted()).toEqual([...served].toSorted());
  });

  test.for(served)("%s is what its call asks for", async (key) => {
    const asked: string[] = [];
    const server = await httpServer((request, response) => {
      asked.push(`${request.method} ${new URL(request.url ?? "", "http://any").pathname}`);
      request.resume();
      response.writeHead(418).end();
    });
    // Refused on purpose: only what was asked for matters here.
    await callsByRoute[key](clientOf(server), 12).then(
      () => expect.unreachable(),
      () => undefined,
    );
    const { method, path } = routeOf(key);
    expect(asked).toEqual([`${method} /api/v1${path.replace(/:\w+/, "12")}`]);
  });
});
