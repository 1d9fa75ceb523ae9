/** The workspace to act in: a hosted one, or the embedded one with its owner's key. */
import { isHttpUrl, shownAddress, type Reader, type VariableInfo } from "./reader.ts";

export const sharedKeyUses = ["all", "listed", "off"] as const;
const followUpUses = ["everybody", "owner"] as const;

export interface WorkspaceConfig {
  /** Where the team's key serves people who have linked none: wherever Parley answers, in listed channels, or nowhere. */
  readonly sharedKey: (typeof sharedKeyUses)[number];
  /** Who else goes on with a conversation that somebody's own key began. */
  readonly threadFollowUps: (typeof followUpUses)[number];
  /** Null: the embedded workspace. */
  readonly workspace: {
    readonly baseUrl: string;
    /** Null: beside the REST root. */
    readonly mcpUrl: string | null;
    readonly apiKey: string;
  } | null;
  /** With the embedded workspace: the owner's key, generated when null. */
  readonly ownerKey: string | null;
}

export const workspaceVariables: readonly VariableInfo[] = [
  { name: "WORKSPACE_BASE_URL", fallback: "embedded", help: "REST root of a hosted workspace, ending in /api/v1" },
  {
    name: "WORKSPACE_MCP_URL",
    fallback: "beside the REST root",
    help: "tool server of that workspace, ending in /mcp/",
  },
  {
    name: "WORKSPACE_API_KEY",
    fallback: "generated",
    help: "key to act with; with the embedded workspace PARLEY-API- and 64 letters or digits",
    secret: true,
  },
  {
    name: "SHARED_KEY",
    fallback: "all",
    help: "where WORKSPACE_API_KEY answers those who have linked no key of their own: all places, listed channels, off",
  },
  {
    name: "THREAD_FOLLOW_UPS",
    fallback: "everybody",
    help: "who goes on with a conversation that somebody's own key began: everybody of the channel, or its owner",
  },
];

/** The form of a key of the embedded workspace. */
const ownerKeyPattern = /^PARLEY-API-[A-Za-z0-9]{64}$/;

export function readWorkspace({ text, expect, oneOf }: Reader): WorkspaceConfig {
  const baseUrl = text("WORKSPACE_BASE_URL");
  const mcpUrl = text("WORKSPACE_MCP_URL");
  const apiKey = text("WORKSPACE_API_KEY");
  const sharedKey = oneOf("SHARED_KEY", sharedKeyUses, "all");
  const threadFollowUps = oneOf("THREAD_FOLLOW_UPS", followUpUses, "everybody");
  if (mcpUrl !== null) {
    // Without the slash a request would be redirected, and the key not go along.
    const valid = isHttpUrl(mcpUrl) && new URL(mcpUrl).pathname.endsWith("/mcp/");
    expect("WORKSPACE_MCP_URL", valid, "an http or https address whose path ends in /mcp/", shownAddress(mcpUrl));
    expect("WORKSPACE_MCP_URL", baseUrl !== null, "WORKSPACE_BASE_URL beside it", "nothing");
  }
  if (baseUrl === null) {
    const valid = apiKey === null || ownerKeyPattern.test(apiKey);
    expect("WORKSPACE_API_KEY", valid, "PARLEY-API- and 64 letters or digits", `${apiKey?.length ?? 0} other characters`);
    return { workspace: null, ownerKey: apiKey, sharedKey, threadFollowUps };
  }
  const valid = isHttpUrl(baseUrl) && new URL(baseUrl).pathname.replace(/\/$/, "").endsWith("/api/v1");
  expect("WORKSPACE_BASE_URL", valid, "an http or https address whose path ends in /api/v1", shownAddress(baseUrl));
  expect("WORKSPACE_API_KEY", apiKey !== null, "a key of that workspace, as WORKSPACE_BASE_URL is set", "nothing");
  return {
    workspace: apiKey === null ? null : { baseUrl: baseUrl.replace(/\/$/, ""), mcpUrl, apiKey },
    ownerKey: null,
    sharedKey,
    threadFollowUps,
  };
}
