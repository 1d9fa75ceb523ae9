/** Error texts and codes of the interface, once for both sides. */
import { jobNames, type JobKind } from "./media.ts";
import type { Permission } from "./permissions.ts";

export const errorTexts = {
  unauthorized: "unauthorized",
  invalidKey: "Invalid API key",
  staffPermission: "You are using permissions that are restricted",
  region: "access from your region is not supported",
  // The interface gives these the status 403 and no text.
  inactiveAccount: "this account is not active",
  closedRoute: "this route is closed to API keys",
  quota: "Quota exceeded",
  noModel: "no AI model is selected, try reselecting model",
  conversationNotCreated: "could not create conversation",
  // The interface gives this the status 404 and no text.
  conversationNotFound: "Conversation not found",
  knowledgeBaseNotFound: "Knowledge base not found",
  agentNameRequired: "Agent name is required",
  agentNotFound: "Agent not found",
  agentNoAccess: "You don't have access to this agent",
  agentUpdateForbidden: "You are not authorized to update this agent",
  agentDeleteForbidden: "You are not authorized to delete this agent",
  agentNotCreated: "Failed to create agent",
  filesNotUploaded: "could not upload files",
  invalidFileId: "Invalid file ID",
  fileNotFound: "File not found",
  fileNoAccess: "You don't have access to this file",
  fileNotDeleted: "Failed to delete file",
  projectNameRequired: "Project name is required",
  invalidProjectIcon: "Invalid project icon",
  projectNotCreated: "Failed to create project",
  invalidIsShared: "Invalid is_shared parameter",
  projectNotFound: "Project not found",
  projectNoAccess: "You don't have access to this project",
  // The interface says who may, and gives no text.
  projectDeleteForbidden: "You are not authorized to delete this project",
  projectPromptsForbidden: "You don't have access to manage prompts of this project",
  promptNameRequired: "Name is required",
  promptExists: "Entity already exists",
  promptNotFound: "Prompt not found",
  promptNoAccess: "You don't have access to this prompt",
  promptNotInProject: "Prompt is already not in a project",
  promptInProject: "Prompt is already in this project",
  promptAlreadyFavorite: "This prompt is already marked as favorite",
  promptNotFavorite: "Prompt not found in favorites",
  // The interface gives these the status 404 and no text.
  variableNotFound: "Variable not found",
  instanceNotFound: "Instance not found",
} as const;

/** The text of a 403 for a key that lacks every one of a route's permissions. */
export const missingPermissions = (needed: readonly Permission[]): string =>
  `This api key does not have any of the required permissions. You need at least one of: ${needed.join(", ")}`;

/** Those of pictures and media jobs. Where the interface says only "generic" or nothing, the words are ours. */
export const mediaErrors = {
  noOutput: "image generation produced no output file",
  fileNotFound: "file not found or access denied",
  restricted: "the selected model has been restricted by your organization",
  jobNotCreated: (kind: JobKind): string => `Failed to create ${jobNames[kind]}`,
  jobNotRetried: (kind: JobKind): string => `Only failed ${jobNames[kind]}s can be retried`,
  // The interface gives this the status 404 and no text.
  jobNotFound: (kind: JobKind): string => `${jobNames[kind].replace(/^./, (first) => first.toUpperCase())} not found`,
} as const;

/** What a call of a tool is answered that does not exist, and alike of one that the key may not call. */
export const toolNotFound = (name: string): string => `tool '${name}' not found`;

/** Why a 429 was given. It is a quota, never a request rate: an immediate retry does not help. */
export const quotaReasons = ["credit_count", "user_count", "subscription", "trial_expired", "unknown"] as const;
export type QuotaReason = (typeof quotaReasons)[number];

/** Codes of data-residency and guardrail blocks. */
export const blockCodes = [
  "EU_INFERENCE_REQUIRED",
  "ZERO_RETENTION_REQUIRED",
  "NO_PROVIDER_ASSIGNED",
  "NO_ENDPOINT_AVAILABLE",
  "SENSITIVE_DATA_BLOCKED",
] as const;
export type BlockCode = (typeof blockCodes)[number];

/**
 * `error_code` of a message that the embedded workspace cut off by ending. Undocumented: a hosted workspace
 * may tell it otherwise, or not at all.
 */
export const interruptedCode = "INTERRUPTED";

/** An error body: one text, and on some answers one extra key. */
export interface ErrorBody {
  error: string;
  /** Beside a 429. */
  reason?: QuotaReason;
  /** On runs, agents, and conversations in which the AI was not going to answer. */
  code?: string;
  /** On conversations. */
  error_code?: string;
}
