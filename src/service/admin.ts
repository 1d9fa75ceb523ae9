/** What the command line may do to a workspace, in one place: it opens the same file beside a running server. */
export { createUser, ensureOwner, readQuota, setQuota, type Quota } from "./accounts.ts";
export { createKey, ensureOwnerKey, listKeys, revokeKey, setKeyPermissions } from "./key-admin.ts";
export { readRules, ruleNames, writeRules, type Rules } from "./rules.ts";
export { openWorkspace } from "./open.ts";
