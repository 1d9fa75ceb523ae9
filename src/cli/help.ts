/** `parley help`. */
import { secretNames, variables } from "../config.ts";
import { auditUsage } from "./audit.ts";
import { backupUsage } from "./backup.ts";
import { keysUsage } from "./keys.ts";
import { manifestUsage } from "./manifest-usage.ts";
import { moveStoreUsage } from "./move-store.ts";
import { quotaUsage } from "./quota.ts";
import { rotateUsage } from "./rotate-encryption.ts";
import { rulesUsage } from "./rules.ts";
import { sharingUsage } from "./sharing.ts";

const indent = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");

export const help = (): string =>
  `Parley brings a team's AI workspace into the chats where the team already talks.

npm start, or: npm run parley -- COMMAND

Commands
${indent(["start                                                          serve the console, the platforms and the embedded workspace", "workspace                                                      serve the embedded workspace alone", "doctor                                                         check configuration, store, workspace, key, models and platforms", ...manifestUsage, ...auditUsage, backupUsage, rotateUsage, moveStoreUsage, "help                                                           show this"])}

Of the embedded workspace, also beside a running server
${indent([...keysUsage, ...quotaUsage, ...rulesUsage, ...sharingUsage])}

Environment
${indent(variables.map(({ name, fallback, help: text }) => `${name.padEnd(30)} ${text} (${fallback})`))}

In place of each of these, NAME_FILE may name a file that holds it: ${secretNames.join(", ")}.`;
