/** Gives people the forms that are theirs. */
import { sleep, type Clock } from "../../clock.ts";
import { Fault, reasonOf } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Account } from "../accounts.ts";
import type { Command, CommandContexts } from "../commands/table.ts";
import type { Directory } from "../commands/types.ts";
import type { FormDraft, FormField } from "../forms.ts";
import type { InboundCommand } from "../inbound.ts";
import type { Deed } from "../permissions.ts";
import type { ChatPlatform } from "../platform.ts";
import type { Choice } from "../turns/account.ts";
import { formOf, type FormBook, type FormFor, type KeptForm } from "./book.ts";

export interface Offering extends Pick<Directory, "form" | "formOf"> {
  offer(draft: FormDraft, to: FormFor): Promise<KeptForm>;
}

export interface OfferingOptions {
  readonly forms: FormBook;
  readonly commands: readonly Command[];
  readonly context: CommandContexts;
  readonly choose: (command: InboundCommand, deed: Deed) => Promise<Choice>;
  readonly shared: Account;
  readonly suggest: Directory["suggest"];
  readonly platformOf: (name: string) => ChatPlatform | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** A form has to be there within a platform's 3 s; without suggestions it is still one. In ms. */
const patienceMs = 1_200;

export function createOffering(options: OfferingOptions): Offering {
  const { forms, commands, suggest, clock } = options;

  /** `work`, or `otherwise` where it takes too long. */
  async function patiently<T>(work: Promise<T>, otherwise: T): Promise<T> {
    const late = new AbortController();
    try {
      return await Promise.race([work, sleep(clock, patienceMs, late.signal).then(() => otherwise)]);
    } finally {
      late.abort();
    }
  }

  /** Choices for those that search: the first of what they would find, and what is chosen now. */
  async function withChoices(field: FormField, { place, person }: FormFor): Promise<FormField> {
    if (field.source === undefined || field.choices !== undefined) return field;
    const found = await patiently(suggest(field.source, "", place, person), []);
    const { value: now } = field;
    if (typeof now !== "string") return { ...field, choices: found };
    const others = found.filter(({ value, label }) => value !== now && label !== now);
    // By the name that it was chosen by, so that leaving it as it is changes nothing.
    const kept = found.find((one) => !others.includes(one)) ?? { label: now };
    return { ...field, choices: [{ ...kept, value: now }, ...others] };
  }

  const offer = async (draft: FormDraft, to: FormFor): Promise<KeptForm> => {
    const size = options.platformOf(to.place.platform)?.limits.formFields ?? draft.fields.length;
    const fields = await Promise.all(draft.fields.map((field) => withChoices(field, to)));
    return forms.offer({ ...draft, fields }, to, size);
  };

  return {
    offer,
    async form(id, person) {
      const kept = await forms.find(id);
      return kept === undefined || kept.spentBy !== undefined || kept.person.id !== person.id ? undefined : formOf(kept);
    },
    async formOf(name, { place, person, direct, files }) {
      const command = commands.find((one) => one.name === name);
      if (command?.form === undefined) return undefined;
      const asked: InboundCommand = {
        kind: "command",
        key: "",
        place,
        author: person,
        at: clock.now(),
        name,
        options: {},
        text: "",
        files: files ?? [],
        ...(files === undefined ? {} : { chosen: true }),
        ...(direct === true ? { direct: true } : {}),
      };
      const late = new AbortController();
      const cancel = clock.after(patienceMs, () => late.abort(new Fault("form_late", "the form took too long to make")));
      try {
        const chosen = command.deed === null ? null : await options.choose(asked, command.deed);
        if (chosen !== null && "refusal" in chosen) return undefined;
        const draft = await command.form(
          options.context(asked, { account: chosen?.account ?? options.shared, deed: command.deed }, late.signal),
        );
        return draft && formOf(await offer(draft, { place, person, ...(direct === true ? { direct: true } : {}) }));
      } catch (thrown) {
        options.log.warn({ command: name, reason: reasonOf(thrown) }, "a form could not be made; the command is run instead");
        return undefined;
      } finally {
        cancel();
      }
    },
  };
}
