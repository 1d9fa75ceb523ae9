/** Shows what was made: its file, once, with what can be done with it next. */
import type { Action } from "../document.ts";
import { changeForm, filmForm } from "../commands/media-forms.ts";
import { keptMs, makeName, type Creation, type MadeFile } from "../media/creations.ts";
import type { Fetched } from "../media/fetch.ts";
import type { Transcript } from "../media/transcript.ts";
import { viewOf } from "../media/view.ts";
import { mayUse } from "../tools/offered.ts";
import { placeKey, type Place } from "../place.ts";
import type { OutboundFile } from "../platform.ts";
import type { Making } from "./making.ts";
import { permittedWrites } from "./permitted.ts";
import type { TurnRun } from "./run.ts";
import { settled, type Ending } from "./settle.ts";
import { formAction } from "./show.ts";
import type { Outcome } from "./store.ts";

/** A result, and what the workspace says that it cost. */
export interface Made {
  readonly file: MadeFile | null;
  /** Of a transcription. */
  readonly transcript: Transcript | null;
  readonly cost: string | null;
}

/** Ends the turn with a notice. @param button of another try; null where there is none to be had */
export type Fail = (notice: string, button: string | null, outcome: Outcome, more?: Partial<Ending>) => Promise<Ending>;

/** Begins what was agreed to, or tries it again. @param turn whose document the button stands in */
export const makeAction = (label: string, turn: string): Action => ({ action: makeName, label, turn });

/** Keeps a finished picture for the next message of its place. */
export const carryName = "carry";

/** Where people go on with it: the thread that its message begins, or the place itself. */
function placesOf(
  run: TurnRun,
  { place, direct }: Creation,
): { readonly inThread: boolean; readonly all: () => readonly Place[] } {
  const inThread = place.thread === null && direct !== true;
  return {
    inThread,
    all() {
      const [first] = run.progress().delivery.messages;
      return inThread && first !== undefined ? [place, { ...place, thread: first.id }] : [place];
    },
  };
}

/** What is attached of the file and of a transcript's, and lines about what is not. */
function attachable(
  fetched: Fetched,
  transcript: Transcript | null,
  fileBytes: number,
): { readonly list: readonly OutboundFile[]; readonly notices: readonly string[] } {
  const written = transcript?.files ?? [];
  const isTooLarge = ({ bytes }: OutboundFile): boolean => bytes.byteLength > fileBytes;
  const tooLarge = written
    .filter(isTooLarge)
    .map(({ name }) => `“${name}” is too large to be attached here. The words are in the workspace.`);
  return {
    list: [...fetched.list, ...written.filter((file) => !isTooLarge(file))],
    notices: [...fetched.notices, ...tooLarge],
  };
}

export async function showMade(
  run: TurnRun,
  creation: Creation,
  { file, transcript, cost, footer }: Made & { readonly footer: string | null },
  making: Making,
  signal: AbortSignal,
  fail: Fail,
): Promise<Ending> {
  const { order } = creation;
  const view = viewOf(creation.author.name, order);
  const relay = run.relay();
  if (file === null && transcript === null) {
    const words = order.recipe.by === "job" && order.recipe.kind === "transcription";
    const nothing = words
      ? "The workspace says that this is finished, and that it heard no words in it."
      : "The workspace says that this is finished, and gives no file.";
    return fail(nothing, null, "failed", credits(cost));
  }
  // An earlier owner of the turn has attached it already.
  const missing = file !== null && run.progress().delivery.attached === null;
  if (missing) relay.show(view.working("Fetching the file…"));
  let troubled = false;
  const fetched = await making.fetch({
    workspace: making.account.workspace,
    files: missing ? [file] : [],
    fileBytes: run.platform.limits.fileBytes,
    signal,
    onTrouble(thrown) {
      troubled = true;
      run.log.warn({ err: thrown, turn: run.turn.key }, "a file that was made could not be fetched");
    },
  });
  try {
    const { links } = fetched;
    const { list, notices } = attachable(fetched, transcript, run.platform.limits.fileBytes);
    const nothing = missing && list.length === 0 && links === "";
    if (nothing && troubled) return await fail(notices.join("\n"), "Try again", "failed", credits(cost));
    const places = placesOf(run, creation);
    const final = view.done({
      text: [transcript?.shown ?? null, links].filter((part) => part !== null && part !== "").join("\n\n") || null,
      notice: notices.length === 0 ? null : notices.join("\n"),
      files: list.length === 0 ? undefined : { list, inThread: places.inThread },
      footer,
      actions: [],
    });
    const ending: Ending = { outcome: "answered", keepText: false, ...credits(cost) };
    relay.show(final);
    const shown = await settled(run, making.clock, ending);
    if (shown.outcome !== "answered" || file === null || order.recipe.by === "job") return shown;
    relay.show({ ...final, actions: await nextSteps(run, creation, file, places.all(), making, signal) });
    return await settled(run, making.clock, ending);
  } finally {
    fetched.release();
  }
}

const credits = (cost: string | null): Partial<Ending> => (cost === null ? {} : { credits: cost });

/** What a finished picture can become. */
async function nextSteps(
  run: TurnRun,
  creation: Creation,
  file: MadeFile,
  places: readonly Place[],
  { creations, offer, account: { lists } }: Making,
  signal: AbortSignal,
): Promise<readonly Action[]> {
  const { key } = run.turn;
  const { author, direct } = creation;
  const { id, name, account } = file;
  const picture = { id, name, account };
  const pictures = permittedWrites(creations.pictures, run.lease, ["set"]);
  for (const place of places) await pictures.set(placeKey(place), picture, keptMs);
  const place = places.at(-1) ?? run.turn.inbound.place;
  const orders = permittedWrites(creations.orders, run.lease, ["set"]);
  await orders.set(key, { ...creation, result: file, shownAt: place }, keptMs);
  const asked = { place, author, ...(direct === undefined ? {} : { direct }) };
  const [changes, films] = [await mayUse(lists, "edit_image", { signal }), await mayUse(lists, "generate_video", { signal })];
  return [
    ...(changes ? [formAction("Change it", key, await offer(changeForm(picture), asked))] : []),
    ...(films ? [formAction("Make a film of it", key, await offer(filmForm(picture), asked))] : []),
    { action: carryName, label: "Use in next message", turn: key },
  ];
}
