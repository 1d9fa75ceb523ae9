/** Accounts over a real store, where each linked key opens a workspace of its own. */
import type { Clock } from "../../src/clock.ts";
import { createAccounts } from "../../src/core/accounts.ts";
import type { Workspace } from "../../src/core/workspace.ts";
import { createLinks } from "../../src/store/links.ts";
import { createParked } from "../../src/store/parked.ts";
import type { openStore } from "../store/open.ts";
import { createFakeWorkspace, fakeAgent, fakeModel, type FakeWorkspace } from "./workspace.ts";

export function fakeAccounts(opened: Awaited<ReturnType<typeof openStore>>, clock: Clock) {
  const workspaces = new Map<string, FakeWorkspace>();
  const links = createLinks(opened.db, opened.cipher);
  /** The workspace as a key's owner sees it. */
  const workspaceOf = (key: string): FakeWorkspace => {
    const known = workspaces.get(key);
    if (known !== undefined) return known;
    const made = createFakeWorkspace({
      now: () => clock.now(),
      firstId: 100_000 * (workspaces.size + 1),
      models: [fakeModel(1, "Test model")],
      agents: [fakeAgent(70 + workspaces.size, `own${workspaces.size}`)],
      projects: [],
    });
    workspaces.set(key, made);
    return made;
  };
  const parked = createParked(opened.db, opened.cipher);
  return {
    links,
    parked,
    /** What the engine makes people's accounts of. */
    people: (own: (key: string) => Workspace = workspaceOf) => ({ links, parked, connect: own }),
    workspaceOf,
    accounts: (shared: Workspace, own: (key: string) => Workspace = workspaceOf) =>
      createAccounts({ shared, links, connect: own, clock }),
  };
}
