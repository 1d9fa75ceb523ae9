/** `/image`: a picture, or a change of one. */
import type { MediaOrder, Source } from "../media/order.ts";
import { placeKey } from "../place.ts";
import { refusal } from "../refusal.ts";
import { attachedPicture } from "./attached.ts";
import type { Command, CommandContext } from "./table.ts";

export const editOrder = (prompt: string, source: Source): MediaOrder => ({
  recipe: { by: "edit" },
  what: "a changed picture",
  prompt,
  model: null,
  details: [],
  price: null,
  sources: { file_id: source },
});

const noPicture = ({ limits }: CommandContext): string =>
  `There is no picture here to change. Make one with \`/image\`, or ${limits?.howToAttach("image") ?? "attach one"}; a picture is kept for a day.`;

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
    { name: "picture", help: "A picture of yours to change", type: "file", required: false },
  ],
  forEverybody: true,
  order: "now",
  deed: "media",
  tool: "generate_image",
  async run({ prompt = "", edit }, context) {
    const typed = /^edit(?::|\s)\s*/iu.exec(prompt);
    const attached = attachedPicture(context);
    if (attached !== undefined && "refusal" in attached) return attached;
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
