import type { AllowanceRules } from "../../src/core/allowances.ts";

/** Everybody may have everything. */
export const noLimits: AllowanceRules = { personTurns: null, channelTurns: null, personCredits: null, channelCredits: null };
