/** `/image`: a picture, or a change of one. */
import { editOrder } from "../media/edit-order.ts";
import type { Source } from "../media/order.ts";
import { placeKey } from "../place.ts";
import { refusal } from "../refusal.ts";
import { literalMarkdown } from "../words.ts";
import { attachedFile, newestFile } from "./attached.ts";
import { yesOrNo } from "./common-options.ts";
import { changeAttachedForm } from "./media-forms.ts";
import type { Command, CommandContext, CommandResult } from "./table.ts";

const noPicture = ({ limits }: CommandContext): string =>
  `There is no picture here to change. Make one with \`/image\`, post one here, or ${limits?.howToAttach("image") ?? "attach one"}.`;

/** The picture that was made last here, where it is a file of the account's; else the last that somebody has posted. */
async function newestHere(context: CommandContext): Promise<Source | undefined> {
  const { command, creations, account } = context;
  const made = await creations.pictures.get(placeKey(command.place));
  if (made?.account === account.id) return { file: made.id };
  const upload = await newestFile(context, "picture");
  return upload === undefined ? undefined : { upload };
}

/** Where a menu could open no form at once, its button does. */
function askHow(context: CommandContext): CommandResult {
  const picture = attachedFile(context, "picture");
  if (picture === undefined) return refusal("not_found", "There is no picture in that message.");
  return "refusal" in picture
    ? picture
    : { tell: `What is to be changed in “${literalMarkdown(picture.name)}”?`, form: changeAttachedForm(picture) };
}

export const image: Command = {
  name: "image",
  help: "Draw a picture; with edit, change the newest one here or one that you attach",
  options: [
    { name: "prompt", help: "What it is to show, or edit and what to change", type: "text", required: true },
    yesOrNo("edit", "Change the newest picture here instead of drawing a new one"),
    { name: "picture", help: "A picture of yours to change", type: "file", required: false },
  ],
  forEverybody: true,
  order: "now",
  deed: "media",
  tool: "generate_image",
  menu: { label: "Edit picture", help: "Have the picture of this message changed", takes: "picture", opensForm: true },
  form(context) {
    const picture = attachedFile(context, "picture");
    return Promise.resolve(picture === undefined || "refusal" in picture ? undefined : changeAttachedForm(picture));
  },
  async run({ prompt = "", edit }, context) {
    if (context.command.chosen === true) return askHow(context);
    const typed = /^edit(?::|\s)\s*/iu.exec(prompt);
    const upload = attachedFile(context, "picture");
    if (upload !== undefined && "refusal" in upload) return upload;
    const attached = upload && { upload };
    if (edit === "no" || (edit !== "yes" && typed === null && attached === undefined)) {
      const order = {
        recipe: { by: "image" },
        what: "a picture",
        prompt,
        model: null,
        details: [],
        price: null,
        sources: {},
      } as const;
      return { make: order };
    }
    const change = typed === null ? prompt : prompt.slice(typed[0].length);
    if (change.trim() === "") return refusal("bad_option", "Say what to change: `/image edit make the sky orange`.");
    const source = attached ?? (await newestHere(context));
    return source === undefined ? refusal("not_found", noPicture(context)) : { make: editOrder(change, source) };
  },
};
