/**
 * The table of every REST route of the workspace interface: who may call it, and whether this version serves it.
 * The client, the embedded service and their tests all walk this table, so that none of the three can forget a route.
 */
import { mediaKinds, type Permission } from "./permissions.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
/** `served`: client method, handler and test exist. `planned`: named by the interface, not built yet. `closed`: never open to keys. */
export type RouteStatus = "served" | "planned" | "closed";

export interface Route {
  readonly method: Method;
  /** Path below the REST root, with `:name` placeholders. */
  readonly path: string;
  /** A key needs at least one of these; empty means that no key is asked for. */
  readonly permissions: readonly Permission[];
  readonly status: RouteStatus;
  /** True for routes of our own, or with a path of our own; never depended on where a documented way exists. */
  readonly undocumented?: true;
}

type Row = readonly [method: Method, path: string, permissions: readonly Permission[], status: RouteStatus];

const documentedRows = [
  ["GET", "/ai_model", ["ai_models_get"], "served"],
  ["GET", "/ai_model/filters", ["ai_models_get"], "served"],
  ["GET", "/ai_model/restricted", ["ai_models_get"], "served"],
  ["GET", "/ai_model/:id", ["ai_models_get"], "served"],
  ["POST", "/run", ["custom_run"], "served"],

  ["POST", "/conversation", ["conversations_manage"], "served"],
  ["POST", "/conversation/stream", ["conversations_manage"], "served"],
  ["POST", "/conversation/:id", ["conversations_manage"], "served"],
  ["POST", "/conversation/:id/stream", ["conversations_manage"], "served"],
  ["PATCH", "/conversation/:id/model", ["conversations_manage"], "served"],
  ["GET", "/conversation/:id", ["conversations_get"], "served"],
  ["GET", "/conversation", ["conversations_get"], "served"],
  ["GET", "/conversation/:id/ws", ["conversations_get"], "served"],
  ["POST", "/conversation/:id/retry", ["conversations_manage"], "served"],
  ["DELETE", "/conversation/:id", ["conversations_delete"], "served"],

  ["GET", "/prompt", ["prompts_get"], "served"],
  ["GET", "/prompt/all", ["prompts_get"], "served"],
  ["GET", "/prompt/last_used", ["prompts_get"], "served"],
  ["GET", "/prompt/most_used", ["prompts_get"], "served"],
  ["GET", "/prompt/recently_added", ["prompts_get"], "served"],
  ["GET", "/prompt/favorite", ["prompts_get"], "served"],
  ["GET", "/prompt/:id", [], "closed"],
  ["GET", "/prompt/:id/run_history", ["prompts_get"], "served"],
  ["POST", "/prompt", ["prompts_manage"], "served"],
  ["PUT", "/prompt/:id", ["prompts_manage"], "served"],
  ["POST", "/prompt_version", ["prompts_manage"], "served"],
  ["DELETE", "/prompt/:id", ["prompts_delete"], "served"],
  ["POST", "/prompt/:id/duplicate", ["prompts_manage"], "served"],
  ["PUT", "/prompt/:id/move-to-project", ["prompts_manage"], "served"],
  ["PUT", "/prompt/:id/share_with_workspace", ["prompts_manage"], "served"],
  ["POST", "/prompt/:id/favorite", ["prompts_manage"], "served"],
  ["DELETE", "/prompt/:id/favorite", ["prompts_manage"], "served"],
  ["POST", "/prompt/:id/file", ["prompts_manage"], "served"],
  ["POST", "/variable", ["prompt_variables_manage"], "served"],
  ["PUT", "/variable/:id", ["prompt_variables_manage"], "served"],
  ["DELETE", "/variable/:id", ["prompt_variables_delete"], "served"],
  ["GET", "/instance/:id", ["prompts_get"], "served"],
  ["POST", "/instance/:id/run", ["run_prompt"], "served"],
  ["POST", "/run/prompt/:id/variables", ["run_prompt"], "served"],
  ["POST", "/run/prompt/:id", ["run_prompt"], "served"],
  ["GET", "/search", ["search"], "planned"],

  ["POST", "/xlsx/start-process", ["spreadsheet_processing_manage"], "planned"],
  ["GET", "/xlsx/process-status/:taskId", ["spreadsheet_processing_get"], "planned"],
  ["GET", "/xlsx/history", ["spreadsheet_processing_get"], "planned"],

  ["POST", "/image_generation", ["image_generation_manage"], "served"],
  ["POST", "/image_generation/edit", ["image_generation_manage"], "served"],

  ["POST", "/agents", ["agents_manage"], "served"],
  ["GET", "/agents", ["agents_get"], "served"],
  ["GET", "/agents/:id", ["agents_get"], "served"],
  ["PATCH", "/agents/:id", ["agents_manage"], "served"],
  ["DELETE", "/agents/:id", ["agents_delete"], "served"],

  ["POST", "/workflow-tasks", ["workflow_tasks_manage"], "planned"],
  ["GET", "/workflow-tasks/:id", ["workflow_tasks_get"], "planned"],
  ["POST", "/workflow-tasks/:id/manual-run", ["workflow_tasks_manage"], "planned"],
  ["DELETE", "/workflow-tasks/:id", ["workflow_tasks_delete"], "planned"],

  ["POST", "/file", ["files_manage"], "served"],
  ["GET", "/file", ["files_get"], "served"],
  ["DELETE", "/file/:id", ["files_delete"], "served"],
  ["POST", "/file/:id/public", ["files_manage"], "served"],
  ["DELETE", "/file/:id/public", ["files_delete"], "served"],
  ["GET", "/public/file/:slug", [], "served"],

  ["POST", "/project", ["projects_manage"], "served"],
  ["GET", "/project", ["projects_get"], "served"],
  ["GET", "/project/pinned", ["projects_get"], "served"],
  ["GET", "/project/:id", ["projects_get"], "served"],

  ["DELETE", "/knowledge-bases/:id", ["knowledge_bases_delete"], "planned"],
  ["GET", "/teams", ["teams_get"], "planned"],
  ["GET", "/teams/all", ["teams_get"], "planned"],
  ["GET", "/teams/:id/members", ["teams_get"], "planned"],
  ["DELETE", "/teams/:id", ["teams_delete"], "planned"],
  ["GET", "/mcp", ["mcp_get"], "planned"],
  ["GET", "/mcp/:id", ["mcp_get"], "planned"],
  ["POST", "/mcp", ["mcp_manage"], "planned"],
  ["PUT", "/mcp/:id", ["mcp_manage"], "planned"],
  ["DELETE", "/mcp/:id", ["mcp_delete"], "planned"],
  ["GET", "/workspace", ["organization_get"], "planned"],
  ["PATCH", "/workspace", ["organization_manage"], "planned"],
  ["DELETE", "/workspace", ["organization_delete"], "planned"],
  ["PATCH", "/workspace/user/permissions", ["organization_manage"], "planned"],

  ["GET", "/integration", ["integrations_get"], "planned"],
  ["GET", "/integration/ssh-tunnel/public-key", ["integrations_get"], "planned"],
  ["POST", "/integration/:provider/connect", ["integration_connections_manage"], "planned"],
  ["GET", "/integration/connections", ["integration_connections_get"], "planned"],
  ["PATCH", "/integration/connections/:connectionId", ["integration_connections_manage"], "planned"],
  ["DELETE", "/integration/connections/:connectionId", ["integration_connections_delete"], "planned"],
  ["POST", "/integration/connections/:connectionId/reconnect", ["integration_connections_manage"], "planned"],
  ["GET", "/integration/connections/:connectionId/database/schema", ["integration_database_get"], "planned"],
  ["GET", "/integration/connections/:connectionId/database/connection", ["integration_database_get"], "planned"],
  ["POST", "/integration/connections/:connectionId/database/query", ["integration_database_manage"], "planned"],
] as const satisfies readonly Row[];

type MediaKind = (typeof mediaKinds)[number];
/** Kinds of which the interface names only the permissions: their paths are made as those of the others. */
const kindsWithoutPaths: readonly MediaKind[] = ["tts_generation", "transcription"];

const rowsOfKind = <K extends MediaKind>(kind: K) =>
  [
    ["GET", `/${kind}_model`, [`${kind}_get`], "served"],
    ["POST", `/${kind}`, [`${kind}_manage`], "served"],
    ["GET", `/${kind}/:id`, [`${kind}_get`], "served"],
    ["GET", `/${kind}`, [`${kind}_get`], "served"],
    ["POST", `/${kind}/:id/retry`, [`${kind}_manage`], "served"],
    ["DELETE", `/${kind}/:id`, [`${kind}_delete`], "served"],
  ] as const satisfies readonly Row[];

const undocumentedRows = [
  /** Ends the running reply of a conversation; the interface has no cancel. */
  ["POST", "/conversation/:id/stop", ["conversations_manage"], "served"],
  /** Bytes of a stored object: what a file record's `path` points to. The interface has no download route. */
  ["GET", "/storage/:key", [], "served"],
] as const satisfies readonly Row[];

const route = ([method, path, permissions, status]: Row): Route => ({ method, path, permissions, status });

const mediaRoutes = mediaKinds.flatMap((kind): Route[] =>
  rowsOfKind(kind).map((row) => ({ ...route(row), ...(kindsWithoutPaths.includes(kind) && { undocumented: true }) })),
);

/**
 * All routes that the interface names, in an order in which fixed paths come before `/:id`. Those of speech and
 * transcription count as named and are marked as undocumented, since nothing of them but their permissions is shown.
 */
export const documentedRoutes: readonly Route[] = [...documentedRows.map(route), ...mediaRoutes];

/** Routes of the embedded service only. */
export const undocumentedRoutes: readonly Route[] = undocumentedRows.map((row) => ({ ...route(row), undocumented: true }));

export const routes: readonly Route[] = [...documentedRoutes, ...undocumentedRoutes];

type Keyed<R extends Row> = R extends readonly [infer M extends string, infer P extends string, ...unknown[]]
  ? `${M} ${P}`
  : never;
type Served<R extends Row> = R extends readonly [Method, string, unknown, "served"] ? Keyed<R> : never;

/** The routes of one media kind, such as `"GET /video_generation_model"`. */
export type MediaRoute<K extends MediaKind = MediaKind> =
  `GET /${K}_model` | `POST /${K}` | `GET /${K}/:id` | `GET /${K}` | `POST /${K}/:id/retry` | `DELETE /${K}/:id`;

/** `"GET /ai_model"` and so on: the name of a route that this version serves. */
export type ServedRoute = Served<(typeof documentedRows)[number]> | Served<(typeof undocumentedRows)[number]> | MediaRoute;

/** The route named `key`, such as `"GET /ai_model"`. Throws a RangeError for a name that is not in the table. */
export function routeOf(key: ServedRoute): Route {
  const found = routes.find((candidate) => `${candidate.method} ${candidate.path}` === key);
  if (found === undefined) throw new RangeError(`expected a route of the table, got ${key}`);
  return found;
}
