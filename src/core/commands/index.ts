/** All commands, in the order in which they are shown. */
import { admin } from "./admin.ts";
import { ask } from "./ask.ts";
import { forget } from "./forget.ts";
import { helpFor } from "./help.ts";
import { image } from "./image.ts";
import { link, unlink, whoami } from "./link.ts";
import { jobs } from "./jobs.ts";
import { agents, models, status } from "./lists.ts";
import { music } from "./music.ts";
import { once } from "./once.ts";
import { prompt, prompts } from "./prompts.ts";
import { retry, stop } from "./running.ts";
import { speech } from "./speech.ts";
import { transcribe } from "./transcribe.ts";
import { settingsCommand } from "./settings.ts";
import { agent, effort, fresh, model, project, style } from "./settings-commands.ts";
import { tool } from "./tool.ts";
import { video } from "./video.ts";
import type { Command } from "./table.ts";

export const commands: readonly Command[] = [
  ask,
  once,
  image,
  video,
  music,
  speech,
  transcribe,
  jobs,
  prompt,
  prompts,
  tool,
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
  link,
  unlink,
  whoami,
  stop,
  retry,
  forget,
  admin,
  helpFor(() => commands),
];
