/** Pictures, made while their asker waits. */
import { mediaErrors } from "../../contract/errors.ts";
import { Fault } from "../../errors.ts";
import type { ServiceContext } from "../context.ts";
import { nameAfter, storeGenerated } from "../files/generated.ts";
import type { FileRow } from "../files/schema.ts";
import { HttpError } from "../http-error.ts";
import type { MediaSource } from "../providers/media/port.ts";
import { charge, checkQuota } from "../quota.ts";
import { readRules, restrictionOf } from "../rules.ts";
import type { MediaCatalogue } from "./catalogue.ts";
import { mediaCost } from "./cost.ts";
import { mediaModels, type StoredMediaModel } from "./models.ts";
import { allowedText } from "./orders.ts";
import { isTold } from "./runner.ts";
import { imageFile, readSource } from "./sources.ts";

const noModel =
  "there is no picture model: set OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY, or allow another model in the workspace's rules";
const broken = "the picture could not be made because of a fault in the workspace";

/** The first model that the rules allow. Throws HttpError 500 with the reason when there is none, as the interface says. */
async function modelToUse(ctx: ServiceContext): Promise<StoredMediaModel> {
  const rules = await readRules(ctx.db);
  const models = await mediaModels(ctx, "image");
  const allowed = models.find((model) => restrictionOf(rules, model) === undefined);
  if (allowed !== undefined) return allowed;
  const [first] = models;
  throw new HttpError(500, (first && restrictionOf(rules, first)?.text) ?? noModel);
}

async function make(
  ctx: ServiceContext,
  catalogue: Pick<MediaCatalogue, "providerOf">,
  prompt: string,
  source: MediaSource | undefined,
  signal: AbortSignal,
) {
  const { entry } = await modelToUse(ctx);
  const provider = catalogue.providerOf(entry.key);
  if (provider === undefined) throw new HttpError(500, "the provider of this model is no longer connected");
  const request = { kind: "image", modelKey: entry.key, prompt, source } as const;
  try {
    const made = await provider.make(request, signal);
    if (made.type !== "file" || made.bytes.byteLength === 0) throw new HttpError(500, mediaErrors.noOutput);
    return { made, cost: mediaCost(entry, request, made) };
  } catch (thrown) {
    if (thrown instanceof HttpError) throw thrown;
    if (thrown instanceof Fault && thrown.code === "provider_empty") throw new HttpError(500, mediaErrors.noOutput);
    ctx.log[isTold(thrown) ? "warn" : "error"]({ error: thrown }, "a picture could not be made");
    throw new HttpError(500, isTold(thrown) ? thrown.message : broken);
  }
}

/**
 * Makes a picture for `userId`, or changes one of theirs, and keeps it as a new file.
 * @param signal ends the work; a picture that is made by then is paid for and kept all the same
 * Throws HttpError 400, 404, 429 or 500.
 */
export async function makeImage(
  ctx: ServiceContext,
  catalogue: Pick<MediaCatalogue, "providerOf">,
  userId: number,
  asked: { readonly prompt: string | undefined; readonly fileId: number | undefined; readonly edit: boolean },
  signal: AbortSignal,
): Promise<FileRow> {
  const prompt = await allowedText(ctx, "prompt", asked.prompt);
  let file: FileRow | undefined;
  if (asked.edit) {
    if (asked.fileId === undefined) throw new HttpError(400, "file_id: expected the ID of a picture, got none");
    file = await imageFile(ctx, userId, asked.fileId);
  }
  await checkQuota(ctx, userId);
  const source = file === undefined ? undefined : await readSource(ctx, file);
  const { made, cost } = await make(ctx, catalogue, prompt, source, signal);
  const stored = await storeGenerated(ctx, userId, nameAfter(prompt, made.extension), made.bytes);
  await charge(ctx, userId, cost);
  return stored;
}
