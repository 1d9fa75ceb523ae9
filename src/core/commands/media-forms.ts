/** The forms that a finished picture offers: another picture of it, and a film. */
import { formPurpose, textIn } from "../forms/purpose.ts";
import type { FormDraft, FormField } from "../forms.ts";
import type { InboundFile } from "../inbound.ts";
import type { Picture } from "../media/creations.ts";
import { editOrder } from "../media/edit-order.ts";
import { refusal } from "../refusal.ts";
import type { CommandContext } from "./table.ts";
import { orderFilm } from "./video.ts";

const othersFile = refusal(
  "others_conversation",
  "This picture belongs to another account. Download it, and attach it to your command.",
);
const isOwn = ({ account }: CommandContext, picture: Picture): boolean => account.id === picture.account;

export const changePurpose = formPurpose<Picture>({
  kind: "change_picture",
  order: "now",
  deed: "media",
  run: (picture, values, context) =>
    Promise.resolve(isOwn(context, picture) ? { make: editOrder(textIn(values, "prompt"), { file: picture.id }) } : othersFile),
});

/** A picture of the chat, which is uploaded once it is sent. */
export const changeAttachedPurpose = formPurpose<InboundFile>({
  kind: "change_attached_picture",
  order: "now",
  deed: "media",
  run: (upload, values) => Promise.resolve({ make: editOrder(textIn(values, "prompt"), { upload }) }),
});

export const filmPurpose = formPurpose<Picture>({
  kind: "film_of_picture",
  order: "now",
  deed: "media",
  async run(picture, values, context) {
    if (!isOwn(context, picture)) return othersFile;
    const [prompt, model, seconds] = [textIn(values, "prompt"), textIn(values, "model"), textIn(values, "seconds")];
    return orderFilm({ prompt, model, seconds, ratio: undefined, resolution: undefined, start: { file: picture.id } }, context);
  },
});

const prompt = (label: string): FormField => ({ name: "prompt", label, type: "long", required: true, max: 2_000 });

export const changeForm = (picture: Picture): FormDraft => ({
  title: "Change the picture",
  submit: "Change it",
  open: "Change it",
  fields: [prompt("What to change")],
  forEverybody: true,
  purpose: changePurpose.about(picture),
});

export const changeAttachedForm = (picture: InboundFile): FormDraft => ({
  title: "Change the picture",
  submit: "Change it",
  open: "Change it",
  fields: [{ ...prompt("What to change"), help: picture.name.slice(0, 100) }],
  forEverybody: true,
  purpose: changeAttachedPurpose.about(picture),
});

export const filmForm = (picture: Picture): FormDraft => ({
  title: "Make a film of it",
  submit: "Make it",
  open: "Make a film of it",
  fields: [
    prompt("What happens in it"),
    {
      name: "model",
      label: "Model",
      help: "Without it the one that the workspace preselects",
      type: "text",
      required: false,
      source: "video_models",
    },
    { name: "seconds", label: "Seconds", help: "Without it 5, where the model can", type: "number", required: false },
  ],
  forEverybody: true,
  purpose: filmPurpose.about(picture),
});
