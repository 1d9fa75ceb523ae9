/** Forms on the page: given to it to be shown, and taken in filled in. */
import type { Clock } from "../../src/clock.ts";
import type { Directory } from "../../src/core/commands/types.ts";
import { checkValues } from "../../src/core/forms/check.ts";
import type { Form, FormValues } from "../../src/core/forms.ts";
import type { Inbox, Person } from "../../src/core/inbound.ts";
import { keyOf, personId } from "./inbound.ts";
import { notStored, refused, type Refused } from "./refusals.ts";

export interface FormSending {
  form(id: string): Promise<Form | Refused>;
  /**
   * @param submission made by the page: the same id is the same submission
   * @returns `problems`: what was expected, by field name; nothing was sent
   */
  submit(
    submission: string,
    id: string,
    values: FormValues,
  ): Promise<"sent" | Refused | { readonly problems: Readonly<Record<string, string>> }>;
}

const gone = (): Refused =>
  refused(
    409,
    "This form is no longer open: it was made for somebody else, was sent already, or is more than a day old. Ask for it again.",
  );

export interface FormSendingOptions {
  readonly directory: Directory;
  /** Null while nothing is taken in. */
  readonly inbox: () => Inbox | null;
  readonly personName: () => Promise<string>;
  readonly clock: Clock;
}

export function createFormSending({ directory, inbox, personName, clock }: FormSendingOptions): FormSending {
  const person = async (): Promise<Person> => ({ id: personId, name: await personName() });
  return {
    form: async (id) => (await directory.form(id, await person())) ?? gone(),
    async submit(submission, id, values) {
      const to = inbox();
      if (to === null) return refused(503, "Not sent: Parley is starting or stopping. Try again in a moment.");
      const author = await person();
      const form = await directory.form(id, author);
      if (form === undefined) return gone();
      const { problems } = checkValues(form.fields, values);
      if (Object.keys(problems).length > 0) return { problems };
      const { place, direct } = form;
      const key = keyOf({ channel: place.channel, id: submission }, "submission");
      try {
        const about = direct === true ? { direct } : {};
        await to.receive({ kind: "submission", key, place, author, at: clock.now(), form: id, values, ...about });
        return "sent";
      } catch (cause) {
        return notStored(cause);
      }
    },
  };
}
