/** Where the embedded workspace is served: its paths, and a port of its own where the server is not on loopback. */
import type { Log } from "../log.ts";
import { openFront, type Front, type Part } from "./server.ts";

/** The paths that the embedded workspace serves: its REST root and its tool server. */
export const isWorkspacePath = (path: string): boolean => path.startsWith("/api/v1/") || path.startsWith("/mcp/");

/** Serves the workspace on a free port of loopback, for the client of this process. */
export const openLoopback = (workspace: Part, log: Log): Promise<Front> =>
  openFront({
    host: "127.0.0.1",
    port: 0,
    rules: { loopback: true },
    log,
    partOf: (path) => (isWorkspacePath(path) ? { part: workspace, checkOrigin: true } : undefined),
  });
