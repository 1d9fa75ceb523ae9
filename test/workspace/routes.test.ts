/** The walk over the route table against the real service: every route works, and refuses whom it must with the interface's texts. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { errorTexts, missingPermissions } from "../../src/contract/errors.ts";
import { jobKinds, jobPaths, type JobKind, type MediaJob } from "../../src/contract/media.ts";
import { permissions, staffPermissions, type Permission } from "../../src/contract/permissions.ts";
import { routeOf, routes, type MediaRoute, type Route, type ServedRoute } from "../../src/contract/routes.ts";
import { revokeKey, listKeys, setKeyPermissions, setQuota, createUser, createKey } from "../../src/service/admin.ts";
import { callsByRoute } from "../contract/calls.ts";
import { endedJob, pngSignature } from "./media-jobs.ts";
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

const picture = (): Promise<number> => workspace.owner.images.generate("a lighthouse").then(({ ID }) => ID);

const orders: { readonly [K in JobKind]: (prompt: string) => Promise<MediaJob> } = {
  video: async (prompt) =>
    workspace.owner.jobs.create("video", { prompt, video_generation_model_id: await workspace.mediaModelId("test:film") }),
  speech: async (text) =>
    workspace.owner.jobs.create("speech", { text, tts_generation_model_id: await workspace.mediaModelId("test:voice") }),
  music: async (prompt) =>
    workspace.owner.jobs.create("music", { prompt, music_generation_model_id: await workspace.mediaModelId("test:tune") }),
  transcription: async (name) =>
    workspace.owner.jobs.create("transcription", {
      file_id: await uploadText(workspace.owner, name, "words"),
      transcription_model_id: await workspace.mediaModelId("test:ear"),
    }),
};
const failedJob = async (kind: JobKind): Promise<number> => {
  const { ID } = await orders[kind]("fail");
  return (await endedJob(workspace.owner, kind, ID)).ID;
};

const worksForKind = (kind: JobKind): Readonly<Record<string, () => Promise<unknown>>> => ({
  [`GET /${jobPaths[kind]}_model`]: async () => expect((await workspace.owner.jobs.models(kind)).length).toBeGreaterThan(0),
  [`POST /${jobPaths[kind]}`]: async () => expect(await orders[kind]("words")).toMatchObject({ status: "queued" }),
  [`GET /${jobPaths[kind]}/:id`]: async () => {
    const { ID, slug } = await orders[kind]("words");
    expect(await workspace.owner.jobs.read(kind, slug)).toMatchObject({ ID });
  },
  [`GET /${jobPaths[kind]}`]: async () => {
    const { ID } = await orders[kind]("words");
    expect((await workspace.owner.jobs.list(kind)).items[0]).toMatchObject({ ID, credit_cost: "0" });
  },
  [`POST /${jobPaths[kind]}/:id/retry`]: async () => workspace.owner.jobs.retry(kind, await failedJob(kind)),
  [`DELETE /${jobPaths[kind]}/:id`]: async () => workspace.owner.jobs.remove(kind, (await orders[kind]("words")).ID),
});

const prompts = () => workspace.owner.prompts;
/** A prompt with a variable, and its IDs. */
const prompt = async (): Promise<{ id: number; variable: number }> => {
  const { ID } = await prompts().create({ name: `About ${counter++}` });
  await prompts().setContent({ prompt_id: ID, content: "Write of {{topic}}" });
  return { id: ID, variable: (await prompts().createVariable({ prompt_id: ID, slug: "topic", default_value: "ships" })).ID };
};
let counter = 1;
const ran = async (): Promise<{ id: number; instance: number }> => {
  const { id } = await prompt();
  await prompts().run(id, []);
  return { id, instance: (await prompts().runHistory(id)).items[0]!.instance_id };
};

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
  "POST /image_generation": async () => expect(await picture()).toBeGreaterThan(0),
  "POST /image_generation/edit": async () => {
    const { ID } = await workspace.owner.files.upload("a.png", "image/png", bytesOf(pngSignature));
    expect(await workspace.owner.images.edit("at night", ID)).toMatchObject({ fileType: "code_interpreter_output" });
  },
  ...(Object.assign({}, ...jobKinds.map(worksForKind)) as Record<MediaRoute, () => Promise<unknown>>),
  "GET /prompt": async () => {
    const { id } = await prompt();
    expect((await prompts().list()).items[0]?.ID).toBe(id);
  },
  "GET /prompt/all": async () => {
    const { id } = await prompt();
    expect((await prompts().all()).map(({ ID }) => ID)).toContain(id);
  },
  "GET /prompt/last_used": async () => {
    const { id } = await ran();
    expect((await prompts().lastUsed())[0]?.ID).toBe(id);
  },
  "GET /prompt/most_used": async () => {
    await ran();
    expect((await prompts().mostUsed()).length).toBeGreaterThan(0);
  },
  "GET /prompt/recently_added": async () => {
    const { id } = await prompt();
    expect((await prompts().recentlyAdded())[0]?.ID).toBe(id);
  },
  "GET /prompt/favorite": async () => {
    const { id } = await prompt();
    await prompts().addFavorite(id);
    expect((await prompts().favorites()).at(-1)).toMatchObject({ ID: id, is_favorite: true });
  },
  "GET /prompt/:id/run_history": async () => expect((await prompts().runHistory((await ran()).id)).total).toBe(1),
  "POST /prompt": async () => expect((await prompt()).id).toBeGreaterThan(0),
  "PUT /prompt/:id": async () => expect((await prompts().update((await prompt()).id, { name: "New" })).name).toBe("New"),
  "POST /prompt_version": async () => {
    const { id } = await prompt();
    expect((await prompts().setContent({ prompt_id: id, content: "Other" })).content).toBe("Other");
  },
  "DELETE /prompt/:id": async () => prompts().remove((await prompt()).id),
  "POST /prompt/:id/duplicate": async () => {
    const { id } = await prompt();
    expect((await prompts().duplicate(id)).duplicated_from_id).toBe(id);
  },
  "PUT /prompt/:id/move-to-project": async () => {
    const projectId = await project();
    expect((await prompts().move((await prompt()).id, { projectId })).project_id).toBe(projectId);
  },
  "PUT /prompt/:id/share_with_workspace": async () =>
    expect((await prompts().shareWithWorkspace((await prompt()).id, true)).shared_with_workspace_id).toBe(1),
  "POST /prompt/:id/favorite": async () => {
    const { id } = await prompt();
    expect((await prompts().addFavorite(id)).prompt_id).toBe(id);
  },
  "DELETE /prompt/:id/favorite": async () => {
    const { id } = await prompt();
    await prompts().addFavorite(id);
    await prompts().removeFavorite(id);
  },
  "POST /prompt/:id/file": async () => prompts().attachFiles((await prompt()).id, [await file()]),
  "POST /variable": async () => expect((await prompt()).variable).toBeGreaterThan(0),
  "PUT /variable/:id": async () => prompts().updateVariable((await prompt()).variable, { name: "Topic" }),
  "DELETE /variable/:id": async () => prompts().removeVariable((await prompt()).variable),
  "GET /instance/:id": async () =>
    expect((await prompts().instance((await ran()).instance)).variables).toMatchObject([{ slug: "topic" }]),
  "POST /instance/:id/run": async () =>
    expect((await prompts().runInstance((await ran()).instance)).raw_text).toBe("You said: Write of ships"),
  "POST /run/prompt/:id/variables": async () => {
    const { id, variable } = await prompt();
    expect((await prompts().run(id, [{ variable_id: variable, value: "tides" }])).run_status).toBe("success");
  },
  "POST /run/prompt/:id": async () =>
    expect((await prompts().replay((await ran()).id, "tides")).raw_text).toBe("You said: Write of tides"),
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
