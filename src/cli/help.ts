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

/** A line for each command, and those that go on with it, which begin with a space. */
const general: readonly string[] = [
  "start                                                          serve the console, the platforms and the embedded workspace",
  "workspace                                                      serve the embedded workspace alone",
  "doctor                                                         check configuration, store, workspace, key, models and platforms",
  ...manifestUsage,
  ...auditUsage,
  backupUsage,
  rotateUsage,
  moveStoreUsage,
  "help                                                           show this; COMMAND --help shows that command's lines",
];
const ofWorkspace: readonly string[] = [...keysUsage, ...quotaUsage, ...rulesUsage, ...sharingUsage];

export const help = (): string =>
  `Parley brings a team's AI workspace into the chats where the team already talks.

npm start, or: npm run parley -- COMMAND

Commands
${indent(general)}

Of the embedded workspace, also beside a running server
${indent(ofWorkspace)}

Environment
${indent(variables.map(({ name, fallback, help: text }) => `${name.padEnd(30)} ${text} (${fallback})`))}

In place of each of these, NAME_FILE may name a file that holds it: ${secretNames.join(", ")}.`;

/** The lines of one command; undefined where there is none of that name. */
export function helpOf(command: string): string | undefined {
  let its = false;
  const lines = [...general, ...ofWorkspace].filter((line) => {
    if (!line.startsWith(" ")) its = line.split(" ", 1)[0] === command;
    return its;
  });
  return lines.length === 0
    ? undefined
    : `npm run parley -- COMMAND\n\n${indent(lines)}\n\nnpm run parley -- help shows all commands, and what the environment decides.`;
}
