/** Tools of pictures and media jobs. No tool lists their models, so a model that is left out is the first that may be used. */
import { z } from "zod";
import type { JobKind, MediaJob } from "../../contract/media.ts";
import { checked } from "../body.ts";
import { fileRecord } from "../files/store.ts";
import { readRules, restrictionOf } from "../rules.ts";
import { identifier, tool, type ServiceTool, type ToolCall, type Tools } from "../tools/tool.ts";
import type { Media } from "./media.ts";
import { mediaModels } from "./models.ts";
import { jobRecord } from "./record.ts";

const id = z.int().nonnegative();
const words = (what: string) => z.string().trim().min(1).describe(what);
const modelId = id.optional().describe("ID of the model; left out, the first that you may use");

/** The model to use where none is named; undefined, and so a failure to create, where there is none. */
async function usualModel(ctx: ToolCall["ctx"], kind: JobKind): Promise<number | undefined> {
  const rules = await readRules(ctx.db);
  const models = await mediaModels(ctx, kind);
  return (models.find((model) => restrictionOf(rules, model) === undefined) ?? models[0])?.id;
}

const status = (media: Media, kind: JobKind, what: string): ServiceTool =>
  tool({
    description: `Reads ${what}: its status (queued, processing, done or error), its cost, its result or its error.`,
    input: z.strictObject({ id: identifier("job") }),
    run: async ({ ctx, caller }, args) => jobRecord(ctx, await media.job(caller.userId, kind, args.id)),
  });

const removal = (media: Media, kind: JobKind, what: string): ServiceTool =>
  tool({
    description: `Deletes ${what}. What it made stays among your files.`,
    input: z.strictObject({ id: id.describe("Numeric ID of the job") }),
    async run({ caller }, args) {
      await media.removeJob(caller.userId, kind, args.id);
      return { id: args.id, deleted: true };
    },
  });

export function mediaTools(media: Media) {
  /** Begins a job as its REST route does. @param field the body's field of the model */
  const begin = async (
    { ctx, caller }: ToolCall,
    kind: JobKind,
    field: string,
    { model_id, ...rest }: { readonly model_id?: number | undefined; readonly [name: string]: unknown },
  ): Promise<MediaJob> => {
    const body = { ...rest, [field]: model_id ?? (await usualModel(ctx, kind)) };
    const row = await media.createJob(caller.userId, kind, (schema) => Promise.resolve(checked(body, schema, "the arguments")));
    return jobRecord(ctx, row);
  };

  return {
    generate_image: tool({
      description: "Makes a picture of what the prompt says, and waits for it. Gives the file's record.",
      input: z.strictObject({ prompt: words("What the picture shows") }),
      async run({ ctx, caller, signal }, { prompt }) {
        return fileRecord(ctx, await media.makeImage(caller.userId, { prompt, fileId: undefined, edit: false }, signal));
      },
    }),
    edit_image: tool({
      description: "Makes a new picture from one of your pictures, and waits for it. Gives the new file's record.",
      input: z.strictObject({ prompt: words("What to change"), file_id: id.describe("ID of the picture's file") }),
      async run({ ctx, caller, signal }, { prompt, file_id: fileId }) {
        return fileRecord(ctx, await media.makeImage(caller.userId, { prompt, fileId, edit: true }, signal));
      },
    }),

    generate_video: tool({
      description: "Begins to make a film. Gives the job, to be read with get_video_generation_status until it is done.",
      input: z.strictObject({
        prompt: words("What the film shows"),
        model_id: modelId,
        aspect_ratio: z.string().optional().describe("Such as 16:9"),
        resolution: z.string().optional().describe("One that the model supports"),
        duration_seconds: z.int().optional().describe("Left out, the longest and dearest that the model makes"),
        starting_image_file_id: id.optional().describe("ID of a picture's file: the first frame"),
        last_frame_file_id: id.optional().describe("ID of a picture's file: the last frame; needs a first one"),
        reference_image_ids: z.array(id).optional().describe("IDs of pictures to go by; not beside frames"),
      }),
      run: (call, args) => begin(call, "video", "video_generation_model_id", args),
    }),
    get_video_generation_status: status(media, "video", "a film's job"),
    delete_video_generation: removal(media, "video", "a film's job"),

    generate_speech: tool({
      description: "Begins to speak a text. Gives the job, to be read with get_tts_generation_status until it is done.",
      input: z.strictObject({
        text: words("What is spoken"),
        model_id: modelId,
        voice: z.string().optional().describe("A voice of the model, by its name"),
      }),
      run: (call, args) => begin(call, "speech", "tts_generation_model_id", args),
    }),
    get_tts_generation_status: status(media, "speech", "a speech job"),
    delete_tts_generation: removal(media, "speech", "a speech job"),

    generate_music: tool({
      description: "Begins to make music. Gives the job, to be read with get_music_generation_status until it is done.",
      input: z.strictObject({
        prompt: words("What the music is like"),
        model_id: modelId,
        duration_seconds: z.int().optional().describe("How long it plays"),
        instrumental: z.boolean().optional().describe("True: nobody sings"),
      }),
      run: (call, args) => begin(call, "music", "music_generation_model_id", args),
    }),
    get_music_generation_status: status(media, "music", "a music job"),
    delete_music_generation: removal(media, "music", "a music job"),

    transcribe: tool({
      description: "Begins to write down a recording. Gives the job, to be read with get_transcription_status until it is done.",
      input: z.strictObject({ file_id: id.describe("ID of the recording's file"), model_id: modelId }),
      run: (call, args) => begin(call, "transcription", "transcription_model_id", args),
    }),
    get_transcription_status: status(media, "transcription", "a transcription"),
    delete_transcription: removal(media, "transcription", "a transcription"),
  } satisfies Tools;
}
