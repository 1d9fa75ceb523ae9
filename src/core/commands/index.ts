/** All commands, in the order in which they are shown. */
import { ask } from "./ask.ts";
import { helpFor } from "./help.ts";
import { agents, models, status } from "./lists.ts";
import { once } from "./once.ts";
import { retry, stop } from "./running.ts";
import { settingsCommand } from "./settings.ts";
import { agent, effort, fresh, model, project, style } from "./settings-commands.ts";
import type { Command } from "./table.ts";

export const commands: readonly Command[] = [
  ask,
  once,
  fresh,
  model,
  style,
  effort,
  agent,
  agents,
  models,
  project,
  settingsCommand,
  status,
  stop,
  retry,
  helpFor(() => commands),
];
