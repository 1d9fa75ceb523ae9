/** What the command line may do to a workspace, in one place: it opens the same file beside a running server. */
export { createUser, ensureOwner, readQuota, setQuota, userNamed, type Quota } from "./accounts.ts";
export { shareAgent } from "./agents/write.ts";
export { createKey, ensureOwnerKey, listKeys, revokeKey, setKeyPermissions } from "./key-admin.ts";
export { addProjectFile, pinProject, setProjectInstructions, shareProject } from "./projects/write.ts";
export { sharePrompt } from "./prompts/sharing.ts";
export { readRules, ruleNames, writeRules, type Rules } from "./rules.ts";
export { keepSamples } from "./samples.ts";
export { openWorkspace } from "./open.ts";
