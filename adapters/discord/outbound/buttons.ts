/** Buttons, what a press of one brings back, and the mark that tells whose message they stand on. */
import type { Action } from "../../../src/core/document.ts";
import { shorten } from "../../../src/core/shorten.ts";

/** https://docs.discord.com/developers/components/reference */
const longestLabel = 80;
const longestId = 100;
const buttonsInRow = 5;
const mostRows = 5;

const actionRow = 1;
const button = 2;
const styles: Readonly<Record<string, number>> = { retry: 1 };
const secondary = 2;
/** In the place of the action of a button that opens a form. */
const opens = "form";

export interface ActionRow {
  readonly type: typeof actionRow;
  readonly components: readonly {
    readonly type: typeof button;
    readonly style: number;
    readonly label: string;
    readonly custom_id: string;
  }[];
}

/** `mark action turn`, or the form's id in the place of the turn; without the mark where there is no room for it. */
function idOf({ action, turn, form }: Action, mark: string): string | undefined {
  const what = form === undefined ? `${action} ${turn}` : `${opens} ${form}`;
  return [`${mark} ${what}`, `- ${what}`].find((id) => id.length <= longestId);
}

/** The form that a pressed button opens; undefined when it opens none. */
export const readFormId = (id: string): string | undefined => {
  const read = readButtonId(id);
  return read?.action === opens ? read.turn : undefined;
};

/** What a pressed button's `custom_id` stands for; undefined when it is none of Parley's. */
export function readButtonId(id: string): { readonly action: string; readonly turn: string } | undefined {
  const [, action, turn] = /^\S+ (\S+) (.+)$/s.exec(id) ?? [];
  return action === undefined || turn === undefined ? undefined : { action, turn };
}

/** The ids of a message's buttons, of whatever Discord gives as its components. */
export function buttonIds(components: unknown): string[] {
  if (!Array.isArray(components)) return [];
  return components.flatMap((one: { custom_id?: unknown; components?: unknown } | null) => {
    if (typeof one !== "object" || one === null) return [];
    return [...(typeof one.custom_id === "string" ? [one.custom_id] : []), ...buttonIds(one.components)];
  });
}

/** Whether a message's components carry the mark. */
export const carriesMark = (components: unknown, mark: string): boolean =>
  buttonIds(components).some((id) => id.startsWith(`${mark} `));

/** Rows of buttons. An action whose turn has too long a key gets none. */
export function rowsOf(actions: readonly Action[], mark: string): ActionRow[] {
  const buttons = actions.flatMap((action) => {
    const id = idOf(action, mark);
    const style = styles[action.action] ?? secondary;
    return id === undefined
      ? []
      : [{ type: button, style, label: shorten(action.label, longestLabel) || "…", custom_id: id } as const];
  });
  const rows: ActionRow[] = [];
  for (let from = 0; from < buttons.length && rows.length < mostRows; from += buttonsInRow) {
    rows.push({ type: actionRow, components: buttons.slice(from, from + buttonsInRow) });
  }
  return rows;
}
