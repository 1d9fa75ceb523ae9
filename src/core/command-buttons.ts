/** Buttons that run a command, as if their person had typed it: in lists, for what comes next, and to confirm. */
import type { Options } from "./commands/table.ts";
import type { Action } from "./document.ts";
import type { InboundAction, InboundCommand, Person } from "./inbound.ts";
import type { Place } from "./place.ts";
import { refusal } from "./refusal.ts";

export interface CommandButton {
  readonly label: string;
  readonly name: string;
  readonly options: Readonly<Record<string, string>>;
}

export interface KeptButton {
  readonly name: string;
  readonly options: Options;
  /** Pressing it says yes to what the command has proposed. */
  readonly confirms?: true;
  /** The turn in which what it confirms is being done, or was. */
  readonly begun?: string;
  /** Whom it was shown to, and where they asked. */
  readonly person: string;
  readonly place: Place;
  readonly direct?: boolean;
}

/** What whoever presses one that they cannot is told. */
export const tooOld = refusal(
  "not_found",
  "This button is another person's, or more than a day old. Ask for it again with the command itself.",
).refusal;

/** A map whose entries end by themselves; what it keeps is to be sealed. */
export interface ButtonMap {
  get(key: string): Promise<KeptButton | undefined>;
  set(key: string, value: KeptButton, ttlMs: number): Promise<unknown>;
}

export interface ButtonFor {
  readonly place: Place;
  readonly author: Person;
  readonly direct?: boolean;
}

export interface ButtonBook {
  /**
   * @param kind of all of them: without it they only run their command
   * @returns the buttons as they are shown
   */
  keep(buttons: readonly CommandButton[], to: ButtonFor, kind?: Pick<KeptButton, "confirms">): Promise<readonly Action[]>;
  /** The command that a press stands for; undefined: another person's, of another channel, or a day old. */
  pressed(action: InboundAction): Promise<InboundCommand | undefined>;
  /**
   * Begins what was confirmed. False: it was begun before.
   * @param turn that does it
   */
  begin(id: string, turn: string): Promise<boolean>;
}

/** How long a button can be pressed, in ms. */
const buttonKeptMs = 24 * 60 * 60_000;

/** Followed by a letter, as platforms tell the buttons of a message apart by their actions. */
const prefix = "run-";
export const isCommandButton = (action: string): boolean => action.startsWith(prefix);
/** Buttons that one message has room for, with two more beside them, on every platform. */
const mostButtons = 20;

/** @param newId short, of letters and digits, and not to be guessed */
export function createButtonBook(map: ButtonMap, newId: () => string): ButtonBook {
  const keepOne = async (
    { name, options }: CommandButton,
    { place, author, direct }: ButtonFor,
    kind: Pick<KeptButton, "confirms">,
  ): Promise<string> => {
    const id = newId();
    const kept: KeptButton = {
      name,
      options,
      ...kind,
      person: author.id,
      place,
      ...(direct === undefined ? {} : { direct }),
    };
    await map.set(id, kept, buttonKeptMs);
    return id;
  };
  return {
    async keep(buttons, to, kind = {}) {
      const actions: Action[] = [];
      for (const [index, button] of buttons.slice(0, mostButtons).entries()) {
        const action = prefix + String.fromCharCode("a".charCodeAt(0) + index);
        actions.push({ action, label: button.label, turn: await keepOne(button, to, kind) });
      }
      return actions;
    },
    async pressed({ key, place, author, at, turn, readers }) {
      const kept = await map.get(turn);
      if (kept === undefined || kept.person !== author.id) return undefined;
      if (kept.place.platform !== place.platform || kept.place.channel !== place.channel) return undefined;
      return {
        kind: "command",
        key,
        place: kept.place,
        author,
        at,
        name: kept.name,
        options: kept.options as InboundCommand["options"],
        text: "",
        files: [],
        ...(kept.direct === undefined ? {} : { direct: kept.direct }),
        ...(readers === undefined ? {} : { readers }),
        ...(kept.confirms === undefined ? {} : { confirmed: turn }),
      };
    },
    async begin(id, turn) {
      const kept = await map.get(id);
      if (kept === undefined || kept.begun !== undefined) return false;
      await map.set(id, { ...kept, begun: turn }, buttonKeptMs);
      return true;
    },
  };
}
