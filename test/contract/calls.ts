/** For each served route the client's call that asks for it: the walk over the table needs one of each. */
import type { Client } from "../../src/client/index.ts";
import { jobKinds, jobPaths, type JobKind } from "../../src/contract/media.ts";
import type { MediaRoute, ServedRoute } from "../../src/contract/routes.ts";

// oxlint-disable-next-line typescript/require-await -- an empty file needs no waiting
async function* nothing(): AsyncGenerator<Uint8Array> {}

type Calls<Route extends string> = Readonly<Record<Route, (client: Client, id: number) => Promise<unknown>>>;

const callsOfKind = (kind: JobKind): Calls<string> => ({
  [`GET /${jobPaths[kind]}_model`]: ({ jobs }) => jobs.models(kind),
  [`POST /${jobPaths[kind]}`]: ({ jobs }) => jobs.create(kind, {}),
  [`GET /${jobPaths[kind]}/:id`]: ({ jobs }, id) => jobs.read(kind, id),
  [`GET /${jobPaths[kind]}`]: ({ jobs }) => jobs.list(kind),
  [`POST /${jobPaths[kind]}/:id/retry`]: ({ jobs }, id) => jobs.retry(kind, id),
  [`DELETE /${jobPaths[kind]}/:id`]: ({ jobs }, id) => jobs.remove(kind, id),
});

/** @param id stands for every placeholder */
export const callsByRoute: Calls<ServedRoute> = {
  "GET /ai_model": ({ models }) => models.list(),
  "GET /ai_model/filters": ({ models }) => models.filters(),
  "GET /ai_model/restricted": ({ models }) => models.restricted(),
  "GET /ai_model/:id": ({ models }, id) => models.get(id),
  "POST /run": ({ run }) => run("hello"),
  "POST /conversation": ({ conversations }) => conversations.startAndWait({ message: "hello" }),
  "POST /conversation/stream": ({ conversations }) => conversations.start({ message: "hello" }),
  "POST /conversation/:id": ({ conversations }, id) => conversations.followUpAndWait(id, { message: "hello" }),
  "POST /conversation/:id/stream": ({ conversations }, id) => conversations.followUp(id, { message: "hello" }),
  "PATCH /conversation/:id/model": ({ conversations }, id) => conversations.changeModel(id, { ai_style: "prompty" }),
  "GET /conversation/:id": ({ conversations }, id) => conversations.messages(id),
  "GET /conversation": ({ conversations }) => conversations.list(),
  "GET /conversation/:id/ws": ({ conversations }, id) => conversations.follow(id),
  "POST /conversation/:id/retry": ({ conversations }, id) => conversations.retry(id, 1),
  "DELETE /conversation/:id": ({ conversations }, id) => conversations.remove(id),
  "POST /conversation/:id/stop": ({ conversations }, id) => conversations.stop(id),
  "POST /agents": ({ agents }) => agents.create({ name: "Ada", ai_model_id: 1 }),
  "GET /agents": ({ agents }) => agents.list(),
  "GET /agents/:id": ({ agents }, id) => agents.get(id),
  "PATCH /agents/:id": ({ agents }, id) => agents.update(id, { name: "Ada" }),
  "DELETE /agents/:id": ({ agents }, id) => agents.remove(id),
  "POST /file": ({ files }) => files.upload("empty.txt", "text/plain", nothing()),
  "GET /file": ({ files }) => files.list(),
  "DELETE /file/:id": ({ files }, id) => files.remove(id),
  "POST /file/:id/public": ({ files }, id) => files.publish(id),
  "DELETE /file/:id/public": ({ files }, id) => files.unpublish(id),
  "GET /public/file/:slug": ({ files }, id) => files.published(String(id)),
  "GET /storage/:key": ({ files }, id) => files.download(`/api/v1/storage/${id}`),
  "POST /project": ({ projects }) => projects.create({ name: "Harbour" }),
  "GET /project": ({ projects }) => projects.list(),
  "GET /project/pinned": ({ projects }) => projects.pinned(),
  "GET /project/:id": ({ projects }, id) => projects.get(id),
  "POST /image_generation": ({ images }) => images.generate("a lighthouse"),
  "POST /image_generation/edit": ({ images }, id) => images.edit("at night", id),
  ...(Object.assign({}, ...jobKinds.map(callsOfKind)) as Calls<MediaRoute>),
  "GET /prompt": ({ prompts }) => prompts.list(),
  "GET /prompt/all": ({ prompts }) => prompts.all(),
  "GET /prompt/last_used": ({ prompts }) => prompts.lastUsed(),
  "GET /prompt/most_used": ({ prompts }) => prompts.mostUsed(),
  "GET /prompt/recently_added": ({ prompts }) => prompts.recentlyAdded(),
  "GET /prompt/favorite": ({ prompts }) => prompts.favorites(),
  "GET /prompt/:id/run_history": ({ prompts }, id) => prompts.runHistory(id),
  "POST /prompt": ({ prompts }) => prompts.create({ name: "Weekly" }),
  "PUT /prompt/:id": ({ prompts }, id) => prompts.update(id, { name: "Weekly" }),
  "POST /prompt_version": ({ prompts }) => prompts.setContent({ prompt_id: 1, content: "Hello" }),
  "DELETE /prompt/:id": ({ prompts }, id) => prompts.remove(id),
  "POST /prompt/:id/duplicate": ({ prompts }, id) => prompts.duplicate(id),
  "PUT /prompt/:id/move-to-project": ({ prompts }, id) => prompts.move(id),
  "PUT /prompt/:id/share_with_workspace": ({ prompts }, id) => prompts.shareWithWorkspace(id, true),
  "POST /prompt/:id/favorite": ({ prompts }, id) => prompts.addFavorite(id),
  "DELETE /prompt/:id/favorite": ({ prompts }, id) => prompts.removeFavorite(id),
  "POST /prompt/:id/file": ({ prompts }, id) => prompts.attachFiles(id, [1]),
  "POST /variable": ({ prompts }) => prompts.createVariable({ prompt_id: 1, slug: "topic" }),
  "PUT /variable/:id": ({ prompts }, id) => prompts.updateVariable(id, { name: "Topic" }),
  "DELETE /variable/:id": ({ prompts }, id) => prompts.removeVariable(id),
  "GET /instance/:id": ({ prompts }, id) => prompts.instance(id),
  "POST /instance/:id/run": ({ prompts }, id) => prompts.runInstance(id),
  "POST /run/prompt/:id/variables": ({ prompts }, id) => prompts.run(id, []),
  "POST /run/prompt/:id": ({ prompts }, id) => prompts.replay(id, "hello"),
};
