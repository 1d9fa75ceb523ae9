/** `/music`: a piece of music. */
import { chooseMediaModel } from "../media/models.ts";
import { refusal } from "../refusal.ts";
import { mediaModel, yesOrNo } from "./common-options.ts";
import type { Command } from "./table.ts";
import { secondsOf } from "./video.ts";

/** Where nothing is asked for: left out, a model may make as much as it can. */
const usualSeconds = 30;

export const music: Command = {
  name: "music",
  help: "Make a piece of music",
  options: [
    { name: "prompt", help: "What it is to sound like", type: "text", required: true },
    mediaModel("music_models"),
    { name: "seconds", help: "How long; without it 30 seconds", type: "text", required: false },
    yesOrNo("instrumental", "Without singing"),
  ],
  forEverybody: true,
  order: "now",
  deed: "media",
  tool: "generate_music",
  async run({ prompt = "", model: wish, seconds, instrumental }, { lists, signal }) {
    const model = chooseMediaModel(await lists.musicModels({ signal }), wish, "music");
    if ("refusal" in model) return model;
    const length = secondsOf(seconds) ?? usualSeconds;
    if (!Number.isSafeInteger(length) || length < 1)
      return refusal("bad_option", `“${seconds}” is no number of seconds: expected a whole one, as 30.`);
    const sung = instrumental === undefined ? {} : { instrumental: instrumental === "yes" };
    return {
      make: {
        recipe: {
          by: "job",
          kind: "music",
          body: { music_generation_model_id: model.ID, prompt, duration_seconds: length, ...sung },
        },
        what: "music",
        prompt,
        model: model.name,
        details: [`${length} s`, ...(instrumental === "yes" ? ["instrumental"] : [])],
        price: null,
        sources: {},
      },
    };
  },
};
