/** `/video`: a film, also one that begins with a picture. */
import { chooseMediaModel } from "../media/models.ts";
import type { Source } from "../media/order.ts";
import { planVideo, videoBodyOf } from "../media/video-options.ts";
import { refusal } from "../refusal.ts";
import { attachedFile } from "./attached.ts";
import { mediaModel } from "./common-options.ts";
import type { Command, CommandContext, CommandResult } from "./table.ts";

export interface FilmWish {
  readonly prompt: string;
  readonly model: string | undefined;
  readonly ratio: string | undefined;
  readonly resolution: string | undefined;
  readonly seconds: string | undefined;
  /** Its first frame. */
  readonly start: Source | undefined;
}

const given = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === "" ? undefined : value.trim();

/** Whole seconds, as `5` or `5 s`. NaN for anything else. */
export const secondsOf = (value: string | undefined): number | undefined => {
  const text = given(value);
  return text === undefined ? undefined : Number(/^(\d{1,5})\s*(?:s|sec|seconds)?$/iu.exec(text)?.[1] ?? NaN);
};

/** Checks a wish by its model's own data, before anything is spent. */
export async function orderFilm(
  wish: FilmWish,
  { lists, signal }: Pick<CommandContext, "lists" | "signal">,
): Promise<CommandResult> {
  const model = chooseMediaModel(await lists.videoModels({ signal }), wish.model, "films");
  if ("refusal" in model) return model;
  const seconds = secondsOf(wish.seconds);
  if (Number.isNaN(seconds))
    return refusal("bad_option", `“${wish.seconds}” is no number of seconds: expected a whole one, as 5.`);
  const plan = planVideo(model, {
    aspectRatio: given(wish.ratio),
    resolution: given(wish.resolution),
    seconds,
    start: wish.start !== undefined,
    last: false,
    references: 0,
  });
  if ("problem" in plan) return refusal("bad_option", plan.problem);
  const form = [plan.aspect_ratio, plan.resolution, `${plan.duration_seconds} s`];
  return {
    make: {
      recipe: { by: "job", kind: "video", body: { ...videoBodyOf(model, wish.prompt, plan) } },
      what: "a film",
      prompt: wish.prompt,
      model: model.name,
      details: form.filter((part) => part !== undefined),
      price: plan.price,
      sources: wish.start === undefined ? {} : { starting_image_file_id: wish.start },
    },
  };
}

export const video: Command = {
  name: "video",
  help: "Make a film; a picture that you attach is its first frame",
  options: [
    { name: "prompt", help: "What it is to show", type: "text", required: true },
    mediaModel("video_models"),
    { name: "ratio", help: "Aspect ratio, as 16:9", type: "text", required: false },
    { name: "resolution", help: "Resolution, as 720p", type: "text", required: false },
    { name: "seconds", help: "How long; without it 5 seconds, where the model can", type: "text", required: false },
    { name: "picture", help: "A picture that it begins with", type: "file", required: false },
  ],
  forEverybody: true,
  order: "now",
  deed: "media",
  tool: "generate_video",
  async run({ prompt = "", model, ratio, resolution, seconds }, context) {
    const upload = attachedFile(context, "picture");
    if (upload !== undefined && "refusal" in upload) return upload;
    return orderFilm({ prompt, model, ratio, resolution, seconds, start: upload && { upload } }, context);
  },
};
