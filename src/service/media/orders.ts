/** What a create call asks for, checked: the model, and the options as they are stored with the job. */
import { mediaErrors } from "../../contract/errors.ts";
import { musicBody, speechBody, transcriptionBody, videoBody, type JobKind } from "../../contract/media.ts";
import type { z } from "zod";
import type { ServiceContext } from "../context.ts";
import { HttpError } from "../http-error.ts";
import { guardText } from "../rules.ts";
import { mediaModelById, type StoredMediaModel } from "./models.ts";
import { sourceFile } from "./sources.ts";
import { videoOptions, type VideoOptions } from "./video-order.ts";

export interface JobOptions {
  video: VideoOptions;
  speech: { readonly text: string; readonly voice: string | null };
  music: { readonly prompt: string; readonly seconds: number | null; readonly instrumental: boolean };
  transcription: { readonly fileId: number };
}

export interface Order {
  readonly model: StoredMediaModel;
  readonly options: JobOptions[JobKind];
}

type Context = Pick<ServiceContext, "db" | "dataDir">;
type Read = <T extends z.ZodType>(schema: T) => Promise<z.output<T>>;

/** Seconds of music at most; the interface names no limit, a disk has one. */
const longestMusic = 600;

/** A text that may be sent. Throws HttpError 400 without one, and where the workspace's rules forbid it. */
export async function allowedText(ctx: Context, field: string, text: string | undefined): Promise<string> {
  if (text === undefined || text.trim() === "") throw new HttpError(400, `${field}: expected a text, got none`);
  await guardText(ctx, text, "code");
  return text;
}

/** The model of the kind. Throws HttpError 500 without one, and for one that is unknown: so says the interface. */
async function modelOf(ctx: Context, kind: JobKind, id: number | undefined): Promise<StoredMediaModel> {
  const model = id === undefined ? undefined : await mediaModelById(ctx, kind, id);
  if (model === undefined) throw new HttpError(500, mediaErrors.jobNotCreated(kind));
  return model;
}

function musicSeconds(asked: number | undefined): number | null {
  if (asked !== undefined && (asked < 1 || asked > longestMusic))
    throw new HttpError(400, `duration_seconds: expected 1 to ${longestMusic}, got ${asked}`);
  return asked ?? null;
}

const readers: { readonly [K in JobKind]: (ctx: Context, userId: number, read: Read) => Promise<Order> } = {
  async video(ctx, userId, read) {
    const body = await read(videoBody);
    const prompt = await allowedText(ctx, "prompt", body.prompt);
    const model = await modelOf(ctx, "video", body.video_generation_model_id);
    const { video } = model.entry;
    if (video === undefined) throw new Error(`the film model ${model.entry.key} does not say what it can do`);
    return { model, options: await videoOptions(ctx, userId, video, prompt, body) };
  },
  async speech(ctx, _userId, read) {
    const body = await read(speechBody);
    const text = await allowedText(ctx, "text", body.text);
    const model = await modelOf(ctx, "speech", body.tts_generation_model_id);
    return { model, options: { text, voice: body.voice ?? null } };
  },
  async music(ctx, _userId, read) {
    const body = await read(musicBody);
    const prompt = await allowedText(ctx, "prompt", body.prompt);
    const model = await modelOf(ctx, "music", body.music_generation_model_id);
    const seconds = musicSeconds(body.duration_seconds);
    return { model, options: { prompt, seconds, instrumental: body.instrumental ?? false } };
  },
  async transcription(ctx, userId, read) {
    const body = await read(transcriptionBody);
    const model = await modelOf(ctx, "transcription", body.transcription_model_id);
    if (body.file_id === undefined) throw new HttpError(400, "file_id: expected the ID of a recording, got none");
    const file = await sourceFile(ctx, userId, body.file_id);
    return { model, options: { fileId: file.id } };
  },
};

/** The order in a request's body. Throws HttpError 400, 404 or 500. */
export const readOrder = (ctx: Context, userId: number, kind: JobKind, read: Read): Promise<Order> =>
  readers[kind](ctx, userId, read);
