/** The forms that were offered: kept sealed for a day, each for one person, sent once. */
import type { Clock } from "../../clock.ts";
import type { CheckedValues } from "./check.ts";
import type { Form, FormDraft, FormField } from "../forms.ts";
import type { Person } from "../inbound.ts";
import type { Place } from "../place.ts";

/** A map whose entries end by themselves; what it keeps is to be sealed, as secrets may be among it. */
export interface FormMap {
  get(key: string): Promise<KeptForm | undefined>;
  set(key: string, value: KeptForm, ttlMs: number): Promise<unknown>;
}

/** How long a form can be opened and sent, in ms. */
export const formKeptMs = 24 * 60 * 60_000;

/** Whom a form is for, and where what it does is done. */
export interface FormFor {
  readonly person: Person;
  readonly place: Place;
  readonly direct?: boolean;
}

export interface KeptForm extends FormFor {
  readonly id: string;
  /** The whole form, of all its pages. */
  readonly draft: FormDraft;
  /** The first field of this page. */
  readonly from: number;
  /** Fields of a page. */
  readonly size: number;
  /** Checked values of the pages before. */
  readonly carried: CheckedValues;
  readonly madeAt: number;
  /** The key of the submission that it was sent with: another one comes to nothing. */
  readonly spentBy?: string;
  /** What it was for is done. */
  readonly finished?: true;
}

export interface FormBook {
  /** @param size fields that the platform shows at once: `limits.formFields` */
  offer(draft: FormDraft, to: FormFor, size: number): Promise<KeptForm>;
  /** The page behind `kept`, with what was filled in so far. Null: `kept` is the last. */
  next(kept: KeptForm, values: CheckedValues): Promise<KeptForm | null>;
  /** The same page once more, with other fields in the place of its own. */
  again(kept: KeptForm, fields: readonly FormField[]): Promise<KeptForm>;
  /** Undefined: never made, or older than a day. */
  find(id: string): Promise<KeptForm | undefined>;
  /** False when another submission has spent it. Submissions of one form are one lane, so two never race for it. */
  spend(kept: KeptForm, by: string): Promise<boolean>;
  /** What it was for is done: nothing that was filled in is kept any longer. */
  finish(kept: KeptForm): Promise<void>;
}

export const fieldsOf = ({ draft, from, size }: KeptForm): readonly FormField[] => draft.fields.slice(from, from + size);
const isLast = ({ draft, from, size }: KeptForm): boolean => from + size >= draft.fields.length;

/** `page 1 of 2`; null where there is but one. */
export function pageOf({ draft, from, size }: KeptForm): string | null {
  const pages = Math.ceil(draft.fields.length / size);
  return pages <= 1 ? null : `${from / size + 1} of ${pages}`;
}

/** As its platform shows it. */
export function formOf(kept: KeptForm): Form {
  const { id, draft } = kept;
  const page = pageOf(kept);
  return {
    id,
    title: page === null ? draft.title : `${draft.title} (${page})`,
    submit: isLast(kept) ? draft.submit : "Continue",
    fields: fieldsOf(kept),
    place: kept.place,
    ...(kept.direct === true ? { direct: true } : {}),
    ...(isLast(kept) && draft.forEverybody === true ? { forEverybody: true } : {}),
  };
}

/** @param newId short, of letters and digits, and not to be guessed */
export function createFormBook(map: FormMap, clock: Clock, newId: () => string): FormBook {
  const keep = async (kept: KeptForm): Promise<KeptForm> => {
    await map.set(kept.id, kept, Math.max(1, kept.madeAt + formKeptMs - clock.now()));
    return kept;
  };
  const anew = (kept: KeptForm, change: Partial<KeptForm>): Promise<KeptForm> => {
    const { spentBy: _spent, finished: _finished, ...rest } = kept;
    return keep({ ...rest, ...change, id: newId(), madeAt: clock.now() });
  };
  return {
    offer: (draft, { person, place, direct }, size) =>
      keep({
        id: newId(),
        draft,
        person: { id: person.id, name: person.name },
        place,
        ...(direct === undefined ? {} : { direct }),
        from: 0,
        size,
        carried: {},
        madeAt: clock.now(),
      }),
    async next(kept, values) {
      if (isLast(kept)) return null;
      return anew(kept, { from: kept.from + kept.size, carried: { ...kept.carried, ...values } });
    },
    again(kept, fields) {
      const all = [...kept.draft.fields];
      all.splice(kept.from, fields.length, ...fields);
      return anew(kept, { draft: { ...kept.draft, fields: all } });
    },
    find: (id) => map.get(id),
    async spend(kept, by) {
      if (kept.spentBy !== undefined) return kept.spentBy === by;
      await keep({ ...kept, spentBy: by });
      return true;
    },
    async finish(kept) {
      const purpose = { kind: kept.draft.purpose.kind, data: null };
      const draft = { ...kept.draft, purpose, fields: kept.draft.fields.map(({ value: _value, ...field }) => field) };
      // It stays known as spent: whoever presses its button once more is told so.
      await keep({ ...kept, draft, carried: {}, finished: true });
    },
  };
}
