/** The rules of a workspace without any. */
import type { Rules } from "../../src/service/admin.ts";

export const noRules: Rules = {
  deniedModels: [],
  allowedModels: null,
  providers: null,
  euInference: false,
  zeroRetention: false,
  residencyTags: {},
  sensitivePatterns: [],
};
