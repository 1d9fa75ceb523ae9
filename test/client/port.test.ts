/** The client meets the core's port, though neither knows the other: the compiler holds the first line of the test. */
import { expect, test } from "vitest";
import type { Workspace } from "../../src/core/workspace.ts";
import { clientOf, jsonServer } from "./raw-server.ts";

test("a client is a workspace to the core", async () => {
  const workspace: Workspace = clientOf(await jsonServer([{ ID: 3, name: "Ada", tag: "ada" }], 200, { "x-total-count": "1" }));
  expect(await workspace.agents.all({ shared: false })).toMatchObject([{ ID: 3, tag: "ada" }]);
  expect(await workspace.projects.all({ search: "a" })).toMatchObject([{ ID: 3 }]);
  expect(await workspace.models.list({ legacy: false })).toMatchObject([{ ID: 3 }]);
  expect(await workspace.conversations.list({ size: 1 })).toMatchObject({ items: [{ ID: 3 }], total: 1 });
});
