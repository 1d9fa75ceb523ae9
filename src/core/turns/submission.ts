/** Runs what a form is for, once it was filled in to its last page. */
import type { Account } from "../accounts.ts";
import type { CommandResult } from "../commands/table.ts";
import type { Action } from "../document.ts";
import { fieldsOf, pageOf, type FormBook, type KeptForm } from "../forms/book.ts";
import { checkValues, filledIn, type CheckedValues } from "../forms/check.ts";
import type { FormPurpose, FormResult } from "../forms/purpose.ts";
import type { FormField } from "../forms.ts";
import type { InboundCommand, InboundSubmission } from "../inbound.ts";
import { refusal } from "../refusal.ts";
import { onBehalfOf } from "./account.ts";
import { perform } from "./command.ts";
import { refuse } from "./notices.ts";
import { answerWith, type Commanding, type Origin } from "./result.ts";
import type { TurnRun } from "./run.ts";
import { done, type Ending } from "./settle.ts";
import { formAction } from "./show.ts";

export interface Submitting extends Commanding {
  readonly forms: FormBook;
  readonly purposeOf: (kind: string) => FormPurpose | undefined;
}

const closed = "This form is no longer open: it is kept for a day, and can be sent once. Ask for it again.";

/** What was expected, a line for each field by its label. */
const linesOf = (fields: readonly FormField[], problems: Readonly<Record<string, string>>): string =>
  Object.entries(problems)
    .map(([name, problem]) => `${fields.find((field) => field.name === name)?.label ?? name}: ${problem}`)
    .join("\n");

export async function runSubmission(run: TurnRun, inbound: InboundSubmission, submitting: Submitting): Promise<Ending> {
  const { forms } = submitting;
  const { kind: _kind, form: _form, values: _values, ...around } = inbound;
  const asked: Origin = { ...around, files: [] };
  const { key, place, author } = asked;

  const kept = await forms.find(inbound.form);
  const theirs = kept?.place.platform === place.platform && kept.place.tenant === place.tenant && kept.person.id === author.id;
  if (kept === undefined || !theirs) return refuse(run, asked, closed);
  const purpose = submitting.purposeOf(kept.draft.purpose.kind);
  if (purpose === undefined) return refuse(run, asked, "This form is of another version of Parley. Ask for it again.");
  // Before the form is spent: who is refused for now may send it again.
  const chosen = purpose.deed === null ? null : await submitting.accountFor(purpose.deed);
  if (chosen !== null && "refusal" in chosen) return submitting.deny(chosen.refusal);
  const account = chosen?.account ?? submitting.shared;
  if (!(await forms.spend(kept, key))) return refuse(run, asked, closed);
  // A former owner of this turn has done it all, and did not come to close the turn.
  if (kept.finished === true) return done;
  const spent: KeptForm = { ...kept, spentBy: key };

  const fields = fieldsOf(kept);
  /** The page once more, with what was typed, and what was expected of it. */
  const offerAgain = async (problems: Readonly<Record<string, string>>): Promise<CommandResult> => {
    const again = await forms.again(kept, filledIn(fields, inbound.values));
    return { ...refusal("bad_option", linesOf(kept.draft.fields, problems)), actions: [open("Correct it", again)] };
  };
  const open = (label: string, form: KeptForm): Action => formAction(label, key, form.id);

  const { values, problems } = checkValues(fields, inbound.values);
  const work = async (signal: AbortSignal): Promise<CommandResult> => {
    const result = await runPurpose(purpose, spent, { ...kept.carried, ...values }, asked, account, signal, submitting);
    return "wrong" in result ? offerAgain(result.wrong) : result;
  };
  const answer = (what: { readonly slow?: true | undefined }, give: (signal: AbortSignal) => Promise<CommandResult>) =>
    answerWith(
      run,
      asked,
      { command: asCommand(asked, purpose.kind), deed: purpose.deed, slow: what.slow, onBehalf: onBehalfOf(chosen) },
      give,
      submitting,
    );

  let ending: Ending;
  if (Object.keys(problems).length > 0) {
    ending = await answer({}, () => offerAgain(problems));
  } else {
    const next = await forms.next(kept, values);
    ending =
      next === null
        ? await answer(purpose, work)
        : await answer({}, () =>
            Promise.resolve({ tell: `Noted. Page ${pageOf(next) ?? ""} comes next.`, actions: [open("Continue", next)] }),
          );
  }
  await forms.finish(spent);
  return { ...ending, kind: `form ${purpose.kind}` };
}

const asCommand = (asked: Origin, name: string, options: Readonly<Record<string, string>> = {}): InboundCommand => ({
  kind: "command",
  ...asked,
  name,
  options,
  text: "",
});

function runPurpose(
  purpose: FormPurpose,
  kept: KeptForm,
  values: CheckedValues,
  asked: Origin,
  account: Account,
  signal: AbortSignal,
  submitting: Submitting,
): Promise<FormResult> {
  return purpose.run(kept.draft.purpose.data, values, {
    ...submitting.context(asCommand(asked, purpose.kind), { account, deed: purpose.deed }, signal),
    perform(name, options) {
      const given = Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return perform(asCommand(asked, name, Object.fromEntries(given)), signal, submitting);
    },
  });
}
