/** Routes that run saved prompts, and that read earlier runs. */
import { errorTexts } from "../../contract/errors.ts";
import { isNumericId } from "../../contract/identifiers.ts";
import { promptReplayBody, promptRunBody } from "../../contract/prompt-bodies.ts";
import type { SendContext } from "../conversations/send.ts";
import { HttpError } from "../http-error.ts";
import type { Call, Handlers } from "../http.ts";
import { json, listPage } from "../responses.ts";
import { ownInstance, runHistory } from "./history.ts";
import { instanceRecord } from "./record.ts";
import { replay, runInstance, runWithVariables } from "./run.ts";
import { visiblePrompt } from "./store.ts";

function namedInstance({ ctx, caller, param }: Call): ReturnType<typeof ownInstance> {
  const id = param("id");
  if (!isNumericId(id)) throw new HttpError(404, errorTexts.instanceNotFound);
  return ownInstance(ctx, caller.userId, Number(id));
}

export const promptRunHandlers = (ctx: SendContext) =>
  ({
    "POST /run/prompt/:id/variables": async ({ caller, param, body }) => {
      const { variable_values = [] } = await body(promptRunBody);
      const prompt = await visiblePrompt(ctx, caller.userId, param("id"));
      return json(200, await runWithVariables(ctx, caller.userId, prompt, variable_values));
    },

    "POST /run/prompt/:id": async ({ caller, param, body }) => {
      const { data } = await body(promptReplayBody);
      const prompt = await visiblePrompt(ctx, caller.userId, param("id"));
      return json(200, await replay(ctx, caller.userId, prompt, data));
    },

    "GET /prompt/:id/run_history": async ({ caller, param, page }) => {
      const prompt = await visiblePrompt(ctx, caller.userId, param("id"));
      const { entries, total } = await runHistory(ctx, caller.userId, prompt.id, page);
      return listPage(entries, page, total);
    },

    "GET /instance/:id": async (call) => {
      const { instance, promptId } = await namedInstance(call);
      return json(200, instanceRecord(instance, promptId));
    },

    "POST /instance/:id/run": async (call) => {
      const { instance, promptId } = await namedInstance(call);
      const prompt = await visiblePrompt(ctx, call.caller.userId, String(promptId));
      return json(200, await runInstance(ctx, prompt, instance));
    },
  }) satisfies Handlers;
