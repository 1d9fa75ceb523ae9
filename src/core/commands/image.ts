/** `/image`: a picture, or a change of one. */
import type { MediaOrder, Source } from "../media/order.ts";
import { placeKey } from "../place.ts";
import { refusal } from "../refusal.ts";
import type { Command, CommandContext } from "./table.ts";

const isPicture = (mediaType: string): boolean => mediaType.startsWith("image/");

/** The picture attached to a command, if there is one. */
export const attachedPicture = ({ command }: Pick<CommandContext, "command">): Source | undefined => {
  const upload = command.files.find(({ mediaType }) => isPicture(mediaType));
  return upload === undefined ? undefined : { upload };
};

export const editOrder = (prompt: string, source: Source): MediaOrder => ({
  recipe: { by: "edit" },
  what: "a changed picture",
  prompt,
  model: null,
  details: [],
  price: null,
  sources: { file_id: source },
});

const noPicture =
  "There is no picture here to change. Make one with `/image`, or attach one to the command; a picture is kept for a day.";

/** The picture that was made last here, where it is a file of the account's. */
async function newestHere({ command, creations, account }: CommandContext): Promise<Source | undefined> {
  const newest = await creations.pictures.get(placeKey(command.place));
  return newest?.account === account.id ? { file: newest.id } : undefined;
}

export const image: Command = {
  name: "image",
  help: "Draw a picture; with edit, change the newest one here or one that you attach",
  options: [
    { name: "prompt", help: "What it is to show, or edit and what to change", type: "text", required: true },
    {
      name: "edit",
      help: "Change the newest picture here instead of drawing a new one",
      type: "choice",
      required: false,
      choices: [
        { value: "yes", label: "Yes" },
        { value: "no", label: "No" },
      ],
    },
  ],
  forEverybody: true,
  order: "now",
  deed: "media",
  tool: "generate_image",
  async run({ prompt = "", edit }, context) {
    const typed = /^edit(?::|\s)\s*/iu.exec(prompt);
    const attached = attachedPicture(context);
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
    return source === undefined ? refusal("not_found", noPicture) : { make: editOrder(change, source) };
  },
};
