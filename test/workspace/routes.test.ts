/** The walk over the route table against the real service: every route works, and refuses whom it must with the interface's texts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorTexts, missingPermissions } from "../../src/contract/errors.ts";
import { permissions, staffPermissions, type Permission } from "../../src/contract/permissions.ts";
import { routeOf, routes, type Route, type ServedRoute } from "../../src/contract/routes.ts";
import { revokeKey, listKeys, setKeyPermissions, setQuota, createUser, createKey } from "../../src/service/admin.ts";
import { callsByRoute } from "../contract/calls.ts";
import { bytesOf, faultOf, startWorkspace, textOf, uploadText, type TestWorkspace } from "./server.ts";

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.close());

const keyOf = ({ method, path }: Route): string => `${method} ${path}`;
const filled = ({ path }: Route): string => path.replaceAll(/:\w+/g, "1");
const served = routes.filter(({ status }) => status === "served");
const guarded = routes.filter(({ permissions: needed, status }) => needed.length > 0 || status === "closed");

const started = async (message = "hello"): Promise<number> => {
  const { conversationId } = await workspace.owner.conversations.startAndWait({ message, ai_model_id: 1 });
  return conversationId;
};
const failed = async (): Promise<{ id: number; messageId: number }> => {
  await faultOf(workspace.owner.conversations.startAndWait({ message: "fail", ai_model_id: 1 }));
  const id = (await workspace.owner.conversations.list()).items[0]!.ID;
  return { id, messageId: (await workspace.owner.conversations.messages(id)).items[0]!.ID };
};
const agent = async (): Promise<number> => (await workspace.owner.agents.create({ name: "Ada", ai_model_id: 1 })).ID;
const project = async (): Promise<number> => (await workspace.owner.projects.create({ name: "Harbour" })).ID;
const file = (): Promise<number> => uploadText(workspace.owner, "a.txt", "text");

/** For each served route a call that succeeds, and a look at its answer. */
const works: Readonly<Record<ServedRoute, () => Promise<unknown>>> = {
  "GET /ai_model": async () => expect((await workspace.owner.models.list()).length).toBe(5),
  "GET /ai_model/filters": async () => expect((await workspace.owner.models.filters()).powered_by).toEqual(["Tests", "Others"]),
  "GET /ai_model/restricted": async () => expect(await workspace.owner.models.restricted()).toEqual([]),
  "GET /ai_model/:id": async () => expect((await workspace.owner.models.get(1)).name).toBe("Plain"),
  "POST /run": async () => expect((await workspace.owner.run("hi", { modelId: 1 })).text).toBe("You said: hi"),
  "POST /conversation": async () => expect(await started()).toBeGreaterThan(0),
  "POST /conversation/stream": async () =>
    expect((await workspace.owner.conversations.start({ message: "hi", ai_model_id: 1 })).conversationId).toBeGreaterThan(0),
  "POST /conversation/:id": async () =>
    expect((await workspace.owner.conversations.followUpAndWait(await started(), { message: "more" }))?.text).toBe(
      "You said: more",
    ),
  "POST /conversation/:id/stream": async () => workspace.owner.conversations.followUp(await started(), { message: "more" }),
  "PATCH /conversation/:id/model": async () => workspace.owner.conversations.changeModel(await started(), { ai_style: "dry" }),
  "GET /conversation/:id": async () => expect((await workspace.owner.conversations.messages(await started())).total).toBe(2),
  "GET /conversation": async () => {
    const id = await started();
    expect((await workspace.owner.conversations.list()).items[0]).toMatchObject({ ID: id, name: "hello" });
  },
  "GET /conversation/:id/ws": async () => {
    const controller = new AbortController();
    await workspace.owner.conversations.follow(await started(), { signal: controller.signal });
    controller.abort();
  },
  "POST /conversation/:id/retry": async () => {
    const { id, messageId } = await failed();
    await workspace.owner.conversations.retry(id, messageId);
  },
  "DELETE /conversation/:id": async () => workspace.owner.conversations.remove(await started()),
  "POST /conversation/:id/stop": async () => expect(await workspace.owner.conversations.stop(await started())).toBe(true),
  "POST /agents": async () => expect(await agent()).toBeGreaterThan(0),
  "GET /agents": async () => {
    await agent();
    expect((await workspace.owner.agents.list()).total).toBeGreaterThan(0);
  },
  "GET /agents/:id": async () => expect((await workspace.owner.agents.get(await agent())).ai_model.name).toBe("Plain"),
  "PATCH /agents/:id": async () => expect((await workspace.owner.agents.update(await agent(), { name: "Eve" })).name).toBe("Eve"),
  "DELETE /agents/:id": async () => workspace.owner.agents.remove(await agent()),
  "POST /file": async () =>
    expect(await workspace.owner.files.upload("Sheet.CSV", "text/csv", bytesOf("a,b"))).toMatchObject({
      fileType: "spreadsheet",
    }),
  "GET /file": async () => {
    await file();
    expect((await workspace.owner.files.list()).total).toBeGreaterThan(0);
  },
  "DELETE /file/:id": async () => workspace.owner.files.remove(await file()),
  "POST /file/:id/public": async () => expect((await workspace.owner.files.publish(await file())).public_path).toHaveLength(32),
  "DELETE /file/:id/public": async () => workspace.owner.files.unpublish(await file()),
  "GET /public/file/:slug": async () => {
    const { public_path } = await workspace.owner.files.publish(await file());
    expect((await workspace.owner.files.published(public_path)).name).toBe("a.txt");
  },
  "GET /storage/:key": async () => {
    const { path } = await workspace.owner.files.upload("b.txt", "text/plain", bytesOf("the bytes"));
    expect(await textOf(await workspace.owner.files.download(path))).toBe("the bytes");
  },
  "POST /project": async () => expect(await project()).toBeGreaterThan(0),
  "GET /project": async () => {
    await project();
    expect((await workspace.owner.projects.list()).items[0]?.name).toBe("Harbour");
  },
  "GET /project/pinned": async () => expect(await workspace.owner.projects.pinned()).toEqual([]),
  "GET /project/:id": async () => expect((await workspace.owner.projects.get(await project())).has_files).toBe(false),
};

describe("every served route", () => {
  test.for(served.map((route) => keyOf(route) as ServedRoute))("%s works", async (key) => {
    await works[key]();
    const { method, path } = routeOf(key);
    const pattern = new RegExp(`^/api/v1${path.replaceAll(/:\w+/g, "[^/]+")}$`);
    const successes = workspace.answered.filter((one) => one.method === method && pattern.test(one.path) && one.status < 300);
    expect(successes).not.toEqual([]);
  });
});

describe("who asks", () => {
  test.for(guarded)("$method $path: no header, a malformed one and an unknown key are 401", async (route) => {
    const refused = (authorization: string | null) => workspace.ask(route.method, filled(route), { authorization });
    for (const authorization of [null, "", "Basic abc", "Bearer"]) {
      expect(await refused(authorization)).toMatchObject({ status: 401, body: { error: errorTexts.unauthorized } });
    }
    expect(await refused(`Bearer PARLEY-API-${"x".repeat(64)}`)).toMatchObject({
      status: 401,
      body: { error: errorTexts.invalidKey },
    });
  });

  test.for(served.filter(({ permissions: needed }) => needed.length > 0))(
    "$method $path: a key with every other permission is refused with the ones that would do, through the client too",
    async (route) => {
      const others = permissions.filter((permission) => !route.permissions.includes(permission));
      const { key, client } = await workspace.keyWith(others);
      const text = missingPermissions(route.permissions);
      expect(await workspace.ask(route.method, filled(route), { authorization: `Bearer ${key}` })).toMatchObject({
        status: 403,
        body: { error: text },
      });
      const fault = await faultOf(callsByRoute[keyOf(route) as ServedRoute](client, 1));
      expect(fault).toMatchObject({ kind: "forbidden", status: 403, message: text });
    },
  );

  test.for(routes.filter(({ permissions: needed }) => needed.length > 0))(
    "$method $path: any one of its permissions is enough",
    async (route) => {
      for (const permission of route.permissions) {
        const { key } = await workspace.keyWith([permission]);
        const { status } = await workspace.ask(route.method, filled(route), { authorization: `Bearer ${key}` });
        expect([401, 403]).not.toContain(status);
      }
    },
  );

  test.for(routes.filter(({ status }) => status === "planned"))(
    "$method $path: refused without permission, and not served with it",
    async (route) => {
      const { key } = await workspace.keyWith(permissions.filter((permission) => !route.permissions.includes(permission)));
      expect((await workspace.ask(route.method, filled(route), { authorization: `Bearer ${key}` })).status).toBe(403);
      expect(await workspace.ask(route.method, filled(route))).toMatchObject({ status: 501 });
    },
  );

  test("the closed route is closed to any key", async () => {
    expect(await workspace.ask("GET", "/prompt/1")).toMatchObject({ status: 403, body: { error: errorTexts.closedRoute } });
  });

  test("open routes ask for no key", async () => {
    for (const path of ["/public/file/none", "/storage/none"]) {
      expect(await workspace.ask("GET", path, { authorization: null })).toMatchObject({
        status: 404,
        body: { error: errorTexts.fileNotFound },
      });
    }
  });

  test.for([
    ["GET", "/nothing"],
    ["DELETE", "/ai_model"],
    ["PUT", "/conversation/1"],
    ["POST", "/conversation/1/fork"],
  ])("%s %s is no route", async ([method, path]) => {
    expect((await workspace.ask(method!, path!)).status).toBe(404);
  });
});

describe("what a key may do", () => {
  test("changes at once: other permissions, a revoked key, an owner with less", async () => {
    const { ctx } = workspace.service;
    const { client } = await workspace.keyWith(["agents_get"]);
    const { id } = (await listKeys(ctx)).at(-1)!;
    expect(await client.agents.list()).toBeDefined();
    await setKeyPermissions(ctx, id, ["files_get"]);
    expect(await faultOf(client.agents.list())).toMatchObject({ kind: "forbidden" });
    expect(await client.files.list()).toBeDefined();
    await revokeKey(ctx, id);
    expect(await faultOf(client.files.list())).toMatchObject({ kind: "unauthorized", message: errorTexts.invalidKey });
  });

  test("never exceeds its owner's rights", async () => {
    const { ctx } = workspace.service;
    await createUser(ctx, "reader", ["agents_get"]);
    const { client } = await workspace.keyWith(["agents_get", "files_get"], "reader");
    expect(await client.agents.list()).toBeDefined();
    expect(await faultOf(client.files.list())).toMatchObject({ message: missingPermissions(["files_get"]) });
  });

  test.for(staffPermissions)("%s cannot be put on a key", async (permission) => {
    const { ctx } = workspace.service;
    await expect(createKey(ctx, { name: "staff", permissions: [permission] })).rejects.toThrow(errorTexts.staffPermission);
    const before = (await listKeys(ctx)).at(-1)!;
    await expect(setKeyPermissions(ctx, before.id, [permission])).rejects.toThrow(errorTexts.staffPermission);
    expect((await listKeys(ctx)).at(-1)).toEqual(before);
  });

  test("an inactive account and a region that is not served are 403, on the live channel too", async () => {
    const { ctx } = workspace.service;
    const { client } = await workspace.keyWith(["agents_get", "conversations_get"] satisfies Permission[], "far away");
    for (const [change, message] of [
      [{ active: false }, errorTexts.inactiveAccount],
      [{ active: true, regionBlocked: true }, errorTexts.region],
    ] as const) {
      await setQuota(ctx, "far away", change);
      expect(await faultOf(client.agents.list())).toMatchObject({ kind: "forbidden", message });
      expect(await faultOf(client.conversations.follow(1))).toMatchObject({ kind: "forbidden", message });
    }
    await setQuota(ctx, "far away", { regionBlocked: false });
    expect(await client.agents.list()).toBeDefined();
  });
});
