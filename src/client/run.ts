/** The free-text run: one text to a model, nothing is kept. */
import type { UnsavedMessage } from "../contract/records.ts";
import { recordIn } from "./answers.ts";
import type { CallOptions, Http } from "./http.ts";
import { readUnsaved } from "./records.ts";

export const runCall =
  (http: Http) =>
  async (prompt: string, options: CallOptions & { modelId?: number } = {}): Promise<UnsavedMessage> => {
    const { modelId, ...rest } = options;
    const answer = await http.call("POST /run", { body: { prompt, ai_model_id: modelId }, patient: true, ...rest });
    return recordIn(answer, readUnsaved);
  };
