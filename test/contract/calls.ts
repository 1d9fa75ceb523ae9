/** For each served route the client's call that asks for it: the walk over the table needs one of each. */
import type { Client } from "../../src/client/index.ts";
import type { ServedRoute } from "../../src/contract/routes.ts";

// oxlint-disable-next-line typescript/require-await -- an empty file needs no waiting
async function* nothing(): AsyncGenerator<Uint8Array> {}

/** @param id stands for every placeholder */
export const callsByRoute: Readonly<Record<ServedRoute, (client: Client, id: number) => Promise<unknown>>> = {
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
};
